// The motions of an identification, one after the other, on a table under check.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hil/check/checked_table.hpp"
#include "hil/identification/identify_table.hpp"

namespace topple::hil::check {

/// Why the table cannot be identified by this plan: a motion is infeasible on its machine (the limits are named), or
/// the device has no such input. Empty if it can.
std::string reason_against(const CheckedTable& table, const identification::IdentificationPlan& plan,
                           const std::optional<identification::ForceChannel>& force);

/// Moves gently to the start, makes all motions, moves back to where it was, and evaluates. Nothing may stand on the
/// platen. The machine in `table`: effective limits. `progress` is told each motion in words. Throws DeviceError if the
/// table refuses, stops or the operator stops it.
identification::Identification identify(const CheckedTable& table, const identification::IdentificationPlan& plan,
                                        const std::optional<identification::ForceChannel>& force,
                                        const std::function<void(const std::string&)>& progress);

}  // namespace topple::hil::check
