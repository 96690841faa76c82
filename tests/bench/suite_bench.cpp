// How long runs along one record take: side by side, by predict() one by one, and by a program with Boost.Odeint.
// Printed, never asserted. One thread.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <vector>

#include "solver/predict.hpp"
#include "solver/study/record_suite.hpp"
#include "tests/bench/earthquake.hpp"
#include "tests/bench/odeint_record.hpp"

using namespace topple;
using namespace topple::solver;
using namespace topple::bench;

namespace {

constexpr std::size_t kScales = 400, kOneByOne = 10;  // one by one: every tenth

/// Processor time per call of the quickest repetition, microseconds.
template <class Call>
double best_us(int repeats, std::size_t calls, Call&& call) {
    double best = 1e300;
    for (int i = 0; i < repeats; ++i) {
        const std::clock_t start = std::clock();
        call();
        best = std::min(best, 1e6 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best / static_cast<double>(calls);
}

Specimen block(double width_m, double height_m) {
    Specimen specimen;
    specimen.blocks.resize(1);
    specimen.blocks[0].width_m = width_m;
    specimen.blocks[0].height_m = height_m;
    specimen.blocks[0].mass_kg = 1000.0 * width_m * height_m * height_m;
    return specimen;
}

std::vector<double> samples_of(const BaseMotion& record) {
    std::vector<double> samples;
    for (const MotionPiece& piece : record.pieces()) samples.push_back(piece.polynomial[0]);
    samples.push_back(0.0);
    return samples;
}

struct OdeintTimes {
    double us = 0.0;
    std::size_t alike = 0, steps = 0;
};

OdeintTimes by_odeint(const RecordCase& like, const std::vector<SuitePoint>& points, const std::vector<SuiteRun>& runs,
                      SampleSteps how) {
    OdeintTimes odeint;
    odeint.us = best_us(2, points.size() / kOneByOne, [&] {
        odeint.alike = odeint.steps = 0;
        for (std::size_t i = 0; i < points.size(); i += kOneByOne) {
            RecordCase of = like;
            of.scale = points[i].scale.amplitude;
            const RecordAnswer answer = solve_record_by_odeint(of, how);
            odeint.steps += answer.steps;
            odeint.alike +=
                answer.uplifted == runs[i].uplifted && answer.overturned == (runs[i].outcome == Outcome::overturning);
        }
    });
    return odeint;
}

/// Scales from where the block begins to uplift to the given factor of that.
void compare(const char* what, const Specimen& specimen, double scales_to) {
    const BaseMotion record = earthquake();
    const double uplift = uplift_acceleration_m_s2(specimen) / record.extremes().acceleration_peak_m_s2;
    std::vector<SuitePoint> points(kScales);
    for (std::size_t i = 0; i < kScales; ++i)
        points[i].scale.amplitude =
            uplift * (1.0 + (scales_to - 1.0) * (static_cast<double>(i) + 0.5) / static_cast<double>(kScales));
    const RecordSuite suite(record);
    std::vector<SuiteRun> runs(kScales);
    const double suite_us = best_us(5, kScales, [&] { suite.solve({&specimen, 1}, points, runs); });
    std::size_t fell = 0, alike = 0;
    double rocking_s = 0.0;
    for (const SuiteRun& run : runs) {
        fell += run.outcome == Outcome::overturning;
        rocking_s += run.end_time_s / static_cast<double>(kScales);
    }
    const double predict_us = best_us(2, kScales / kOneByOne, [&] {
        alike = 0;
        for (std::size_t i = 0; i < kScales; i += kOneByOne) {
            const Prediction prediction = predict(specimen, record.scaled(points[i].scale));
            alike += prediction.outcome == runs[i].outcome && prediction.direction == runs[i].direction;
        }
    });
    const std::vector<double> samples = samples_of(record);
    RecordCase like{specimen.blocks[0].slenderness_rad(), specimen.blocks[0].frequency_parameter_rad_s(9.81),
                    restitution_ratios(specimen)[0]};
    like.acceleration_m_s2 = &samples;
    like.step_s = 0.005;
    const OdeintTimes open = by_odeint(like, points, runs, SampleSteps::free);
    const OdeintTimes ended = by_odeint(like, points, runs, SampleSteps::ended);
    const double odeint_us = std::min(open.us, ended.us);
    std::printf("%-18s p %.2f rad/s, %zu of %zu fall, end at %.1f s on average\n", what, like.frequency_parameter_rad_s,
                fell, kScales, rocking_s);
    std::printf("  suite %.1f us a run (wanted: at most 100)\n", suite_us);
    std::printf("  predict() %.0f us: %.0f times the suite's; %zu of %zu outcomes alike\n", predict_us,
                predict_us / suite_us, alike, kScales / kOneByOne);
    std::printf(
        "  Odeint over the samples %.0f us (%zu alike), ending steps there %.0f us (%zu alike): "
        "%.0f times the suite's (wanted: at least 20)\n",
        open.us, open.alike, ended.us, ended.alike, odeint_us / suite_us);
}

/// Many members at as many scales, as a fragility curve asks for them.
void members_by_scales(std::size_t members, std::size_t scales) {
    const BaseMotion record = earthquake();
    const double uplift = uplift_acceleration_m_s2(block(0.3, 1.2)) / record.extremes().acceleration_peak_m_s2;
    std::vector<Specimen> bodies;
    std::vector<SuitePoint> points;
    for (std::size_t m = 0; m < members; ++m) {
        const double part = static_cast<double>(m) / static_cast<double>(members) - 0.5;
        bodies.push_back(block(0.3 * (1.0 + 0.02 * part), 1.2));
        bodies.back().initial_tilt_rad = 0.004 * part;
        for (std::size_t k = 0; k < scales; ++k)
            points.push_back({m, {uplift * (0.5 + 3.0 * static_cast<double>(k) / static_cast<double>(scales)), 1.0}});
    }
    const RecordSuite suite(record);
    std::vector<SuiteRun> runs(points.size());
    const double us = best_us(3, points.size(), [&] { suite.solve(bodies, points, runs); });
    std::size_t uplifted = 0, fell = 0;
    for (const SuiteRun& run : runs) uplifted += run.uplifted, fell += run.outcome == Outcome::overturning;
    std::printf("0.3 m x 1.2 m, %zu members x %zu scales: %.1f us a run; %zu uplift, %zu fall\n", members, scales, us,
                uplifted, fell);
}

/// A block that loses next to nothing and rocks to the end of the record: as long as a run can take.
void longest() {
    const BaseMotion record = earthquake();
    Specimen lively = block(0.6, 1.5);
    lively.restitution.model = RestitutionModel::fixed;
    lively.restitution.fixed_left_to_right = lively.restitution.fixed_right_to_left = 0.99;
    const double uplift = uplift_acceleration_m_s2(lively) / record.extremes().acceleration_peak_m_s2;
    std::vector<SuitePoint> points(kScales);
    for (std::size_t i = 0; i < kScales; ++i)
        points[i].scale.amplitude = uplift * (1.02 + 0.2 * static_cast<double>(i) / static_cast<double>(kScales));
    const RecordSuite suite(record);
    std::vector<SuiteRun> runs(kScales);
    const double us = best_us(3, kScales, [&] { suite.solve({&lively, 1}, points, runs); });
    const auto outlast = std::count_if(runs.begin(), runs.end(), [](const SuiteRun& run) {
        return run.outcome == Outcome::rocking && run.end_time_s > 20.0;
    });
    std::printf("0.6 m x 1.5 m, restitution 0.99: %.1f us a run; %td of %zu outlast the record\n", us, outlast,
                kScales);
}

}  // namespace

int main() {
    std::printf("one record of 4000 samples at 200 Hz, one block, %zu scales from its uplift on, 1 thread\n", kScales);
    compare("0.12 m x 0.54 m", block(0.12, 0.54), 3.0);
    compare("0.30 m x 0.60 m", block(0.3, 0.6), 2.0);
    compare("1 m x 4 m", block(1.0, 4.0), 4.0);
    compare("0.06 m x 0.27 m", block(0.06, 0.27), 2.0);
    longest();
    members_by_scales(100, 100);
}
