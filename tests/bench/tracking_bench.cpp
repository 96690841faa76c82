// How well the position servo moves the simulated stage, and how well after drive iteration: worst of tables drawn
// around the presets. usage: tracking_bench [TABLES [MACHINE_FILE]]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <numbers>
#include <string>
#include <vector>

#include "controller/iteration/drive_iteration.hpp"
#include "hil/experiment/experiment.hpp"
#include "tests/support/tracked_motion.hpp"

using namespace topple;
using namespace topple::test;
using hil::sim_table::TablePreset;

namespace {

constexpr double kG = 9.81;
constexpr std::uint64_t kRecordSeed = 11;

/// Amplitude and frequency of the sine that comes nearest to a history, least squares over both and the phase.
struct Sine {
    double amplitude = 0.0, hz = 0.0;
};

Sine fitted(const std::vector<double>& history, double step_s, std::size_t count, double near_hz) {
    Sine best;
    double explained_most = -1.0;
    for (double hz = 0.9 * near_hz; hz <= 1.1 * near_hz; hz += 2e-4 * near_hz) {
        const double w = 2.0 * std::numbers::pi * hz;
        double ss = 0.0, cc = 0.0, sc = 0.0, ys = 0.0, yc = 0.0;
        for (std::size_t i = 0; i < count; i += 10) {
            const double t = (static_cast<double>(i) - 0.5) * step_s, s = std::sin(w * t), c = std::cos(w * t);
            ss += s * s, cc += c * c, sc += s * c, ys += history[i] * s, yc += history[i] * c;
        }
        const double det = ss * cc - sc * sc, a = (ys * cc - yc * sc) / det, b = (yc * ss - ys * sc) / det;
        if (const double explained = a * ys + b * yc; explained > explained_most) {
            explained_most = explained;
            best = {std::hypot(a, b), hz};
        }
    }
    return best;
}

/// Factor of the commanded acceleration that comes nearest to the true one.
double gain(const TrackedMotion& motion) {
    double both = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < motion.true_m_s2.size(); ++i) {
        both += motion.true_m_s2[i] * motion.commanded_m_s2[i];
        squares += motion.commanded_m_s2[i] * motion.commanded_m_s2[i];
    }
    return both / squares;
}

struct Case {
    const char* name;
    solver::BaseMotion motion;
    double amplitude_m_s2, hz;  // of a sine; 0 for a record
};

struct Worst {
    double peak_mm = 0.0, nrmse = 0.0, amplitude = 0.0, frequency = 0.0, spectrum = 0.0;
    int faults = 0;

    void add(const Case& motion, const TrackedMotion& tracked) {
        const TrackingError error = tracking_error(tracked, motion.hz == 0.0);
        spectrum = std::max(spectrum, error.spectrum_ratio);
        peak_mm = std::max(peak_mm, error.peak_mm);
        nrmse = std::max(nrmse, error.nrmse_ratio);
        if (tracked.fault != firmware_iface::FaultCode::none) ++faults;
        if (motion.hz == 0.0) {
            amplitude = std::max(amplitude, std::abs(gain(tracked) - 1.0));
            return;
        }
        const auto count = static_cast<std::size_t>(1.0 / (motion.hz * TrackedMotion::kStep_s));
        const Sine sine = fitted(tracked.true_m_s2, TrackedMotion::kStep_s, count, motion.hz);
        amplitude = std::max(amplitude, std::abs(sine.amplitude / motion.amplitude_m_s2 - 1.0));
        frequency = std::max(frequency, std::abs(sine.hz / motion.hz - 1.0));
    }
};

void print(const char* what, double payload_kg, const Case& motion, const Worst& worst) {
    std::printf("%-22s %5.0f kg  %-22s %8.3f mm %8.2f %% %9.2f %%", what, payload_kg, motion.name, worst.peak_mm,
                100.0 * worst.nrmse, 100.0 * worst.amplitude);
    if (motion.hz > 0.0)
        std::printf(" %8.2f %% %10s", 100.0 * worst.frequency, "-");
    else
        std::printf(" %10s %8.2f %%", "-", 100.0 * worst.spectrum);
    std::printf("%s\n", worst.faults > 0 ? "  FAULT" : "");
}

/// What drive iteration makes of one kind of table: how far off the platen really is, without it and after each pass.
struct Iterated {
    std::vector<Worst> after;  ///< [k]: k passes learned from; a table that stopped earlier stays as it is
    int beyond_limits = 0;     ///< drives that the feasibility check refuses

    explicit Iterated(int passes) : after(static_cast<std::size_t>(passes) + 1) {}

    void add(const firmware_iface::MachineDescription& machine, const TablePreset& table, double payload_kg,
             const Case& motion, const controller::Profile& target, const WantedMotion& wanted) {
        controller::IterationSettings settings;
        settings.passes_max = static_cast<int>(after.size()) - 1;
        controller::DriveIteration learning(target, machine, payload_kg, settings);
        TrackedMotion tracked;
        bool settled = false;  // the drive that is kept has been tracked
        for (std::size_t k = 0; k < after.size(); ++k) {
            if (!settled) {
                settled = learning.end() != controller::IterationEnd::none;
                if (!check_feasibility(learning.drive(), machine, payload_kg).feasible()) ++beyond_limits;
                tracked = track_motion(machine, table, payload_kg, learning.drive(), wanted);
                if (!settled &&
                    learning.learn(tracked.measured, tracked.start_us) == controller::IterationEnd::goal_reached)
                    settled = true;
            }
            after[k].add(motion, tracked);
        }
    }
};

/// A heavy payload and a sine above the largest force.
void print_double_constant(const firmware_iface::MachineDescription& machine) {
    constexpr double kPayload_kg = 100.0, kWanted_m_s2 = 9.5, kHz = 5.0;
    const auto profile = controller::place(solver::sine_acceleration(kWanted_m_s2, 2.0 * std::numbers::pi * kHz), true);
    const TrackedMotion tracked = track_motion(machine, hil::sim_table::stage_preset(), kPayload_kg, profile);
    const auto cycle = static_cast<std::size_t>(1.0 / (kHz * TrackedMotion::kStep_s));
    double peak = 0.0, squares = 0.0;
    for (std::size_t i = 0; i < cycle; ++i) {
        peak = std::max(peak, std::abs(tracked.true_m_s2[i]));
        squares += tracked.true_m_s2[i] * tracked.true_m_s2[i];
    }
    const double able = drive_force_max_n(machine) / (machine.moving_mass_kg + kPayload_kg);
    std::printf(
        "double constant: %.0f kg, sine of %.1f m/s2 at %.0f Hz, %.0f N allow %.2f m/s2: peak %.2f m/s2, "
        "rms/peak %.2f (sine 0.71, double constant 1), largest error %.1f mm, %s\n",
        kPayload_kg, kWanted_m_s2, kHz, drive_force_max_n(machine), able, peak,
        std::sqrt(squares / static_cast<double>(cycle)) / peak, tracking_error(tracked).peak_mm,
        std::string(name(tracked.fault)).c_str());
}

}  // namespace

int main(int argc, char** argv) {
    const int tables = argc > 1 ? std::atoi(argv[1]) : 20;
    const auto machine = hil::experiment::read_machine(argc > 2 ? argv[2] : "quanser-st-iii", ".").description;
    const double sine_m_s2 = 0.8 * kG, record_m_s2 = 0.6 * kG;
    const std::vector<Case> motions{
        {"sine 0.8 g 2.5 Hz", solver::sine_acceleration(sine_m_s2, 2.0 * std::numbers::pi * 2.5), sine_m_s2, 2.5},
        {"record 0.6 g 0.8-10 Hz", broadband_motion(kRecordSeed, record_m_s2), 0.0, 0.0}};
    for (const Case& motion : motions) {
        const auto extremes = motion.motion.extremes();
        std::printf("%s: %.1f mm from end to end, %.2f m/s, %.2f m/s2\n", motion.name,
                    1e3 * (extremes.displacement_max_m - extremes.displacement_min_m), extremes.velocity_peak_m_s,
                    extremes.acceleration_peak_m_s2);
    }
    std::printf("%-22s %8s  %-22s %11s %10s %11s %10s %10s\n", "table", "payload", "motion", "peak error", "NRMSE",
                "amplitude", "frequency", "spectrum");
    struct Named {
        const char* name;
        TablePreset preset;
        int passes;  ///< of drive iteration
    };
    int beyond_limits = 0;
    for (const Named& kind :
         {Named{"stage", hil::sim_table::stage_preset(), 3}, {"worn", hil::sim_table::worn_preset(), 5}})
        for (const double payload_kg : {5.0, 60.0})
            for (const Case& motion : motions) {
                const auto target = controller::place(motion.motion, true);
                const WantedMotion wanted = wanted_motion(target);
                const auto able = able_to_stop(machine, payload_kg);
                Iterated preset(kind.passes), drawn(kind.passes);
                preset.add(able, kind.preset, payload_kg, motion, target, wanted);
                for (int seed = 1; seed <= tables; ++seed)
                    drawn.add(able, drawn_around(kind.preset, static_cast<std::uint64_t>(seed)), payload_kg, motion,
                              target, wanted);
                for (std::size_t k = 0; k < drawn.after.size(); ++k) {
                    const std::string name = std::string(kind.name) + ", " + std::to_string(k) + " passes";
                    print(name.c_str(), payload_kg, motion, preset.after[k]);
                    print(("  worst of " + std::to_string(tables)).c_str(), payload_kg, motion, drawn.after[k]);
                }
                beyond_limits += preset.beyond_limits + drawn.beyond_limits;
                std::fflush(stdout);
            }
    std::printf("corrected drives beyond a limit: %d\n", beyond_limits);
    print_double_constant(machine);
}
