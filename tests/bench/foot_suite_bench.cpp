// How long it takes to find what becomes of 500 bodies along each of 500 records, as learning from outcomes asks for
// it: blocks, bodies with two pivots and feet of eight faces, by the lanes and, of a sample, step by step. Printed,
// never asserted. Two threads; times are those of the processor, so that a busy machine tells the same.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <random>
#include <thread>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/predict.hpp"
#include "solver/study/perturbation.hpp"
#include "solver/study/record_suite.hpp"

using namespace topple::solver;

namespace {

constexpr unsigned kThreads = 2;
constexpr std::size_t kSampled = 200;  // runs step by step

double thread_seconds() {
    timespec now{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/// 20 to 40 s at 100 or 200 Hz: noise of an earthquake under a swelling and dying envelope, peak 1 m/s2.
BaseMotion record(std::size_t index) {
    std::mt19937_64 random(index + 1);
    std::normal_distribution<double> noise;
    std::uniform_real_distribution<double> share(0.0, 1.0);
    const double step_s = index % 2 == 0 ? 0.005 : 0.01, duration_s = 20.0 + 20.0 * share(random);
    const double w = 6.0 + 20.0 * share(random), swell_s = 2.0 + 4.0 * share(random);
    std::vector<double> time_s, acceleration_m_s2;
    double state = 0.0, rate = 0.0, peak = 0.0;
    for (double t = 0.0; t < duration_s; t += step_s) {
        rate += step_s * (-0.8 * w * rate - w * w * state) + std::sqrt(step_s) * noise(random);
        state += step_s * rate;
        time_s.push_back(t);
        acceleration_m_s2.push_back(state * t * std::exp(1.0 - t / swell_s) / swell_s);
        peak = std::max(peak, std::abs(acceleration_m_s2.back()));
    }
    for (double& value : acceleration_m_s2) value /= peak;
    acceleration_m_s2.back() = 0.0;
    return sampled_acceleration(time_s, acceleration_m_s2);
}

/// A stone of half a metre on an even number of faces, their corners on a shallow arc along which it rolls.
Specimen stone(int faces) {
    Specimen specimen;
    specimen.blocks = {{0.0, 0.0, 60.0}};
    specimen.foot.emplace();
    specimen.foot->inertia_kg_m2 = 3.0;
    const double step_m = 0.56 / faces, middle = 0.5 * (faces - 1);
    for (int i = 0; i <= faces; ++i) {
        const double x = step_m * (i - middle);
        specimen.foot->corners_m.push_back({x, -0.35 + 1.2 * (x * x - 0.25 * step_m * step_m)});
    }
    return specimen;
}

Specimen with_pivots() {
    Specimen specimen;
    specimen.blocks = {{0.0, 0.0, 60.0}};
    specimen.pivots = Pivots{0.24, 0.28, 0.4, 0.38, 3.0};
    specimen.restitution.model = RestitutionModel::fixed;
    specimen.restitution.fixed_left_to_right = 0.9;
    specimen.restitution.fixed_right_to_left = 0.92;
    return specimen;
}

Specimen block() {
    Specimen specimen;
    specimen.blocks = {{0.2, 0.7, 60.0}};
    return specimen;
}

/// The members: restitution, seat and strength of the motion a little different.
struct Members {
    std::vector<Specimen> specimens;
    std::vector<MotionScale> scales;  // strong enough that some of the members fall
};
Members members_of(const Specimen& like, std::size_t count) {
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    Members members;
    const double uplift_m_s2 = uplift_acceleration_m_s2(like);
    for (std::size_t i = 0; i < count; ++i) {
        Perturbation by;
        by.tilt_rad = 0.002 * normal(random);
        members.specimens.push_back(perturbed(like, by));
        members.scales.push_back({uplift_m_s2 * (1.5 + 0.1 * normal(random)), 1.0});
    }
    return members;
}

struct Tally {
    double seconds = 0.0;  // of the processor, all threads
    std::size_t runs = 0, uplifted = 0, fell = 0;
};

/// Every record once, shared out over the threads; `solve`: adds what became of all members along it to the tally.
template <class Solve>
Tally over_records(std::size_t records, Solve&& solve) {
    std::atomic<std::size_t> next{0};
    std::vector<Tally> tallies(kThreads);
    std::vector<std::thread> threads;
    for (Tally& tally : tallies)
        threads.emplace_back([&] {
            for (std::size_t i = next++; i < records; i = next++) {
                const BaseMotion motion = record(i);
                const double start_s = thread_seconds();
                solve(motion, tally);
                tally.seconds += thread_seconds() - start_s;
            }
        });
    for (std::thread& thread : threads) thread.join();
    Tally sum;
    for (const Tally& tally : tallies) {
        sum.seconds += tally.seconds, sum.runs += tally.runs;
        sum.uplifted += tally.uplifted, sum.fell += tally.fell;
    }
    return sum;
}

void report(const char* what, const Tally& tally) {
    std::printf("  %-34s %7.2f s of the processor, %7.1f us a run; %.0f %% uplift, %.0f %% fall\n", what, tally.seconds,
                1e6 * tally.seconds / static_cast<double>(tally.runs),
                100.0 * static_cast<double>(tally.uplifted) / static_cast<double>(tally.runs),
                100.0 * static_cast<double>(tally.fell) / static_cast<double>(tally.runs));
}

void count(Tally& tally, std::optional<Outcome> outcome) {
    ++tally.runs;
    tally.uplifted += outcome == Outcome::rocking || outcome == Outcome::overturning;
    tally.fell += outcome == Outcome::overturning;
}

void measure(const char* what, const Specimen& like, std::size_t records, std::size_t count_of_members) {
    const Members members = members_of(like, count_of_members);
    std::printf("%s\n", what);
    const Tally outcomes = over_records(records, [&](const BaseMotion& motion, Tally& tally) {
        for (const Prediction& one : predict_outcomes(members.specimens, motion, {}, members.scales))
            count(tally, one.outcome);
    });
    report("outcomes in lanes", outcomes);
    const Tally suite = over_records(records, [&](const BaseMotion& motion, Tally& tally) {
        std::vector<SuitePoint> points;
        for (std::size_t m = 0; m < members.scales.size(); ++m) points.push_back({m, members.scales[m]});
        std::vector<SuiteRun> runs(points.size());
        RecordSuite(motion).solve(members.specimens, points, runs);
        for (const SuiteRun& run : runs) count(tally, run.outcome);
    });
    report("with peak and time, in lanes", suite);
    const std::size_t of_each = std::max<std::size_t>(1, kSampled / records);
    const Tally one_by_one = over_records(std::min(records, kSampled), [&](const BaseMotion& motion, Tally& tally) {
        SolverOptions options;
        options.outcome_only = true;
        for (std::size_t m = 0; m < of_each; ++m)
            count(tally, follow_scaled(members.specimens[m], motion, members.scales[m], options).outcome);
    });
    report("outcomes step by step, a sample", one_by_one);
    std::printf("  step by step over lanes: %.0f; %zu x %zu on two processors by the lanes: %.1f s (wanted: 120 s)\n",
                one_by_one.seconds / static_cast<double>(one_by_one.runs) / outcomes.seconds *
                    static_cast<double>(outcomes.runs),
                records, count_of_members, 0.5 * outcomes.seconds);
}

}  // namespace

/// Usage: foot_suite_bench [RECORDS MEMBERS]
int main(int count, char** arguments) {
    const std::size_t records = count > 1 ? std::strtoul(arguments[1], nullptr, 10) : 500;
    const std::size_t members = count > 2 ? std::strtoul(arguments[2], nullptr, 10) : 500;
    measure("block of 0.2 m x 0.7 m", block(), records, members);
    measure("body with two pivots", with_pivots(), records, members);
    measure("foot of 8 faces", stone(8), records, members);
    measure("foot of 32 faces", stone(32), records, members);
    return 0;
}
