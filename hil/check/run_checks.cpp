#include "hil/check/run_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "controller/feasibility.hpp"
#include "firmware_iface/fault.hpp"
#include "hil/check/computer.hpp"
#include "hil/check/link_check.hpp"
#include "hil/check/motion_check.hpp"
#include "hil/check/rest_check.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceError;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;

constexpr int kRoundTrips = 500;
constexpr double kBetweenHomings_m = 0.005;  // to either side of the reference

class TableCheck {
  public:
    TableCheck(const CheckedTable& table, const TableCheckOptions& options, CheckReport& report)
        : table_(table), options_(options), report_(report) {}

    void run() {
        check_link();
        check_at_rest();
        if (!options_.move) return;
        if (const std::string why = against_motion(); !why.empty()) return add(skipped_check("motion.all", why));
        options_.consent(motions());
        report_.moved = true;
        move();
    }

  private:
    void add(CheckResult result) {
        if (options_.on_result) options_.on_result(result);
        report_.results.push_back(std::move(result));
    }
    void add(std::vector<CheckResult> results) {
        for (CheckResult& result : results) add(std::move(result));
    }
    void say(const std::string& text) const {
        if (options_.on_progress) options_.on_progress(text);
    }
    bool failed(std::string_view group) const {
        return std::any_of(report_.results.begin(), report_.results.end(), [&](const CheckResult& result) {
            return result.verdict == Verdict::fail && result.name.starts_with(group);
        });
    }

    void check_link() {
        add(judge_protocol(table_.link.device()));
        say(fmt::format("{} exchanges, then {:g} s of feedback", kRoundTrips, options_.listen_s));
        const RoundTrips trips = ask(table_, kRoundTrips);
        round_trip_ms_ = quantile(trips.answered_ms, 0.99);
        add(judge_round_trips(trips.answered_ms, table_.period_ms()));
        add(judge_answers(trips));
        add(check_latency_timer(table_.link.description()));
        observed_ = observe(table_, options_.listen_s);
        if (observed_.feedback.size() < 2) throw DeviceError("too little feedback to assess the link");
        LinkFindings found = judge_feedback(observed_, table_.link.device().feedback_period_us, round_trip_ms_);
        report_.latency = std::move(found.latency);
        add(std::move(found.results));
    }

    void check_at_rest() {
        state_ = observed_.feedback.back().state;
        add(judge_state(observed_.feedback.back()));
        add(judge_agreement(table_.link.device(), table_.machine));
        add(judge_sensors_at_rest(observed_.feedback, table_.machine));
    }

    // ---- with motion ----
    std::string against_motion() const {
        if (failed("link.") || failed("table.")) return "nothing moves until the failures above are corrected";
        if (table_.link.device().axes.empty()) return "no axis";
        const auto effective = controller::tightened(table_.machine, table_.link.device().axes.front());
        if (effective.stroke_m < kMoveMax_m + controller::kStrokeMargin_m)
            return "the stroke is too short for the moves";
        return "";
    }

    std::string motions() const {
        const bool homing = options_.homings > 0 || state_ == DeviceState::idle;
        return fmt::format(
            "gentle moves of at most {:.0f} mm ({} m/s, {} m/s2) towards the middle, one stop and one silence "
            "of the host during a move, whose faults are cleared again{}. No specimen may stand on the platen",
            1e3 * kMoveMax_m, kGentleVelocity_m_s, kGentleAcceleration_m_s2,
            homing ? fmt::format(", and {} slow search(es) for the reference over up to the whole stroke",
                                 std::max(options_.homings, 1))
                   : "");
    }

    void move() {
        const auto effective = controller::tightened(table_.machine, table_.link.device().axes.front());
        const CheckedTable table{table_.link, table_.clock, effective, table_.stop_requested};
        const bool homed = state_ != DeviceState::idle;
        if (!homed) {
            say("homing");
            record_homing(table);
        }
        move_there_and_back(table);
        if (!failed("motion.")) stop_on_the_way(table);
        if (!failed("motion.")) fall_silent_on_the_way(table);
        if (!failed("motion."))
            home_again(table, homed);
        else
            add(skipped_check("motion.rest", "nothing moves until the failures above are corrected"));
    }

    void move_there_and_back(const CheckedTable& table) {
        const double from_m = here_m();
        say(fmt::format("gentle moves; the first one goes to {}: watch whether the platen does",
                        from_m > 0.0 ? "the left (-x)" : "the right (+x)"));
        const RecordedMotion moved = record_motion(table, shuttle(table, from_m));
        require_done(moved);
        add(judge_shuttle(moved, table));
    }

    void stop_on_the_way(const CheckedTable& table) {
        say("a stop in the middle of a move");
        const RecordedMotion stopped = record_motion(table, move_and_stop(here_m()));
        add(judge_stop(stopped, table));
        clear_own_fault(table, FaultCode::operator_stop);
    }

    void fall_silent_on_the_way(const CheckedTable& table) {
        say("the host stays silent in the middle of a move");
        const RecordedMotion silent = record_motion(table, move_and_fall_silent(here_m()));
        add(judge_watchdog(silent, table, round_trip_ms_));
        const bool stopped_by_us = silent.fault_code == static_cast<std::uint32_t>(FaultCode::operator_stop);
        clear_own_fault(table, stopped_by_us ? FaultCode::operator_stop : FaultCode::host_lost);
    }

    void home_again(const CheckedTable& table, bool known_before) {
        std::vector<double> shifts_m;
        for (int i = 0; i < options_.homings; ++i) {
            say(fmt::format("homing {} of {}", i + 1, options_.homings));
            shifts_m.push_back(reference_shift_m(record_homing(table)));
            const double to_m = i % 2 == 0 ? kBetweenHomings_m : -kBetweenHomings_m;
            if (i + 1 < options_.homings)
                require_done(record_motion(
                    table, {solver::rest_to_rest(to_m - here_m(), kGentleVelocity_m_s, kGentleAcceleration_m_s2)}));
        }
        if (options_.homings > 0) add(judge_homings(shifts_m, known_before));
    }

    double here_m() { return table_.link.wait_feedback().axes[0].setpoint_position_m; }

    void require_done(const RecordedMotion& moved) const {
        if (moved.ended != controller::SupervisorState::done)
            throw DeviceError("a gentle move did not end as planned: " + moved.text +
                              ". A fault stays latched: `topple table state`");
    }

    const CheckedTable& table_;
    const TableCheckOptions& options_;
    CheckReport& report_;
    ObservedFeedback observed_;
    DeviceState state_ = DeviceState::idle;
    double round_trip_ms_ = 0.0;
};

/// A table left armed would take the host's leaving for a loss.
void leave(const CheckedTable& table) noexcept {
    try {
        if (table.link.status() == firmware_iface::StreamStatus::open) table.link.disarm();
    } catch (const DeviceError&) {
    }
}

}  // namespace

void check_table(const CheckedTable& table, const TableCheckOptions& options, CheckReport& report) {
    report.device = table.link.device();
    try {
        TableCheck(table, options, report).run();
    } catch (const DeviceError& error) {
        leave(table);
        CheckResult ended = worded_check("table.session", Verdict::fail, "ended early", error.what());
        if (options.on_result) options.on_result(ended);
        report.results.push_back(std::move(ended));
    }
}

}  // namespace topple::hil::check
