// How long records take: reading, looking at many, response spectra.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include "hil/ground_motion/measures.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "hil/plan/record_view.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;

namespace {

/// Shortest of some repetitions, ms.
template <typename Work>
double shortest_ms(int repetitions, const Work& work) {
    double shortest = 1e300;
    for (int i = 0; i < repetitions; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        shortest = std::min(
            shortest, std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count());
    }
    return shortest;
}

double made_up(std::size_t i) {
    const double t = static_cast<double>(i);
    return 0.3 * std::sin(0.07 * t) * std::exp(-1e-8 * t * t) + 0.1 * std::sin(0.31 * t + 1e-5 * t * t);
}

/// A PEER file of so many bytes or a little more.
std::string at2(std::size_t bytes) {
    constexpr std::size_t kLine = 76;
    const std::size_t count = 5 * (bytes / kLine + 1);
    std::string text = fmt::format(
        "MADE-UP DATABASE\nNOWHERE\nACCELERATION TIME SERIES IN UNITS OF G\nNPTS= {}, DT= "
        ".0050 SEC\n",
        count);
    for (std::size_t i = 0; i < count; ++i) text += fmt::format("{:15.7E}{}", made_up(i), i % 5 == 4 ? "\n" : "");
    return text;
}

}  // namespace

int main() {
    const tests::TemporaryFolder folder;
    const auto large = folder.write("large.at2", at2(1'000'000));
    fmt::print("1 MB of AT2, {} samples: {:.2f} ms (wanted: at most 10)\n",
               hil::ground_motion::read_record(large).channels[0].samples.size(),
               shortest_ms(20, [&] { hil::ground_motion::read_record(large); }));
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::directory_iterator(TOPPLE_SOURCE_DIR "/tests/data/ground_motion"))
        files.push_back(entry.path());
    files.push_back(folder.write("common.at2", at2(120'000)));  // the size of a record of 8000 samples
    fmt::print("100 files of {} kinds: {:.1f} ms (wanted: at most 1000)\n", files.size(), shortest_ms(5, [&] {
                   std::vector<hil::plan::LookedAt> all;
                   for (std::size_t i = 0; i < 100; ++i) all.push_back(hil::plan::look_at(files[i % files.size()], {}));
                   if (hil::plan::looked_at_text(all).empty()) std::abort();
               }));
    std::vector<double> acceleration;
    for (std::size_t i = 0; i < 4000; ++i) acceleration.push_back(9.81 * made_up(i));
    for (const double step_s : {0.005, 0.01, 0.02})
        fmt::print("spectrum of {} periods, 4000 samples every {} s: {:.2f} ms (wanted: at most 5)\n",
                   hil::ground_motion::kSpectrumPeriods, step_s,
                   shortest_ms(50, [&] { hil::ground_motion::spectrum_of(acceleration, step_s); }));
    return 0;
}
