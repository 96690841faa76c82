// The findings of `topple check` as lines for a person and as JSON.
#pragma once

#include <string>

#include "hil/check/run_checks.hpp"

namespace topple::hil::check {

/// One line: verdict, name, what was found, the limit; a second one with the advice if there is any.
std::string check_line(const CheckResult& result);
/// Latencies of the link in one line; empty if it was not listened to.
std::string latency_line(const CheckReport& report);
/// Counts of the verdicts in one sentence.
std::string summary_line(const CheckReport& report);

/// topple.check/1 (docs/check.md). `uri`: as asked for; `machine`: name of the machine description.
std::string check_json(const CheckReport& report, const std::string& uri, const std::string& machine);

}  // namespace topple::hil::check
