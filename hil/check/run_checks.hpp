// All checks in their order: computer, link, table, and with consent those that move it.
#pragma once

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "hil/check/check.hpp"
#include "hil/check/checked_table.hpp"

namespace topple::hil::check {

struct TableCheckOptions {
    double listen_s = 10.0;  ///< feedback listened to, host's clock
    bool move = false;       ///< also the checks that move the table
    int homings = 3;         ///< 0: no homing, unless the table is not homed
    /// Asked once before the first motion, with all of them in words. Throws InputError if the answer is no.
    std::function<void(const std::string& motions)> consent;
    std::function<void(const CheckResult&)> on_result;    ///< each result as it is found; may be empty
    std::function<void(const std::string&)> on_progress;  ///< the present step; may be empty
};

struct CheckReport {
    std::optional<firmware_iface::DeviceInfo> device;  ///< none: nobody answered
    std::vector<CheckResult> results;
    std::vector<LatencyBin> latency;  ///< empty: the link was not listened to
    bool moved = false;               ///< a motion was begun
};

/// Checks a connected table. A problem with the device becomes a failed result "table.session", and
/// what would have followed is left out: nothing moves after it. Every fault that a check causes on purpose
/// (operator_stop, host_lost) is cleared by it; any other stays latched. Throws InputError only if consent is
/// refused.
void check_table(const CheckedTable& table, const TableCheckOptions& options, CheckReport& report);

}  // namespace topple::hil::check
