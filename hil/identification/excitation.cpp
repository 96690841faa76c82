#include "hil/identification/excitation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>
#include <tuple>

#include "controller/feasibility.hpp"

namespace topple::hil::identification {
namespace {

constexpr double kPeriod_s = 1.0;
constexpr double kLow_hz = 4.0;
constexpr double kHighShare = 0.3;  // of the feedback rate; what comes back of higher lines is not sampled well
constexpr double kHigh_hz = 150.0;
constexpr int kMultisineMotions = 6;  // there and back: 12 stretches, each with other phases
constexpr int kPeriods = 2;           // evaluated in each
constexpr double kRamp_s = 0.5, kSettle_s = 0.3, kSpeedUp_s = 0.2;
constexpr double kCarrier_m_s2 = 1.2;   // largest acceleration of the carrier alone
constexpr double kVelocityShare = 0.7;  // of the carrier's, at most the multisine's: the speed keeps its sign
constexpr std::array kSpeedShares{0.2, 0.4, 0.7, 1.0};
constexpr double kSpeedMax_m_s = 0.15;
constexpr double kFastestTravels_1_s = 0.9;  // speed over travel: enough of it is left at constant speed
constexpr double kEvaluatedShare = 0.5;      // of the travel, in its middle
constexpr double kVelocityMaxShare = 0.2;

// v 6 s (1 - s) / T: the acceleration that leads from rest to v within T, s = t / T.
solver::MotionPiece speed_up(double start_s, double duration_s, double velocity_m_s) {
    const double peak = 6.0 * velocity_m_s / duration_s;
    return {start_s, start_s + duration_s, {0.0, peak / duration_s, -peak / (duration_s * duration_s)}, {}};
}

/// From rest to rest over travel_m (signed); the way of both ramps together is that of one at full speed.
struct Stroke {
    double speed_up_s, cruise_s, velocity_m_s;

    Stroke(double travel_m, double speed_m_s)
        : speed_up_s(std::max(kSpeedUp_s, 1.5 * speed_m_s / kCarrier_m_s2)),
          cruise_s(std::abs(travel_m) / speed_m_s - speed_up_s),
          velocity_m_s(std::copysign(speed_m_s, travel_m)) {}
    double end_s() const { return 2.0 * speed_up_s + cruise_s; }
    solver::BaseMotion motion() const {
        const double slow_s = speed_up_s + cruise_s;
        return solver::BaseMotion({speed_up(0.0, speed_up_s, velocity_m_s),
                                   {speed_up_s, slow_s, {}, {}},
                                   speed_up(slow_s, speed_up_s, -velocity_m_s)});
    }
};

IdentificationMotion friction_motion(double start_m, double travel_m, double speed_m_s) {
    const Stroke there(travel_m, speed_m_s), back(-travel_m, speed_m_s);
    IdentificationMotion motion;
    motion.carrier = there.motion().then(back.motion());
    motion.profile = {motion.carrier, start_m};
    const double evaluated_s = kEvaluatedShare * travel_m / speed_m_s;
    for (const double from_s : {0.0, there.end_s()}) {
        const double middle_s = from_s + 0.5 * there.end_s();
        motion.stretches.push_back(
            {middle_s - 0.5 * evaluated_s, middle_s + 0.5 * evaluated_s, from_s == 0.0 ? speed_m_s : -speed_m_s});
    }
    return motion;
}

// The multisine begins and ends while the carrier runs at constant speed.
IdentificationMotion multisine_motion(double start_m, const Stroke& there, const Multisine& first,
                                      const Multisine& second) {
    IdentificationMotion motion;
    Stroke back = there;
    back.velocity_m_s = -there.velocity_m_s;
    motion.carrier = there.motion().then(back.motion());
    const double hold_s = kSettle_s + kPeriods * first.period_s;
    solver::BaseMotion sum = motion.carrier;
    for (const auto& [from_s, lines, velocity] :
         {std::tuple(0.0, &first, there.velocity_m_s), std::tuple(there.end_s(), &second, back.velocity_m_s)}) {
        const double begin_s = from_s + there.speed_up_s, evaluated_s = begin_s + kRamp_s + kSettle_s;
        sum = sum.plus(ramped(*lines, kRamp_s, hold_s).shifted(begin_s));
        motion.stretches.push_back({evaluated_s, evaluated_s + kPeriods * lines->period_s, velocity});
    }
    motion.profile = {sum, start_m};
    return motion;
}

// The search of BaseMotion::extremes() takes seconds with so many lines: these bounds do not.
void note_peaks(IdentificationPlan& plan, double speed_m_s, double speed_up_s, const Multisine::Peaks& peaks) {
    const double carrier_m_s2 = 1.5 * speed_m_s / speed_up_s;
    plan.velocity_peak_m_s = std::max(plan.velocity_peak_m_s, speed_m_s + peaks.velocity_m_s);
    plan.acceleration_peak_m_s2 = std::max({plan.acceleration_peak_m_s2, carrier_m_s2, peaks.acceleration_m_s2});
}

}  // namespace

IdentificationPlan plan_identification(const firmware_iface::MachineDescription& machine,
                                       std::uint32_t feedback_period_us, double amplitude_m_s2) {
    const double most_m_s2 = kAmplitudeMaxShare * machine.acceleration_clean_m_s2;
    if (!(amplitude_m_s2 >= kAmplitudeMin_m_s2 && amplitude_m_s2 <= most_m_s2))
        throw std::invalid_argument(
            fmt::format("an amplitude of {} m/s2: between {} and {:.4g} m/s2 (a quarter of acceleration_clean_m_s2) is "
                        "allowed",
                        amplitude_m_s2, kAmplitudeMin_m_s2, most_m_s2));
    IdentificationPlan plan;
    plan.travel_m = 2.0 * kStrokeShare * (machine.stroke_m - controller::kStrokeMargin_m);
    if (!(plan.travel_m >= kTravelMin_m))
        throw std::invalid_argument(
            fmt::format("a stroke of +-{} m leaves a way of {:.4f} m for the identification; {} m are needed",
                        machine.stroke_m, plan.travel_m, kTravelMin_m));
    plan.start_m = -0.5 * plan.travel_m;
    // A period of whole samples, so that no line leaks into another.
    const double period_s = 1e-6 * feedback_period_us;
    plan.period_s = period_s * std::round(kPeriod_s / period_s);

    const double cruise_s = 2.0 * kRamp_s + kSettle_s + kPeriods * plan.period_s;
    const double speed_m_s =
        std::min(plan.travel_m / (cruise_s + kSpeedUp_s), kVelocityMaxShare * machine.velocity_max_m_s);
    const Stroke there(plan.travel_m, speed_m_s);
    for (int i = 0; i < kMultisineMotions; ++i) {
        const auto drawn = [&](int half) {
            const auto seed = static_cast<std::uint64_t>(2 * i + half + 1);
            const Multisine unit =
                drawn_multisine(plan.period_s, kLow_hz, std::min(kHigh_hz, kHighShare / period_s), seed);
            const auto peaks = unit.peaks();
            return unit.scaled(
                std::min(amplitude_m_s2 / peaks.acceleration_m_s2, kVelocityShare * speed_m_s / peaks.velocity_m_s));
        };
        const Multisine first = drawn(0), second = drawn(1);
        plan.frequency_hz = first.frequency_hz;
        plan.multisine.push_back(multisine_motion(plan.start_m, there, first, second));
        for (const Multisine* multisine : {&first, &second})
            note_peaks(plan, speed_m_s, there.speed_up_s, multisine->peaks());
        plan.duration_s += plan.multisine.back().profile.duration_s();
    }
    const double fastest_m_s =
        std::min({kSpeedMax_m_s, kFastestTravels_1_s * plan.travel_m, kVelocityMaxShare * machine.velocity_max_m_s});
    for (const double share : kSpeedShares) {
        plan.strokes.push_back(friction_motion(plan.start_m, plan.travel_m, share * fastest_m_s));
        note_peaks(plan, share * fastest_m_s, Stroke(plan.travel_m, share * fastest_m_s).speed_up_s, {});
        plan.duration_s += plan.strokes.back().profile.duration_s();
    }
    return plan;
}

}  // namespace topple::hil::identification
