#include "hil/study/map_grid.hpp"

#include <atomic>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

#include "hil/files/errors.hpp"
#include "hil/study/map_boundaries.hpp"
#include "hil/study/map_files.hpp"
#include "hil/study/map_summary.hpp"
#include "hil/study/pulse_map.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::hil::experiment;
using namespace topple::hil::files;
using namespace topple::hil::study;

namespace {

solver::StabilityMap b6l_map() {
    solver::Specimen specimen;
    specimen.blocks = {{0.06, 0.27, 2.5692}};
    return {specimen, {solver::sine_acceleration(3.0, 25.0), 25.0, 3.0}};
}

std::string csv_of(const MapGrid& grid) {
    const tests::TemporaryFolder folder;
    const auto file = folder.file("map.csv");
    write_map_csv(grid, file);
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("an axis is LO:HI:N with both ends included") {
    const GridAxis axis = parse_axis("--x", "0.1:10:100", 0.0);
    CHECK(axis.at(0) == 0.1);
    CHECK(axis.at(99) == 10.0);
    CHECK(axis.at(50) - axis.at(49) == Approx(0.1));
    CHECK(parse_axis("--x", "2:2:1", 0.0).at(0) == 2.0);
}

TEST_CASE("a malformed axis is refused and the message names the option") {
    for (const char* text : {"", "1:2", "1:2:3:4", "a:2:3", "1:nan:3", "2:1:3", "1:2:1", "1:1:2", "1:2:2.5", "1:2:-3",
                             "0:2:3", "1:1e9:3", "1,5:2:3", "1:2:1e300", " 1:2:3"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_axis("--frequency-ratio", text, 0.001), InputError);
    }
    try {
        parse_axis("--frequency-ratio", "x", 0.001);
        FAIL("accepted");
    } catch (const InputError& error) {
        CHECK(std::string(error.what()).find("--frequency-ratio \"x\"") != std::string::npos);
    }
}

TEST_CASE("a grid of 1e12 cells is refused before anything is allocated") {
    CHECK_THROWS_AS(solve_grid(b6l_map(), {0.1, 10.0, 1000000}, {0.1, 10.0, 1000000}, {}), InputError);
}

TEST_CASE("a grid is the same for one thread and for several") {
    const auto map = b6l_map();
    const MapGrid one = solve_grid(map, {0.1, 10.0, 40}, {0.1, 10.0, 40}, {.threads = 1});
    const MapGrid three = solve_grid(map, {0.1, 10.0, 40}, {0.1, 10.0, 40}, {.threads = 3});
    CHECK(one.cells == three.cells);
    CHECK(one.done_count() == 40);
}

TEST_CASE("the CSV of a map has a line per cell, named outcomes and sides") {
    const std::string text = csv_of(solve_grid(b6l_map(), {4.0, 4.0, 1}, {0.5, 9.5, 2}, {}));
    CHECK(text ==
          "frequency_ratio,amplitude_ratio,outcome,direction,impacts_before_overturning\n"
          "4,0.5,translation,,0\n4,9.5,overturning,left,0\n");
}

TEST_CASE("a stopped map keeps the frequencies that are done and only those") {
    const std::atomic<bool> stop{true};
    const MapGrid none = solve_grid(b6l_map(), {0.1, 10.0, 5}, {0.1, 10.0, 5}, {.threads = 1, .stop = &stop});
    CHECK(none.done_count() == 0);
    CHECK(csv_of(none) == "frequency_ratio,amplitude_ratio,outcome,direction,impacts_before_overturning\n");
}

TEST_CASE("an error in one thread of shared work reaches the caller") {
    CHECK_THROWS_AS(share_out(100, {.threads = 2},
                              [](std::size_t i) {
                                  if (i == 50) throw std::logic_error("no");
                              }),
                    std::logic_error);
}

TEST_CASE("boundaries report every transition of a column, bracketed to the tolerance") {
    const auto map = b6l_map();
    const MapGrid grid = solve_grid(map, {6.0, 6.0, 1}, {0.1, 12.0, 60}, {});
    const auto boundaries = find_boundaries(map, grid, 1e-9, {});
    REQUIRE(boundaries.size() == 4);  // uplift, one-impact region begins and ends, no-impact region begins
    CHECK(boundaries[0].above.outcome() == solver::Outcome::rocking);
    CHECK(0.5 * (boundaries[0].amplitude_low_ratio + boundaries[0].amplitude_high_ratio) == Approx(1.0).epsilon(1e-9));
    CHECK(boundaries[1].above.impacts == 1);
    CHECK(boundaries[2].above.outcome() == solver::Outcome::rocking);
    CHECK(boundaries[3].above.impacts == 0);
    for (const MapTransition& t : boundaries) {
        const double amplitudes[] = {t.amplitude_low_ratio, t.amplitude_high_ratio};
        const solver::MapPoint points[] = {{6.0, amplitudes[0]}, {6.0, amplitudes[1]}};
        solver::MapOutcome outcomes[2];
        map.solve(points, outcomes);
        CHECK(cell_of(outcomes[0]) == t.below);
        CHECK(cell_of(outcomes[1]) == t.above);
        CHECK(amplitudes[1] - amplitudes[0] <= 1e-9 * amplitudes[1]);
    }
}

namespace {

/// Three equal blocks on a base that is shot against a stopper.
Experiment three_blocks() { return read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/three_blocks_pulse.toml"); }

bool is_refused(const Experiment& experiment, const char* velocity, const char* gap, const char* word) {
    try {
        pulse_axes(experiment, velocity, gap);
    } catch (const InputError& error) {
        return std::string(error.what()).find(word) != std::string::npos;
    }
    return false;
}

}  // namespace

TEST_CASE("a double pulse maps over peak velocity and gap, with the modes of a stack of three") {
    const Experiment experiment = three_blocks();
    const PulseAxes axes = pulse_axes(experiment, "0.1:1.5:8", "0.02:0.2:5");
    MapGrid grid = solve_grid(pulse_solver(experiment, experiment.specimens[0], {}), axes.velocity, axes.gap, {});
    grid.kind = MapKind::double_pulse;
    grid.block_count = 3;
    const std::string text = csv_of(grid);
    CHECK(text.starts_with("peak_velocity_m_s,gap_m,outcome,direction,impacts_before_overturning,mode\n"));
    CHECK(text.find("0.1,0.02,") != std::string::npos);
    for (const MapCell& cell : grid.cells) {
        const std::string_view mode = mode_name(cell, 3);
        const bool falls = solver::is_overturning(cell.outcome());
        CHECK((mode == "A") == !falls);
        CHECK((mode[0] == 'D') == (cell.outcome() == solver::Outcome::total_overturning));
        if (falls) CHECK(mode[1] == (cell.direction < 0 ? 'L' : 'R'));
    }
    // One cell by the way of predict().
    DoublePulse pulse = *experiment.excitation.double_pulse;
    pulse.peak_velocity_m_s = axes.velocity.at(5);
    pulse.gap_m = axes.gap.at(2);
    const auto answer = solver::predict(experiment.specimens[0], pulse.motion(experiment.gravity_m_s2));
    CHECK(grid.cell(5, 2).blocks == answer.blocks_overturned.size());
    CHECK(grid.cell(5, 2).outcome() == answer.outcome);
    CHECK(outcome_shares(grid).find("modes A ") != std::string::npos);
    CHECK(boundaries_csv({}, MapKind::double_pulse).starts_with("peak_velocity_m_s,gap_m,"));
}

TEST_CASE("a double pulse towards -x is the mirror image") {
    Experiment experiment = three_blocks();
    const auto solve = [&] {
        const PulseAxes axes = pulse_axes(experiment, "0.2:1.2:4", "0.05:0.2:3");
        return solve_grid(pulse_solver(experiment, experiment.specimens[0], {}), axes.velocity, axes.gap, {}).cells;
    };
    const auto right = solve();
    experiment.excitation.double_pulse->peak_velocity_m_s *= -1.0;
    const auto left = solve();
    for (std::size_t i = 0; i < left.size(); ++i) {
        CHECK(left[i].blocks == right[i].blocks);
        CHECK(left[i].direction == -right[i].direction);
    }
}

TEST_CASE("axes of a double pulse are refused where they make no sense") {
    Experiment experiment = three_blocks();
    CHECK(is_refused(experiment, "0.1:1:5", "", "both"));
    CHECK(is_refused(experiment, "0:1:5", "0.1:0.2:5", "--peak-velocity"));
    CHECK(is_refused(experiment, "0.1:1:5", "0.001:0.2:5", "travel during the rise"));
    experiment.excitation.double_pulse.reset();
    experiment.excitation.type = "sine";
    CHECK(is_refused(experiment, "0.1:1:5", "0.1:0.2:5", "double_pulse"));
}

TEST_CASE("the summary of a stack's map counts partial and total overturning") {
    MapGrid grid{{1.0, 2.0, 2}, {1.0, 2.0, 2}, std::vector<MapCell>(4), {1, 1}};
    grid.block_count = 2;
    grid.cells[1].outcome_code = static_cast<unsigned char>(solver::Outcome::partial_overturning);
    grid.cells[2].outcome_code = grid.cells[3].outcome_code =
        static_cast<unsigned char>(solver::Outcome::total_overturning);
    const std::string text = outcome_shares(grid);
    INFO(text);
    CHECK(text.find("partial_overturning 25.00 %") != std::string::npos);
    CHECK(text.find("P 1, D 2, P/D 0.500") != std::string::npos);
}

TEST_CASE("a wave whose solution failed is a cell of its own, never rocking") {
    MapGrid grid{{1.0, 2.0, 2}, {1.0, 2.0, 2}, std::vector<MapCell>(4), {1, 1}};
    grid.block_count = 3;
    solver::MapOutcome failed;
    failed.status = solver::SolverStatus::event_budget_spent;
    grid.cells[3] = cell_of(failed);
    CHECK_FALSE(grid.cells[3].outcome().has_value());
    CHECK(mode_name(grid.cells[3], 3).empty());
    CHECK(failed_count(grid) == 1);
    const std::string text = outcome_shares(grid);
    INFO(text);
    CHECK(text.find("translation 75.00 %, failed 25.00 %; P 0, D 0; modes A 75.00 %") != std::string::npos);
    CHECK(csv_of(grid).ends_with("2,2,failed,,0,\n"));
}

TEST_CASE("a map follows the whole planned motion: the cell at the file's own wave is what predict says") {
    const tests::TemporaryFolder folder;
    const auto file = folder.file("pulse.toml");
    for (const char* stop : {"", "deceleration_m_s2 = 6.0\n"}) {
        std::ofstream(file)
            << "name = \"pulse\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.2\nmass_kg = 2.5\n"
               "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 2.85\nduration_s = 0.3\n"
            << stop;
        const Experiment experiment = read_experiment(file);
        const solver::MapWave wave = map_wave(experiment);
        const solver::StabilityMap map(experiment.specimens[0], wave);
        const solver::MapPoint own = own_wave(map, wave);
        CHECK(own.amplitude_ratio == Approx(2.85 / (9.81 * 0.3)));
        CHECK(own.frequency_ratio * map.frequency_parameter_rad_s() == Approx(2.0 * 3.141592653589793 / 0.3));
        solver::MapOutcome outcome;
        map.solve({&own, 1}, {&outcome, 1});
        CHECK(outcome.outcome == (*stop ? solver::Outcome::overturning : solver::Outcome::translation));
        CHECK(outcome.outcome ==
              solver::predict(experiment.specimens[0], experiment.excitation.planned_motion()).outcome);
    }
}

TEST_CASE("a map whose cells all end alike says where the experiment's own wave lies") {
    const auto map = b6l_map();
    const MapGrid low = solve_grid(map, {0.1, 10.0, 5}, {0.1, 0.9, 5}, {}),
                  all = solve_grid(map, {4.0, 6.0, 3}, {0.5, 9.5, 5}, {});
    const std::string remark = uniform_remark(low, {25.0 / map.frequency_parameter_rad_s(), 1.38});
    CHECK(remark.find("all 25 waves end in translation") != std::string::npos);
    CHECK(remark.find("amplitude ratio 1.38, outside these axes") != std::string::npos);
    CHECK(uniform_remark(all, {4.0, 1.38}).empty());
    CHECK(uniform_remark(solve_grid(map, {4.0, 4.0, 1}, {0.5, 0.5, 1}, {}), {4.0, 1.38}).empty());
}
