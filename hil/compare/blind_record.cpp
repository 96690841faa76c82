#include "hil/compare/blind_record.hpp"

#include <fmt/format.h>

#include "hil/host/host_identity.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::compare {
namespace {

using run_log::EventKind;
using run_log::RunData;

/// Unix time of t = 0, ms; empty if the log has no clock or the motion did not begin.
std::optional<std::int64_t> motion_unix_ms(const RunData& run) {
    const auto anchor = run.clock.find("wall_clock_anchor_ns");
    const auto start_us = run.event_time_us(EventKind::motion_start);
    if (anchor == run.clock.end() || !start_us || run.metadata.contains("imported")) return std::nullopt;
    const std::uint64_t anchor_ns = text::parse_whole_number(anchor->second).value_or(0);
    if (anchor_ns == 0) return std::nullopt;
    return static_cast<std::int64_t>((anchor_ns / 1000 + *start_us) / 1000);
}

/// The clock of a simulated test in lockstep has no dates: its log's times begin at 0.
bool is_on_virtual_clock(const RunData& run) {
    const auto anchor = run.clock.find("log_time_anchor_ns");
    return anchor != run.clock.end() && text::parse_whole_number(anchor->second) == 0u;
}

std::string why_not(const BlindRecord& record, const RunData& run) {
    if (run.metadata.contains("imported")) return "the test was imported: nothing was predicted before it";
    if (record.sha256.empty()) return "there is no prediction.json, or it is empty";
    if (run.prediction_sha256.empty()) return "the log does not begin with the hash of a prediction";
    if (run.prediction_sha256 != record.sha256) return "prediction.json is not the file whose hash the log begins with";
    if (is_on_virtual_clock(run)) return {};
    if (!host::unix_ms_of(record.created_utc)) return "prediction.json does not state when it was made";
    if (!run.event_time_us(EventKind::motion_start)) return "the motion did not begin";
    if (!record.before_motion_s) return "the log does not say when the motion began";
    if (*record.before_motion_s <= 0.0)
        return fmt::format("prediction.json states {}, which is not before the first sample of the motion ({})",
                           record.created_utc, record.motion_utc);
    return {};
}

}  // namespace

BlindRecord check_blind_record(const PredictionFile& file, const RunData& run) {
    BlindRecord record;
    record.sha256 = file.sha256;
    record.created_utc = file.created_utc;
    const bool has_dates = !is_on_virtual_clock(run);
    const std::optional<std::int64_t> motion_ms = has_dates ? motion_unix_ms(run) : std::nullopt;
    if (motion_ms) record.motion_utc = host::utc_time(*motion_ms);
    if (const auto created_ms = host::unix_ms_of(file.created_utc); created_ms && motion_ms)
        record.before_motion_s = 1e-3 * static_cast<double>(*motion_ms - *created_ms);
    const std::string reason = why_not(record, run);
    record.proven = reason.empty();
    if (!record.proven)
        record.statement = "not proven to be earlier than the motion: " + reason;
    else if (has_dates)
        record.statement = fmt::format(
            "prediction of {} (hash matches the log's first record), {:.3f} s before the first sample of the motion",
            record.created_utc, *record.before_motion_s);
    else
        record.statement =
            "prediction's hash matches the log's first record, before every sample (a virtual clock has no dates)";
    return record;
}

}  // namespace topple::hil::compare
