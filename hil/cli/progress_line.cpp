#include "hil/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "hil/text/rounded.hpp"
#include "hil/text/tell.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::cli {

using text::rounded;

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) text::tell("\n");
}

void ProgressLine::show(const drive::DriveStatus& status) {
    if (!terminal_) return;
    text::tell_over(progress_text(status, probabilities_));
    shown_ = true;
}

namespace {

/// The likeliest outcome, with its probability where an ensemble says it.
std::string likeliest_text(const drive::PredictorSnapshot& forecast, std::uint32_t specimen) {
    const std::uint32_t code = forecast.outcome[specimen];
    const std::string word(name(solver::outcome_of_code(code)));
    const run_log::Forecast& ensemble = forecast.forecast[specimen];
    if (ensemble.members == 0 || code >= ensemble.probability.size()) return word;
    return fmt::format("{:.0f} % {}", 100.0 * ensemble.probability[code], word);
}

}  // namespace

std::string progress_text(const drive::DriveStatus& status, const std::vector<std::string>& probabilities) {
    std::string text = fmt::format("{:>11}  t = {:+7.2f} s  platen {:+8.4f} m", name(status.phase),
                                   rounded(status.time_s, 2), rounded(status.position_m, 4));
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < status.forecast.specimen_count && status.forecast.device_time_us != 0; ++i) {
        text += i == 0 ? "  predicted " : "; ";
        if (i < probabilities.size()) text += probabilities[i] + ", now ";
        text += likeliest_text(status.forecast, i);
        for (std::uint32_t k = 0; k < status.forecast.block_count[i]; ++k)
            text += fmt::format(" {:+.3f}", rounded(status.forecast.rotation_rad[next++], 3));
        text += " rad";
    }
    for (std::uint32_t i = 0; i < status.rotation_count; ++i)
        text += fmt::format("{}{:+.3f}", i == 0 ? "  measured " : " ", rounded(status.rotation_rad[i], 3));
    return status.rotation_count > 0 ? text + " rad" : text;
}

}  // namespace topple::hil::cli
