#include "hil/cli/run_ending.hpp"

#include <fmt/format.h>

#include "firmware_iface/fault.hpp"
#include "hil/cli/device_hint.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using controller::StopReason;
using drive::DrivenExperiment;

std::string without_full_stop(std::string sentence) {
    while (sentence.ends_with('.')) sentence.pop_back();
    return sentence;
}

// Where to look for what led to a stop or fault.
std::string flight_text(const DrivenExperiment& result) {
    std::string text;
    for (const std::string& name : result.flight.names)
        text += fmt::format("{}{}", text.empty() ? "; the last ticks before it: " : ", ", name);
    if (!result.flight.failure.empty()) text += "; the flight recorder could not be written: " + result.flight.failure;
    return text;
}

std::string log_text(const DrivenExperiment& result, const std::string& folder) {
    if (!result.log_failure.empty()) return fmt::format("{}: the log is incomplete: {}", folder, result.log_failure);
    return "the log is complete and closed: " + folder;
}

std::string stop_text(const drive::DriveResult& drive, const RunEnding& ending) {
    if (drive.reason == StopReason::operator_stop && !ending.stop_signal.empty())
        return "stopped by " + ending.stop_signal;
    return without_full_stop(with_device(drive.text, ending.device));
}

}  // namespace

void report_ending(const DrivenExperiment& result, const RunEnding& ending) {
    const drive::DriveResult& drive = result.drive;
    if (drive.reason == StopReason::log_failure || (drive.reason == StopReason::none && !result.log_failure.empty()))
        throw files::OutputError(log_text(result, ending.folder) + flight_text(result));
    if (drive.reason != StopReason::none)
        throw firmware_iface::DeviceError(
            fmt::format("{}{}; {}{}", drive.complete ? "the test is complete, but afterwards: " : "",
                        stop_text(drive, ending), log_text(result, ending.folder), flight_text(result)));
    if (!drive.text.empty()) text::tell("topple: {}\n", with_device(drive.text, ending.device));
    if (!ending.figures_missing.empty())
        throw files::OutputError(
            fmt::format("{}: the report has no figures: {}", ending.folder, ending.figures_missing));
}

}  // namespace topple::hil::cli
