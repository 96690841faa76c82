// The last line of a run: which fault, what is missing, and no failure that hides another.
#include "hil/cli/run_ending.hpp"

#include "firmware_iface/fault.hpp"
#include "hil/cli/device_hint.hpp"
#include "hil/cli/progress_line.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
using Catch::Matchers::StartsWith;
using controller::StopReason;

namespace {

hil::drive::DrivenExperiment stopped(StopReason reason, const std::string& text) {
    hil::drive::DrivenExperiment result;
    result.drive.moved = true;
    result.drive.reason = reason;
    result.drive.text = text;
    return result;
}

template <class Error>
std::string thrown(const hil::drive::DrivenExperiment& result, const hil::cli::RunEnding& ending) {
    try {
        hil::cli::report_ending(result, ending);
    } catch (const Error& error) {
        return error.what();
    }
    FAIL("nothing was thrown");
    return {};
}

}  // namespace

TEST_CASE("what is advised at the end of a run names the table in question") {
    CHECK(hil::cli::with_device("`topple table move 0` returns it", "tcp:h:1") ==
          "`topple table move 0 --device tcp:h:1` returns it");
    CHECK(hil::cli::with_device("a `b` and `topple check --move` or `topple table clear --device x`", "serial:y") ==
          "a `b` and `topple check --move --device serial:y` or `topple table clear --device x`");
    CHECK(hil::cli::with_device("`topple table clear`", "sim:") == "`topple table clear`");
    CHECK(hil::cli::with_device("`topple table clear", "tcp:h:1") ==
          "`topple table clear");  // no command: it does not end
    CHECK_THAT(thrown<firmware_iface::DeviceError>(stopped(StopReason::device_fault, "see `topple table state`"),
                                                   {"runs/a", "", "", "tcp:h:1"}),
               ContainsSubstring("`topple table state --device tcp:h:1`"));
}

TEST_CASE("the live line distinguishes predicted from measured, and counts down") {
    hil::drive::DriveStatus status;
    status.phase = hil::drive::DrivePhase::positioning;
    status.time_s = -3.25;
    CHECK_THAT(hil::cli::progress_text(status, {"73 % rocking, 27 % overturning"}), ContainsSubstring("t =   -3.25 s"));
    CHECK(hil::cli::progress_text(status, {"73 % rocking, 27 % overturning"}).find("predicted") == std::string::npos);
    status.forecast.device_time_us = 1;
    status.forecast.specimen_count = 1;
    status.forecast.outcome[0] = static_cast<std::uint32_t>(solver::Outcome::rocking);
    status.forecast.forecast[0].members = 1000;
    status.forecast.forecast[0].probability[static_cast<std::size_t>(solver::Outcome::rocking)] = 0.98;
    status.forecast.block_count[0] = 1;
    status.forecast.rotation_rad[0] = 0.031;
    status.rotation_count = 1;
    status.rotation_rad[0] = -0.0001;
    CHECK_THAT(hil::cli::progress_text(status, {"73 % rocking, 27 % overturning"}),
               ContainsSubstring(
                   "predicted 73 % rocking, 27 % overturning, now 98 % rocking +0.031 rad  measured +0.000 rad"));
}

TEST_CASE("a run without trouble ends without an error") {
    hil::drive::DrivenExperiment result;
    result.drive.complete = true;
    CHECK_NOTHROW(hil::cli::report_ending(result, {"runs/a", "", ""}));
    CHECK(thrown<hil::files::OutputError>(result, {"runs/a", "", "no gnuplot"}) ==
          "runs/a: the report has no figures: no gnuplot");
}

TEST_CASE("a stop names the signal that asked for it, and only that of a stop that was asked for") {
    const auto by_hand = stopped(StopReason::operator_stop, "the operator requested a stop");
    CHECK(thrown<firmware_iface::DeviceError>(by_hand, {"runs/a", "SIGINT", ""}) ==
          "stopped by SIGINT; the log is complete and closed: runs/a");
    const auto declined = stopped(StopReason::operator_stop, "the operator did not consent to the motion");
    CHECK_THAT(thrown<firmware_iface::DeviceError>(declined, {"runs/a", "", ""}),
               StartsWith("the operator did not consent"));
    const auto fault = stopped(StopReason::device_fault, "drive_fault: read its code.");
    CHECK_THAT(thrown<firmware_iface::DeviceError>(fault, {"runs/a", "SIGINT", ""}),
               StartsWith("drive_fault: read its code; "));
}

TEST_CASE("a log that failed besides hides no fault") {
    auto both = stopped(StopReason::device_fault, "drive_fault: read its code.");
    both.log_failure = "no space left";
    const auto text = thrown<firmware_iface::DeviceError>(both, {"runs/a", "", ""});
    CHECK_THAT(text, ContainsSubstring("drive_fault") && ContainsSubstring("the log is incomplete: no space left"));
    auto log_only = stopped(StopReason::log_failure, "no space left");
    log_only.log_failure = "no space left";
    log_only.flight.names = {"flight_1_log_failure.csv"};
    CHECK(thrown<hil::files::OutputError>(log_only, {"runs/a", "", ""}) ==
          "runs/a: the log is incomplete: no space left; the last ticks before it: flight_1_log_failure.csv");
    auto at_the_end = hil::drive::DrivenExperiment{};
    at_the_end.drive.complete = true;
    at_the_end.log_failure = "no space left";
    CHECK_THAT(thrown<hil::files::OutputError>(at_the_end, {"runs/a", "", ""}), ContainsSubstring("incomplete"));
}

TEST_CASE("a table that fails on its way back does not make the test one that ended early") {
    auto result = stopped(StopReason::device_fault, "following_error: look at the load.");
    result.drive.complete = true;
    CHECK_THAT(thrown<firmware_iface::DeviceError>(result, {"runs/a", "", ""}),
               StartsWith("the test is complete, but afterwards: following_error"));
}
