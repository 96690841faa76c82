// The script of one test on the table: position, rest, move, record until settled, return.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "hil/drive/consent_gate.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/drive/tick.hpp"

namespace topple::hil::drive {

/// How a test ended.
struct DriveResult {
    bool complete = false;  ///< the whole motion was made and recorded, to its end or to the operator's wish
    bool moved = false;     ///< any motion has been commanded
    controller::StopReason reason = controller::StopReason::none;
    std::uint32_t fault_code = 0;  ///< of the device
    std::string text;              ///< for the operator if not complete, or if the table did not return
    bool shortened = false;        ///< after the motion the operator ended the recording before everything rested
};

/// Runs in the thread that ticks. Commands that wait for an answer are sent only while the platen holds.
class MotionDriver {
  public:
    /// `gate`: null if no consent is needed (simulated table, --yes).
    MotionDriver(const DriveParts& parts, const firmware_iface::MachineDescription& machine, const RunPlan& plan,
                 ConsentGate* gate);

    /// Never throws; whatever happens the table gets a stop command and the reason is kept.
    /// `thread_setup`: how the calling thread is scheduled, for the log; empty on a virtual clock.
    void run(const std::string& thread_setup = {}) noexcept;
    /// How run() ended, in words. Not while it ticks.
    DriveResult result() const;
    DriveStatus status() const noexcept { return tick_.status(); }
    /// What led to a stop or fault. Read after run().
    const FlightRecorder& flight() const noexcept { return tick_.flight(); }

  private:
    enum class Moved { done, declined, failed };
    void script(run_log::EventRecord& thread_setup);
    bool hold(double duration_s);
    bool hold_until_recorded();
    Moved move(const std::vector<controller::Profile>& axes, ConsentGate::Motion which);
    std::vector<controller::Profile> positioning_to(double x_m, double y_m) const;
    bool is_at(double x_m, double y_m) const noexcept;
    bool accelerometers_are_sound();
    bool consented(ConsentGate::Motion which);
    bool wait_until_armed();
    bool begin(controller::Supervisor& supervisor, std::uint64_t start_us, ConsentGate::Motion which);
    bool follow(controller::Supervisor& supervisor, ConsentGate::Motion which);
    void hold_after_stop();
    void keep_later_fault() noexcept;
    void go_back();
    const char* why_stay() const noexcept;
    void end_recording();
    bool trouble();
    bool something_failed();
    void fail(controller::StopReason reason, const firmware_iface::Wording& why) noexcept;
    void fail_of_error(const char* what);
    bool is_first_failure(controller::StopReason reason) noexcept;
    run_log::EventKind failure_event() const noexcept;
    void event(run_log::EventKind kind, std::uint64_t device_time_us,
               const firmware_iface::Wording& wording = {}) noexcept;
    firmware_iface::Wording of_the_table(std::string_view what) const noexcept;
    double held_m(std::size_t axis = 0) const noexcept;
    firmware_iface::Nanoseconds silence_max() const noexcept;
    bool listening() const noexcept;
    controller::StopReason why_untrusted() const noexcept;
    controller::StopReason why_silent() const noexcept;

    DriveParts parts_;
    firmware_iface::MachineDescription machine_;
    const RunPlan& plan_;
    ConsentGate* gate_;
    controller::FeedbackWatch hold_watch_;  // while no supervisor looks at the feedback
    Tick tick_;
    bool armed_ = false;
    std::uint64_t motion_start_us_ = 0, motion_end_us_ = 0;  // of the test
    firmware_iface::Wording wording_;                        // the text of the result, if there is one
    std::string error_;                                      // in its place: what a command threw
    DriveResult result_;                                     // without its text
};

}  // namespace topple::hil::drive
