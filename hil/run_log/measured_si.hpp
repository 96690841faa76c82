// The measured quantities of a /feedback message in SI, for readers that do not have the machine file.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace topple::hil::run_log {

/// Table frame; one per axis, as far as the log has them.
struct MeasuredSi {
    std::vector<double> position_m;
    std::vector<double> acceleration_m_s2;  ///< of the accelerometer, with its bias
};

/// Of a message of schema topple.log.Feedback; empty if it is none.
MeasuredSi measured_si(std::span<const std::uint8_t> message);

}  // namespace topple::hil::run_log
