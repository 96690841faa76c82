// What the server says: messages of the Foxglove WebSocket protocol, as text or as the head of a binary message.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

#include "hil/live/live_server.hpp"

namespace topple::hil::live {

/// `session`: differs between two servers, so that a client knows whether it has come back to the same.
std::string server_info(const std::string& name, const std::string& session);
/// All channels; ids from 1.
std::string advertisement(std::span<const Channel> channels);

enum class StatusLevel { information = 0, warning = 1, error = 2 };
std::string status_message(StatusLevel level, const std::string& words);

/// In front of the data of a message.
using MessageHead = std::array<std::uint8_t, 13>;
MessageHead message_head(std::uint32_t subscription_id, std::uint64_t log_time_ns) noexcept;

}  // namespace topple::hil::live
