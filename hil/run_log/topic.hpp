// The topics of run.mcap.
#pragma once

#include <cstdint>
#include <string_view>

namespace topple::hil::run_log {

/// In the order of their channel ids, which start at 1.
enum class Topic : std::uint16_t { setpoint = 1, feedback = 2, prediction = 3, event = 4, timing = 5 };
inline constexpr std::uint16_t kTopicCount = 5;
std::string_view topic_name(Topic topic) noexcept;  ///< "/setpoint", ...

}  // namespace topple::hil::run_log
