#include "hil/compare/conclusion_remarks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "firmware_iface/transport/latency.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kImportedRest_s = 0.2;

// Not of a jump that the regression of the two clocks has found as well.
void collect_time_skips(Conclusion& c) {
    constexpr double kSameInstant_s = 0.5;
    std::vector<const run_log::EventRecord*> skips;
    for (const run_log::EventRecord& event : c.events) {
        const double time_s = seconds_from(c.origin_us, event.device_time_us);
        const auto same = [&](const firmware_iface::ClockJump& jump) {
            return std::abs(seconds_from(c.origin_us, jump.device_time_us) - time_s) < kSameInstant_s;
        };
        const bool known =
            c.timing.clock && std::any_of(c.timing.clock->jumps.begin(), c.timing.clock->jumps.end(), same);
        const bool inside = time_s >= c.window.start_s && time_s <= c.window.end_s;
        if (event.kind == run_log::EventKind::time_skip && inside && !known) skips.push_back(&event);
    }
    if (skips.empty()) return;
    c.remarks.push_back(
        fmt::format("the device's time skipped {} at t = {:.3f} s{} though no frame was lost: its clock stepped, and "
                    "with it the setpoint, or its loop stood still, or it sends fewer frames than it declares",
                    skips.front()->text, seconds_from(c.origin_us, skips.front()->device_time_us),
                    skips.size() > 1 ? fmt::format(" (and {} times more)", skips.size() - 1) : ""));
}

void collect_timing_remarks(Conclusion& c) {
    const TimingStatistics& t = c.timing;
    if (t.round_trip_us && t.feedback_period_us.p50 > 0.0 &&
        *t.round_trip_us > firmware_iface::kRoundTripMax_periods * t.feedback_period_us.p50)
        c.remarks.push_back(
            fmt::format("the link was slow: the round trip took {:.1f} ms, longer than two feedback "
                        "periods; a stop and the forecast were late by that time",
                        1e-3 * *t.round_trip_us));
    if (!t.clock) return;
    for (const firmware_iface::ClockJump& jump : t.clock->jumps)
        c.remarks.push_back(
            fmt::format("the device's clock jumped by {:+.1f} ms at t = {:.3f} s: its times do not "
                        "measure durations across that instant",
                        1e3 * jump.step_s, seconds_from(c.origin_us, jump.device_time_us)));
    if (t.clock->drifting)
        c.remarks.push_back(
            fmt::format("the device's clock is {:+.0f} ppm (±{:.0f}) fast against the host's, "
                        "at most {:.0f} is plausible: frequencies are wrong by that much",
                        t.clock->skew_ppm, t.clock->skew_bound_ppm, t.clock->skew_limit_ppm));
}

void collect_trigger_remarks(Conclusion& c) {
    if (!c.trigger.asked) return;
    if (!c.trigger.rose_at_s) {
        c.remarks.push_back(
            "the trigger output was asked for, but this log does not show it rise: what waited for it was not started");
        return;
    }
    const double period_s = 1e-6 * c.timing.feedback_period_us.p50;
    if (std::abs(*c.trigger.rose_at_s) > 1.5 * period_s)
        c.remarks.push_back(
            fmt::format("the trigger output rose at t = {:+.3f} s and not with the first setpoint: shift what it "
                        "started by that time",
                        *c.trigger.rose_at_s));
}

void collect_motion_remarks(Conclusion& c) {
    if (c.protective_ending)
        c.remarks.push_back(fmt::format(
            "the motion left the plan at t = {:.3f} s to protect the specimens: {}; the blind prediction is "
            "not judged",
            c.protective_ending->from_s, c.protective_ending->text));
    else if (c.protection_wanted_s)
        c.remarks.push_back(fmt::format(
            "P(overturning) exceeded [table] protect = {:g} at t = {:.3f} s; no other end of the motion was taken: {}",
            *c.experiment.table.protect, *c.protection_wanted_s,
            *c.protection_wanted_s < c.window.motion_end_s
                ? "none raised P(standing) by 0.5, or it would have come too late"
                : "the motion was over"));
    const IdentifiedExcitation& i = c.identified;
    if (i.above_bandwidth)
        c.remarks.push_back("amplitude and frequency are not identified: " + i.why_not);
    else if (i.unseen_ratio > kUnseenWorthARemark_ratio)
        c.remarks.push_back(
            fmt::format("{:.0f} % of the planned acceleration (of its mean square) is above the {:.0f} Hz that the "
                        "measurement of the platen shows: neither the achieved acceleration nor the prediction "
                        "from it contains that part",
                        100.0 * i.unseen_ratio, c.motion.bandwidth_hz));
    if (c.imported && c.motion.rest_end_s - c.motion.rest_start_s < kImportedRest_s)
        c.remarks.push_back(fmt::format(
            "the file has only {:.2f} s of rest before the motion, {} s are required: the zero of the platen and "
            "the sensors, and the sensors' noise, are not known",
            c.motion.rest_end_s - c.motion.rest_start_s, kImportedRest_s));
    if (c.identified.sign_reversed)
        c.remarks.insert(c.remarks.begin(),
                         fmt::format("sign reversed: the platen moved opposite to the planned motion "
                                     "(correlation {:.2f}); check axis, wiring and encoder_sign",
                                     c.identified.correlation));
    if (c.identified.double_constant)
        c.remarks.push_back(
            fmt::format("double constant: the peaks of the achieved acceleration are flattened (third harmonic "
                        "{:.0f} %): the actuator was at its limit",
                        100.0 * *c.identified.third_harmonic_ratio));
}

/// A foot that is at rest on another face than it stood on, or than the prediction says.
void collect_resting_remarks(Conclusion& c) {
    for (std::size_t i = 0; i < c.specimens.size(); ++i) {
        const SpecimenConclusion& s = c.specimens[i];
        if (!s.specimen.foot || !s.measured.resting_face) continue;
        const std::size_t seen = *s.measured.resting_face, stood = solver::standing_face(*s.specimen.foot);
        if (seen != stood)
            c.remarks.push_back(
                fmt::format("specimen {} is at rest on face {} and no longer stands on face {}: set it up again before "
                            "the next test",
                            i, seen, stood));
        if (const auto expected = s.achieved.prediction.resting_face; expected && *expected != seen)
            c.remarks.push_back(fmt::format(
                "specimen {} is at rest on face {}; the prediction from the achieved motion ends on face {}", i, seen,
                *expected));
    }
}

}  // namespace

void add_remarks(Conclusion& c) {
    collect_motion_remarks(c);
    collect_timing_remarks(c);
    collect_time_skips(c);
    collect_trigger_remarks(c);
    for (const std::string& remark : c.motion.remarks) c.remarks.push_back(remark);
    for (const SpecimenConclusion& specimen : c.specimens)
        for (const std::string& remark : specimen.measured.remarks) c.remarks.push_back(remark);
    collect_resting_remarks(c);
    for (std::size_t i = 0; i < c.specimens.size(); ++i)
        if (const auto& peaks = c.specimens[i].achieved_peaks)
            if (std::string remark = experiment::plane_remark(*peaks, i); !remark.empty())
                c.remarks.push_back(std::move(remark));
    for (const std::string& remark : c.experiment.excitation.remarks) c.remarks.push_back(remark);
    if (c.experiment.excitation_y)
        for (const std::string& remark : c.experiment.excitation_y->remarks) c.remarks.push_back("axis y: " + remark);
    if (const auto& prior = c.experiment.uncertainty.prior)
        c.remarks.push_back("the ensembles are drawn from what was learned before: " + experiment::prior_words(*prior));
    if (c.experiment.specimens.empty()) return;
    const double threshold_m_s2 = experiment::uplift_threshold_m_s2(c.experiment);
    if (c.motion.rest_noise_m_s2 > 0.5 * threshold_m_s2)
        c.remarks.push_back(
            fmt::format("the achieved acceleration at rest reaches {:.2f} m/s2, more than half of the uplift "
                        "threshold {:.2f} m/s2: predictions from it cannot be trusted",
                        c.motion.rest_noise_m_s2, threshold_m_s2));
}

}  // namespace topple::hil::compare
