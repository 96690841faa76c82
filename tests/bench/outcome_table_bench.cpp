// How long an outcome table takes: 600 tests on recorded motions, 500 members each, from the files to the scores.
// Printed, never asserted.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>

#include "hil/outcome_tables/predicted_table.hpp"
#include "hil/outcome_tables/table_output.hpp"
#include "tests/bench/earthquake.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;

namespace {

constexpr std::size_t kTests = 600, kMembers = 500;

/// The record of earthquake.hpp, another one for each index: stretched in time and scaled.
std::string record(std::size_t index) {
    const solver::BaseMotion motion = bench::earthquake();
    const double step_s = 0.005 * (0.8 + 0.4 * static_cast<double>(index % 37) / 37.0);
    const double scale = 0.4 + 1.2 * static_cast<double>(index) / static_cast<double>(kTests);
    std::string text = "time_s,acceleration_m_s2\n";
    for (std::size_t i = 0; 0.005 * static_cast<double>(i) < motion.end_s(); ++i)
        text += fmt::format("{:.4f},{:.5f}\n", step_s * static_cast<double>(i),
                            scale * motion.at(0.005 * static_cast<double>(i)).acceleration_m_s2);
    return text;
}

std::string experiment() {
    return "name = \"bench\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
           "[excitation]\ntype = \"record\"\nfile = \"record_0.csv\"\nend_correction = \"none\"\n";
}

double seconds_since(std::chrono::steady_clock::time_point start) {
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

int main(int argc, char** argv) {
    const unsigned threads = argc > 1 ? static_cast<unsigned>(std::atoi(argv[1])) : std::thread::hardware_concurrency();
    const tests::TemporaryFolder folder;
    std::string table = "test,motion,outcome\n";
    for (std::size_t i = 0; i < kTests; ++i) {
        folder.write(fmt::format("record_{}.csv", i), record(i));
        table += fmt::format("{0},record_{0}.csv,{1}\n", i, i < kTests / 2 ? "stood" : "fell");
    }
    const auto start = std::chrono::steady_clock::now();
    auto read = hil::outcome_tables::read_outcome_table(folder.write("tests.csv", table),
                                                        folder.write("study.toml", experiment()));
    const double read_s = seconds_since(start);
    const auto predicted = hil::outcome_tables::predict_table(std::move(read), {kMembers, threads, {}});
    const double all_s = seconds_since(start);
    fmt::print(
        "{} recorded tests of {} samples x {} members on {} threads: {:.1f} s (wanted: at most 120), of which {:.2f} s "
        "to read the table; {} scored, {} overturned as predicted\n",
        kTests, bench::earthquake().pieces().size() + 1, kMembers, threads, all_s, read_s,
        predicted.scores.overturning.tests, predicted.scores.overturning.right.count);
    return 0;
}
