// What a client says: the few requests of the Foxglove WebSocket protocol that a read-only server fulfils.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::live {

struct Subscription {
    std::uint32_t id = 0;       ///< chosen by the client
    std::uint32_t channel = 0;  ///< id of the channel
};

struct ClientRequest {
    std::vector<Subscription> subscribe;
    std::vector<std::uint32_t> unsubscribe;  ///< ids of subscriptions
    std::string refusal;  ///< not empty: nothing of the message counts, and these words are for whoever sent it
};

/// A text message: any bytes. Never throws except for want of memory.
ClientRequest read_text_message(std::string_view text);
/// A binary message: a client has nothing to send to this server.
ClientRequest read_binary_message(std::span<const std::uint8_t> bytes);

}  // namespace topple::hil::live
