#include "hil/cli/progress_line.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <string>

#include "hil/tell.hpp"
#include "solver/outcome.hpp"

namespace topple::hil {

ProgressLine::ProgressLine() : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressLine::~ProgressLine() {
    if (shown_) tell("\n");
}

void ProgressLine::show(const TestStatus& status) {
    if (!terminal_) return;
    std::string forecast;
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < status.forecast.specimen_count && status.forecast.device_time_us != 0; ++i) {
        forecast += fmt::format("  {}", name(solver::outcome_of_code(status.forecast.outcome[i])));
        for (std::uint32_t k = 0; k < status.forecast.block_count[i]; ++k)
            forecast += fmt::format(" {:+.3f} rad", status.forecast.rotation_rad[next++]);
    }
    tell("\r\x1b[K{:>11}  t = {:+7.2f} s  platen {:+8.4f} m{}", name(status.phase), status.time_s,
         status.position_m, forecast);
    shown_ = true;
}

}  // namespace topple::hil
