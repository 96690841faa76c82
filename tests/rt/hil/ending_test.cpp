// However a test ends, the thread that ticks takes nothing from the heap on its way there.
#include <sys/resource.h>

#include <csignal>
#include <optional>
#include <thread>

#include "tests/support/catch.hpp"
#include "tests/support/driven_run.hpp"
#include "tests/support/heap_counter.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/spoilt_feedback.hpp"
#include "tests/support/spoilt_setpoints.hpp"

using namespace topple;
using namespace topple::tests;
using namespace topple::test;
using namespace std::chrono_literals;
using controller::StopReason;

namespace {

/// At rest: while the table holds before the motion. In motion: in its first half, above 0.06 m/s.
enum class When { at_rest, in_motion };

constexpr std::uint64_t kCountBefore_us = 50'000;  // so long before the cause the counting begins
constexpr double kTestSpeed_m_s = 0.06;            // no gentle move reaches it

/// What brings the end about, and the reason that the host then gives; none: the test goes on, and the operator ends
/// its recording.
struct Cause {
    const char* label;
    const char* script = "";  ///< body of a [[fault]] table of the simulated table
    /// Of feedback on its way, since the cause.
    Spoilt (*spoil)(Feedback&, std::uint64_t since_us) = nullptr;
    /// Of setpoints on their way, the same. False: they are lost, and a sign of life comes in their place.
    bool (*setpoint)(Setpoint&) = nullptr;
    void (*host)(DrivenRun&) = nullptr;  ///< what befalls the host, once
    Nanoseconds stall{0};                ///< the host sleeps so much longer, once
    StopReason reason = StopReason::device_fault;
    const char* says = "";  ///< a part of the operator's text
    bool at_rest = true;    ///< has a meaning there too
};

constexpr std::uint64_t kHour_us = 3'600'000'000;

Spoilt one_stamp_an_hour_ahead(Feedback& feedback, std::uint64_t since_us) {
    if (since_us < 2000) feedback.device_time_us += kHour_us;
    return Spoilt::no;
}
Spoilt time_goes_back(Feedback& feedback, std::uint64_t) {
    feedback.device_time_us -= 1'500'000;
    return Spoilt::no;
}
Spoilt time_stands(Feedback& feedback, std::uint64_t since_us) {
    feedback.device_time_us -= since_us;
    return Spoilt::no;
}
Spoilt count_jumps(Feedback& feedback, std::uint64_t) {
    feedback.axes[0].encoder_count += 50'000;
    return Spoilt::no;
}
Spoilt another_setpoint(Feedback& feedback, std::uint64_t) {
    feedback.axes[0].setpoint_position_m += 5e-4;
    return Spoilt::no;
}
Spoilt far_from_the_setpoint(Feedback& feedback, std::uint64_t) {
    feedback.axes[0].setpoint_position_m += 0.05;
    return Spoilt::no;
}
Spoilt beyond_the_stroke(Feedback& feedback, std::uint64_t) {
    feedback.axes[0].setpoint_position_m = 0.2;
    return Spoilt::no;
}
Spoilt not_a_number(Feedback& feedback, std::uint64_t) {
    if (feedback.axes[0].setpoint_position_m == 0.0) feedback.axes[0].setpoint_position_m = 1e-9;
    return Spoilt::not_a_number;
}
Spoilt unknown_state(Feedback&, std::uint64_t) { return Spoilt::unknown_state; }
Spoilt leaves_the_motion(Feedback& feedback, std::uint64_t) {
    feedback.state = DeviceState::ready;
    return Spoilt::no;
}

bool jumps(Setpoint& setpoint) {  // a second one for the time of the one before, elsewhere
    setpoint.device_time_us -= 2000;
    setpoint.axes[0].position_m += 0.005;
    return true;
}
bool is_lost(Setpoint&) { return false; }

void operator_stops(DrivenRun& test) { test.stop_requested().store(true); }
void clock_steps_on(DrivenRun& test) { test.clock().device_step += 30ms; }
void disk_fills_up(DrivenRun&) {
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    limit.rlim_cur = 1;
    ::setrlimit(RLIMIT_FSIZE, &limit);
}

std::vector<Cause> causes() {
    using R = StopReason;
    return {
        {.label = "the operator", .host = operator_stops, .reason = R::operator_stop},
        {.label = "the operator, after the motion", .reason = R::none, .at_rest = false},
        {.label = "a full disk", .host = disk_fills_up, .reason = R::log_failure},
        // what the device finds out
        {.label = "drive fault", .script = "kind = \"drive_fault\"\n", .says = "drive_fault"},
        {.label = "limit switch", .script = "kind = \"limit_switch\"\n", .says = "limit_switch"},
        {.label = "emergency stop", .script = "kind = \"emergency_stop\"\n", .says = "emergency_stop"},
        {.label = "accelerometer NaN", .script = "kind = \"accelerometer_nan\"\n", .says = "not_finite"},
        {.label = "encoder slips", .script = "kind = \"encoder_slip\"\n", .says = "encoder_implausible"},
        {.label = "encoder stuck",
         .script = "kind = \"encoder_stuck\"\n",
         .says = "encoder_implausible",
         .at_rest = false},
        {.label = "drive without force",
         .script = "kind = \"drive_saturation\"\nforce_ratio = 0.0\n",
         .says = "following_error",
         .at_rest = false},
        {.label = "device stalls", .script = "kind = \"device_stall\"\n", .says = "watchdog"},
        {.label = "setpoint jump", .setpoint = jumps, .says = "setpoint_jump", .at_rest = false},
        {.label = "underrun", .setpoint = is_lost, .says = "queue_underrun", .at_rest = false},
        {.label = "a host that stalls", .stall = 60ms, .says = "host_lost", .at_rest = false},
        // what the host finds out
        {.label = "device restarts", .script = "kind = \"device_reboot\"\n", .reason = R::link_lost},
        {.label = "silence", .script = "kind = \"wire_stall\"\n", .reason = R::link_lost},
        {.label = "unplugged", .script = "kind = \"wire_unplug\"\n", .reason = R::link_closed},
        {.label = "NaN", .spoil = not_a_number, .reason = R::not_finite},
        {.label = "unknown state", .spoil = unknown_state, .reason = R::feedback_unreadable},
        {.label = "one stamp an hour ahead", .spoil = one_stamp_an_hour_ahead, .reason = R::clock_implausible},
        {.label = "time goes back", .spoil = time_goes_back, .reason = R::feedback_implausible},
        {.label = "time stands", .spoil = time_stands, .reason = R::clock_implausible},
        {.label = "count jumps", .spoil = count_jumps, .reason = R::feedback_implausible},
        {.label = "another setpoint", .spoil = another_setpoint, .reason = R::setpoint_differs, .at_rest = false},
        {.label = "far from the setpoint", .spoil = far_from_the_setpoint, .reason = R::following_error},
        {.label = "beyond the stroke", .spoil = beyond_the_stroke, .reason = R::position_limit},
        {.label = "leaves the motion", .spoil = leaves_the_motion, .reason = R::device_state, .at_rest = false},
        // what is noted, and no more
        {.label = "the device's clock steps", .host = clock_steps_on, .reason = R::none, .at_rest = false},
        {.label = "damaged frames",
         .script = "kind = \"wire_corrupt\"\nshare = 0.2\nfor_s = 0.06\n",
         .reason = R::none,
         .at_rest = false},
    };
}

/// The disk that a cause has filled is empty again.
class DiskRestored {
  public:
    DiskRestored() : handler_(std::signal(SIGXFSZ, SIG_IGN)) { ::getrlimit(RLIMIT_FSIZE, &before_); }
    ~DiskRestored() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

  private:
    void (*handler_)(int);
    rlimit before_{};
};

std::string script_of(const Cause& cause, When when) {
    if (*cause.script == '\0') return {};
    return std::string("[[fault]]\n") + cause.script +
           (when == When::in_motion ? "at = \"motion\"\nafter_s = 0.1\n"
                                    : "at = \"armed\"\noccurrence = 2\nafter_s = 0.3\n");
}

/// One test on a simulated table up to its end by `cause`, and what its thread took from the heap around it.
class Run {
  public:
    Run(const Cause& cause, When when) : cause_(cause), when_(when) {
        const DiskRestored restored;
        const std::string script = script_of(cause, when);
        hil::sim_table::SimulatedTableOptions options;
        options.mechanics.reset();  // the ideal table: every cause leads to its own ending, whatever the friction
        if (!script.empty()) options.faults = hil::sim_table::parse_fault_script(script, "causes");
        const auto file = std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml";
        const auto wire = [this](std::unique_ptr<ByteStream> host) -> std::unique_ptr<ByteStream> {
            auto spoilt = std::make_unique<SpoiltFeedback>(std::move(host), [this](Feedback& f) { return spoil(f); });
            std::function<bool(Setpoint&)> change;
            if (cause_.setpoint != nullptr)
                change = [this](Setpoint& s) {
                    return !moment_us_ || s.device_time_us < *moment_us_ || cause_.setpoint(s);
                };
            return std::make_unique<SpoiltSetpoints>(std::move(spoilt), apart_, std::move(change));
        };
        DrivenRun test(hil::experiment::read_experiment(file), folder_.path(), options, wire, DrivenRun::Host::threads);
        test.clock().oversleep = [&](std::uint64_t) { return asleep(test); };
        test.clock().woken = [this] { apart_ += heap_allocations_of_this_thread() - asleep_; };
        test.driven = [this] { allocations = host_allocations() - before_; };
        result = test.run();
        caused = moment_us_.has_value();
    }

    hil::drive::DriveResult result;
    bool caused = false;
    std::uint64_t allocations = 0;

  private:
    std::uint64_t host_allocations() const { return heap_allocations_of_this_thread() - apart_; }

    Spoilt spoil(Feedback& feedback) {
        if (cause_.spoil == nullptr || !moment_us_ || feedback.device_time_us < *moment_us_) return Spoilt::no;
        return cause_.spoil(feedback, feedback.device_time_us - *moment_us_);
    }

    Nanoseconds asleep(DrivenRun& test) {
        const Nanoseconds longer = look(test);
        asleep_ = heap_allocations_of_this_thread();
        return longer;
    }

    Nanoseconds look(DrivenRun& test) {
        const DeviceCore& core = test.table().core();
        const std::uint64_t now_us = core.feedback().device_time_us;
        if (!moment_us_ && at_the_place(core)) {
            moment_us_ = (now_us + kCountBefore_us) / 2000 * 2000;  // a feedback's
            before_ = host_allocations();
        }
        if (!moment_us_ || now_us < *moment_us_) return 0ns;
        if (cause_.reason == StopReason::none && now_us > *moment_us_ + 2'000'000) test.stop_requested().store(true);
        if (cause_.host == disk_fills_up) std::this_thread::sleep_for(1ms);  // the log's threads live on the wall clock
        if (std::exchange(done_, true)) return 0ns;
        if (cause_.host != nullptr) cause_.host(test);
        return cause_.stall;
    }

    bool at_the_place(const DeviceCore& core) {
        if (when_ == When::in_motion) return core.feedback().axes[0].setpoint_velocity_m_s > kTestSpeed_m_s;
        const bool armed = core.state() == DeviceState::armed;
        armed_count_ += armed && !was_armed_ ? 1 : 0;
        was_armed_ = armed;
        return armed_count_ == 2;
    }

    const Cause& cause_;
    When when_;
    TemporaryFolder folder_;
    std::optional<std::uint64_t> moment_us_;  // device time of the cause
    bool done_ = false, was_armed_ = false;
    int armed_count_ = 0;
    std::uint64_t apart_ = 0, asleep_ = 0, before_ = 0;  // allocations: of table and wire; before this sleep; at first
};

}  // namespace

TEST_CASE("however a test ends, its ticking thread takes nothing from the heap on the way there") {
    for (const Cause& cause : causes())
        for (const When when : {When::at_rest, When::in_motion}) {
            if (when == When::at_rest && !cause.at_rest) continue;
            const Run run(cause, when);
            INFO(cause.label << (when == When::at_rest ? ", at rest: " : ", in motion: ") << run.result.text);
            CHECK(run.caused);
            CHECK(run.result.reason == cause.reason);
            CHECK_THAT(run.result.text, Catch::Matchers::ContainsSubstring(cause.says));
            CHECK(run.allocations == 0);
        }
}
