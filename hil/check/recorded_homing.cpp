// A search for the reference that the operator can stop, with all its feedback.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

#include "controller/estimator.hpp"
#include "controller/rt/periodic_loop.hpp"
#include "hil/check/recorded_motion.hpp"
#include "hil/check/recorder.hpp"
#include "hil/drive/require_accepted.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceError;
using firmware_iface::DeviceState;
using firmware_iface::FaultCode;
using firmware_iface::Feedback;

// Of the full stroke, from where it began: a sound search takes half, the device's own bound is 1.1.
constexpr double kTravelMax_ratio = 1.25;
constexpr std::chrono::seconds kHomingMax{60}, kHomingStopMax{3}, kHomingSilenceMax{1};

// Whether a homing still goes on; stops it where it must not.
class HomingWatch {
  public:
    explicit HomingWatch(const CheckedTable& table)
        : table_(table),
          deadline_(table.clock.now() + kHomingMax),
          travel_max_m_(2.0 * kTravelMax_ratio * table.machine.stroke_m) {}

    /// `heard`: all feedback until now; `silence`: since its end. False once ready; DeviceError at every other end.
    bool going(const std::vector<Feedback>& heard, firmware_iface::Nanoseconds silence) {
        if (table_.link.status() != firmware_iface::StreamStatus::open)
            throw DeviceError("connection to " + table_.link.description() + " lost while homing");
        while (looked_at_ < heard.size() && !ended_) look_at(heard[looked_at_++]);
        if (ended_) {
            if (!stopped_because_.empty()) throw DeviceError(stopped_because_);
            const Feedback& last = heard[looked_at_ - 1];
            if (last.state == DeviceState::ready) return false;
            const auto fault = static_cast<FaultCode>(last.fault_code);
            throw DeviceError(fmt::format("homing failed: {}. {}", name(fault), explanation(fault)));
        }
        const bool late = table_.clock.now() > deadline_;
        if (late && !stopped_because_.empty())
            throw DeviceError(stopped_because_ +
                              "; it is not known whether the table came to rest: press the emergency stop");
        if (stopped_because_.empty() && table_.stop_requested.load())
            stop(kStoppedByOperator);
        else if (stopped_because_.empty() && !(travel_m_ <= travel_max_m_))
            stop(fmt::format(
                "the platen travelled {:.3f} m while homing, but the whole stroke is {:.3f} m: it was stopped. Check "
                "the reference switch, and that machine file and encoder agree",
                travel_m_, 2.0 * table_.machine.stroke_m));
        else if (const auto defect = table_.link.feedback_defect();
                 stopped_because_.empty() && defect != firmware_iface::FeedbackDefect::none)
            stop(fmt::format("{}; the homing was stopped", explanation(defect)));
        else if (stopped_because_.empty() && silence > kHomingSilenceMax)
            stop("no feedback for 1 s while homing, a stop was sent: check power and cable");
        else if (late)
            stop("homing did not end within 60 s and was stopped: check the reference switch");
        return true;
    }

  private:
    /// Every one: from a place near the reference the search is over sooner than a busy computer looks again.
    void look_at(const Feedback& feedback) {
        begun_ = begun_ || feedback.state == DeviceState::homing;  // feedback of before may still be under way
        const bool off = feedback.state == DeviceState::faulted || feedback.state == DeviceState::estop;
        ended_ = off || (begun_ && feedback.state != DeviceState::homing && feedback.state != DeviceState::stopping);
        if (feedback.state == DeviceState::homing) measure_travel(feedback);
    }
    /// By encoder and by setpoint, whichever went further. Counts keep their zero until the reference is found.
    void measure_travel(const Feedback& feedback) {
        const firmware_iface::AxisFeedback& axis = feedback.axes[0];
        const double position_m = controller::encoder_position_m(table_.machine, axis.encoder_count);
        if (!from_) from_ = {position_m, axis.setpoint_position_m};
        travel_m_ = std::max(
            {travel_m_, std::abs(position_m - from_->first), std::abs(axis.setpoint_position_m - from_->second)});
    }
    void stop(std::string why) {
        stopped_because_ = std::move(why);
        deadline_ = table_.clock.now() + kHomingStopMax;
        table_.link.stop();
    }

    const CheckedTable& table_;
    firmware_iface::Nanoseconds deadline_;
    std::string stopped_because_;
    double travel_max_m_, travel_m_ = 0.0;
    std::optional<std::pair<double, double>> from_;  // encoder's position and setpoint at the beginning
    std::size_t looked_at_ = 0;
    bool begun_ = false, ended_ = false;
};

}  // namespace

std::vector<Feedback> record_homing(const CheckedTable& table) {
    table.require_going();
    std::vector<Feedback> all;
    const std::uint64_t now_us = table.link.wait_feedback().device_time_us;  // older feedback shows earlier states
    drive::require_accepted(table.link.start_homing(), "home", table.link);
    Recorder recorder(all, table, static_cast<double>((kHomingMax + kHomingStopMax).count()), now_us);
    HomingWatch watch(table);
    controller::PeriodicLoop loop(table.clock, std::chrono::microseconds(table.link.device().feedback_period_us));
    do {
        loop.wait();
        recorder.poll();
        table.link.flush();
    } while (watch.going(all, recorder.silence()));
    return all;
}

}  // namespace topple::hil::check
