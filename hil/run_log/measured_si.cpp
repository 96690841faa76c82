#include "hil/run_log/measured_si.hpp"

#include "hil/run_log/log.pb.h"

namespace topple::hil::run_log {

MeasuredSi measured_si(std::span<const std::uint8_t> message) {
    log::Feedback feedback;
    if (!feedback.ParseFromArray(message.data(), static_cast<int>(message.size()))) return {};
    return {{feedback.position_m().begin(), feedback.position_m().end()},
            {feedback.acceleration_m_s2().begin(), feedback.acceleration_m_s2().end()}};
}

}  // namespace topple::hil::run_log
