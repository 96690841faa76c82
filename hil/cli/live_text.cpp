#include "hil/cli/live_text.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "firmware_iface/fault.hpp"
#include "hil/text/rounded.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::cli {
namespace {

using run_log::EventKind;
using text::rounded;

constexpr const char* kDone = "done";

/// What the table does from this event on; null: as before.
const char* phase_from(EventKind kind) noexcept {
    switch (kind) {
        case EventKind::recording_start: return "waiting";
        case EventKind::positioning_start: return "positioning";
        case EventKind::motion_start: return "MOTION";
        case EventKind::motion_done: return "recording";
        case EventKind::recording_end: return "recorded";
        case EventKind::return_start: return "returning";
        case EventKind::return_done: return kDone;
        case EventKind::stop_requested:
        case EventKind::fault:
        case EventKind::link_lost: return "STOPPED";
        case EventKind::settled:
        case EventKind::remark:
        case EventKind::clock_jump:
        case EventKind::time_skip:
        case EventKind::recording_cut:
        case EventKind::protective_ending: return nullptr;
    }
    return nullptr;
}

std::string forecast_text(const run_log::PredictionRecord& record) {
    const std::string word(name(solver::outcome_of_code(record.outcome)));
    const run_log::Forecast& forecast = record.forecast;
    const double age_ms = 1e-3 * static_cast<double>(record.age_us);
    if (forecast.members == 0 || record.outcome >= forecast.probability.size())
        return fmt::format("{} ({:.0f} ms old)", word, age_ms);
    return fmt::format("{:.0f} % {} ({:.0f} ms old)", 100.0 * forecast.probability[record.outcome], word, age_ms);
}

}  // namespace

std::string LiveText::take(const std::string& topic, std::span<const std::uint8_t> data) {
    run_log::RunData run;
    if (!codec_.decode(topic, data, run).empty()) return {};
    if (!run.feedback.empty()) {
        feedback_ = run.feedback.front();
        measured_ = run_log::measured_si(data);
    }
    for (const run_log::PredictionRecord& record : run.predictions) {
        if (record.specimen >= firmware_iface::kRotationSensorsMax) continue;
        if (forecasts_.size() <= record.specimen) forecasts_.resize(record.specimen + 1);
        forecasts_[record.specimen] = record;
    }
    return run.events.empty() ? std::string() : take_event(run.events.front());
}

std::string LiveText::take_event(const run_log::EventRecord& event) {
    if (event.kind == EventKind::recording_start) {
        motion_start_us_.reset();
        forecasts_.clear();
    }
    if (event.kind == EventKind::motion_start) motion_start_us_ = event.device_time_us;
    if (const char* phase = phase_from(event.kind)) phase_ = phase;
    const std::string what = event.text.empty() ? "" : ": " + event.text;
    if (!motion_start_us_) return fmt::format("{}{}", name(event.kind), what);
    const auto since_us = static_cast<std::int64_t>(event.device_time_us - *motion_start_us_);
    return fmt::format("{} at t = {:+.2f} s{}", name(event.kind), 1e-6 * static_cast<double>(since_us), what);
}

std::string LiveText::line() const {
    if (!feedback_ || phase_ == kDone) return {};
    std::string text = fmt::format("{:>11}", phase_.empty() ? name(feedback_->state) : std::string_view(phase_));
    if (motion_start_us_) {
        const auto since_us = static_cast<std::int64_t>(feedback_->device_time_us - *motion_start_us_);
        text += fmt::format("  t = {:+7.2f} s", rounded(1e-6 * static_cast<double>(since_us), 2));
    }
    if (feedback_->fault_code != 0)
        text += fmt::format("  fault {}", name(static_cast<firmware_iface::FaultCode>(feedback_->fault_code)));
    for (std::size_t i = 0; i < measured_.position_m.size(); ++i)
        text += fmt::format("{}{:+8.4f} m", i == 0 ? "  platen " : ", y ", rounded(measured_.position_m[i], 4));
    if (!measured_.acceleration_m_s2.empty())
        text += fmt::format("  {:+6.2f} m/s2", rounded(measured_.acceleration_m_s2.front(), 2));
    for (std::size_t i = 0; i < feedback_->rotation_count; ++i)
        text += fmt::format("{}{:+.3f}", i == 0 ? "  rotation " : " ", rounded(feedback_->rotation_rad[i], 3));
    if (feedback_->rotation_count > 0) text += " rad";
    for (std::size_t i = 0; i < forecasts_.size(); ++i)
        text += (i == 0 ? "  forecast " : "; ") + forecast_text(forecasts_[i]);
    return text;
}

}  // namespace topple::hil::cli
