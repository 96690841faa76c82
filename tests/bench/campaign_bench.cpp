// Tests that a campaign needs to find where overturning begins, adaptive against step by step; and the time of a whole
// campaign on the simulated table.
//   campaign_bench [SEEDS [RUNS]]
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "hil/campaign/adaptive.hpp"
#include "hil/campaign/boundary_belief.hpp"
#include "hil/campaign/campaign.hpp"
#include "hil/campaign/member_boundaries.hpp"
#include "hil/experiment/models.hpp"
#include "hil/sim_table/truth.hpp"

namespace {

using namespace topple::hil;
using namespace topple::hil::campaign;

std::string file_text(const std::string& campaign, int seed) {
    return fmt::format(R"(name = "B6M"
[[specimen]]
kind = "block"
width_m = 0.045
height_m = 0.2025
mass_kg = 1.0896
restitution = {{ model = "improved", k = 0.8241 }}
[excitation]
type = "sine"
amplitude_m_s2 = 6.0
frequency_hz = 6.0
[simulation]
seed = {}
[campaign]
{}
)",
                       seed, campaign);
}

experiment::Experiment read(const std::string& campaign, int seed) {
    return experiment::read_experiment_text(file_text(campaign, seed), "bench.toml", {});
}

constexpr const char* kRows = "rows = { key = \"excitation.amplitude_m_s2\", values = [4.0, 5.0, 6.0, 8.0, 10.0] }\n";

std::string descending(int repeats) {
    return fmt::format(
        "protocol = \"descending\"\n{}search = {{ key = \"excitation.frequency_hz\", from = 14.0, to = 2.5, "
        "step_ratio = 0.02 }}\nrepeats = {}",
        kRows, repeats);
}
const std::string kAdaptive =
    std::string("protocol = \"adaptive\"\n") + kRows +
    "search = { key = \"excitation.frequency_hz\", from = 14.0, to = 2.5, resolution_ratio = 0.02 }";

/// What the specimen with its hidden differences does, without a table.
bool falls(const Settings& settings, const Setting& setting) {
    experiment::Experiment one = settings.trial(setting);
    one.specimens = sim_table::true_specimens(one, sim_table::truth(one));
    return topple::solver::is_overturning(computed_outcome(one, 0, std::nullopt));
}

struct Search {
    std::size_t tests = 0;
    double worst_error = 0.0;  // of the five boundaries, relative
};

double true_boundary(const Settings& settings, double row) {
    constexpr double kStep = 0.0005;
    for (double frequency = 14.0; frequency > 2.5; frequency /= 1.0 + kStep)
        if (falls(settings, {row, frequency})) return frequency;
    return 0.0;
}

Search search(const std::string& campaign, int seed, const std::vector<double>& truth) {
    const experiment::Experiment experiment = read(campaign, seed);
    const Settings settings(experiment);
    const auto protocol = make_protocol(experiment, settings);
    std::vector<TestRecord> tests;
    while (const auto next = protocol->next(tests)) {
        TestRecord test;
        test.number = tests.size() + 1;
        test.setting = next->setting;
        test.specimens.resize(1);
        test.specimens[0].outcome =
            falls(settings, next->setting) ? topple::solver::Outcome::overturning : topple::solver::Outcome::rocking;
        tests.push_back(test);
    }
    Search result{tests.size(), 0.0};
    const std::vector<RowBoundary> found = protocol->boundaries(tests);
    for (std::size_t i = 0; i < found.size(); ++i)
        result.worst_error =
            std::max(result.worst_error, found[i].estimate ? std::abs(*found[i].estimate / truth[i] - 1.0) : 1.0);
    return result;
}

template <typename T>
T median(std::vector<T> values) {
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

void compare_protocols(int seeds) {
    std::vector<std::size_t> adaptive, steps, single_steps;
    std::vector<double> adaptive_error, steps_error;
    for (int seed = 1; seed <= seeds; ++seed) {
        const experiment::Experiment experiment = read(kAdaptive, seed);
        const Settings settings(experiment);
        std::vector<double> truth;
        for (const double row : experiment.campaign->rows->values) truth.push_back(true_boundary(settings, row));
        const Search a = search(kAdaptive, seed, truth), d = search(descending(3), seed, truth);
        adaptive.push_back(a.tests);
        adaptive_error.push_back(a.worst_error);
        steps.push_back(d.tests);
        steps_error.push_back(d.worst_error);
        single_steps.push_back(search(descending(1), seed, truth).tests);
    }
    const auto worst = [](const std::vector<double>& errors) {
        return *std::max_element(errors.begin(), errors.end());
    };
    fmt::print(
        "B6M, five amplitudes, {} hidden truths: tests (median), worst of the five boundaries (median, largest)\n",
        seeds);
    fmt::print("  descending, steps of 2 %, 3 repeats   {:4}   {:.2f} %  {:.2f} %\n", median(steps),
               100.0 * median(steps_error), 100.0 * worst(steps_error));
    fmt::print("  descending, steps of 2 %, no repeats  {:4}\n", median(single_steps));
    fmt::print("  adaptive, to 2 %                      {:4}   {:.2f} %  {:.2f} %\n", median(adaptive),
               100.0 * median(adaptive_error), 100.0 * worst(adaptive_error));
    fmt::print("  ratio of tests to descending without repeats: {:.2f}\n",
               static_cast<double>(median(adaptive)) / static_cast<double>(median(single_steps)));
}

void time_campaign(int runs) {
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / fmt::format("topple_bench_{}", ::getpid());
    const experiment::Experiment experiment = read(fmt::format("protocol = \"repeats\"\nrepeats = {}", runs), 1);
    CampaignOptions options;
    options.folder = folder;
    options.drive.device = "sim:";
    std::atomic<bool> stop{false};
    const auto begin = std::chrono::steady_clock::now();
    const CampaignResult result = run_campaign(experiment, options, stop);
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    fmt::print("campaign of {} simulated runs: {:.1f} s, {:.0f} ms per run, {}\n", runs, wall_s, 1000.0 * wall_s / runs,
               result.is_complete ? "complete" : result.ended);
    std::filesystem::remove_all(folder);
}

}  // namespace

int main(int argc, char** argv) {
    const int seeds = argc > 1 ? std::atoi(argv[1]) : 20;
    const int runs = argc > 2 ? std::atoi(argv[2]) : 200;
    if (seeds > 0) compare_protocols(seeds);
    if (runs > 0) time_campaign(runs);
}
