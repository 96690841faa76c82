// Is the way to the table and back quick enough, and if not, what to do about it.
#pragma once

#include <string>

#include "firmware_iface/clock.hpp"

namespace topple::firmware_iface {

/// An answer waits up to one period for the device's loop; the way itself may take as long again.
inline constexpr int kRoundTripMax_periods = 2;

/// Empty unless the round trip is longer than kRoundTripMax_periods. Else a sentence for the operator that says what to
/// do about a stream of this kind; `description` is the stream's.
std::string latency_warning(const std::string& description, Nanoseconds round_trip, Nanoseconds feedback_period);

}  // namespace topple::firmware_iface
