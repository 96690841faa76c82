// How long a run of 60 s takes to export in each format, beside reading its log alone.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <functional>

#include "hil/exports/export_csv.hpp"
#include "hil/exports/export_file.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/unit/hil/run_log/sample_run.hpp"

using namespace topple::hil;

namespace {

constexpr std::size_t kTicks = 30'000;  // 60 s at 500 Hz
constexpr int kRounds = 7;

double median_s(const std::function<void(int)>& work) {
    std::vector<double> seconds;
    for (int round = 0; round < kRounds; ++round) {
        const auto begin = std::chrono::steady_clock::now();
        work(round);
        seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
    }
    std::sort(seconds.begin(), seconds.end());
    return seconds[kRounds / 2];
}

}  // namespace

int main() {
    const topple::tests::TemporaryFolder folder;
    const auto log = folder.file("run.mcap");
    run_log::write_sample_run(log, kTicks);
    const auto name = [&](const char* end, int round) { return folder.file(fmt::format("{}{}", round, end)); };
    const double read_s = median_s([&](int) { run_log::read_run_log(log); });
    const double csv_s = median_s([&](int round) { exports::export_csv(log, name("csv", round)); });
    const double hdf5_s = median_s([&](int round) { exports::export_hdf5(log, {name(".h5", round)}); });
    const double mat_s = median_s([&](int round) { exports::export_mat(log, {name(".mat", round)}); });
    fmt::print("run of 60 s, every topic at 500 Hz; reading the log alone: {:.3f} s\n", read_s);
    const auto show = [&](const char* format, double seconds, std::uintmax_t bytes) {
        fmt::print("{:<5} {:.3f} s, {:.2f} times reading alone, {:.1f} MB\n", format, seconds, seconds / read_s,
                   1e-6 * static_cast<double>(bytes));
    };
    std::uintmax_t csv_bytes = 0;
    for (const auto& file : std::filesystem::directory_iterator(name("csv", 0))) csv_bytes += file.file_size();
    show("csv", csv_s, csv_bytes);
    show("hdf5", hdf5_s, std::filesystem::file_size(name(".h5", 0)));
    show("mat", mat_s, std::filesystem::file_size(name(".mat", 0)));
}
