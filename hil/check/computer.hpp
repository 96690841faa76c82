// Is this computer fit to stream a motion in time? Its checks only warn: a late host is a controlled stop,
// not damage.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "controller/rt/thread_setup.hpp"
#include "hil/check/check.hpp"

namespace topple::hil::check {

/// Clock, processors, scheduling, memory lock, timer (2 s), frequency governor, disk space in `run_folder`.
/// Ends early, without the timer's checks, if `stop_requested`.
std::vector<CheckResult> check_computer(const std::filesystem::path& run_folder,
                                        const std::atomic<bool>& stop_requested);

// ---- the verdicts, apart from the measuring ----
/// `late_ns`: how much later than its deadline each cycle of a 2 ms timer began; at least one.
std::vector<CheckResult> judge_timer(std::vector<std::int64_t> late_ns, const controller::ThreadSetup& setup);
std::vector<CheckResult> judge_rights(const controller::ThreadSetup& setup);
/// `governors`: one word per processor as Linux reports it; empty: not reported.
CheckResult judge_governors(const std::vector<std::string>& governors);

/// Value below which the share `ratio` (0 .. 1) of the values lies (nearest rank). `values` must not be
/// empty.
template <class Number>
Number quantile(std::vector<Number> values, double ratio);

}  // namespace topple::hil::check

#include <algorithm>
#include <cmath>
#include <cstddef>

template <class Number>
Number topple::hil::check::quantile(std::vector<Number> values, double ratio) {
    const double rank = std::ceil(ratio * static_cast<double>(values.size())) - 1.0;
    const auto index = static_cast<std::ptrdiff_t>(std::clamp(rank, 0.0, static_cast<double>(values.size() - 1)));
    std::nth_element(values.begin(), values.begin() + index, values.end());
    return values[static_cast<std::size_t>(index)];
}
