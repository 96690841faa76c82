// Any bytes from a client that watches: refused as a whole with words, or subscriptions. First byte 'b': binary.
#include <cstdint>
#include <string_view>

#include "hil/live/client_message.hpp"
#include "hil/live/server_message.hpp"
#include "tests/fuzz/require.hpp"

using namespace topple;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    const bool is_binary = bytes[0] == 'b';
    const hil::live::ClientRequest request =
        is_binary ? hil::live::read_binary_message({bytes + 1, size - 1})
                  : hil::live::read_text_message({reinterpret_cast<const char*>(bytes + 1), size - 1});
    require(!is_binary || !request.refusal.empty(), "nothing binary is taken");
    require(request.refusal.empty() || (request.subscribe.empty() && request.unsubscribe.empty()),
            "of what is refused nothing counts");
    require(12 * request.subscribe.size() + 2 * request.unsubscribe.size() <= size, "no more than was said");
    // What a server may tell of it is a message whatever the bytes were.
    const std::string words(reinterpret_cast<const char*>(bytes), size);
    require(hil::live::status_message(hil::live::StatusLevel::error, words).starts_with("{\"op\":\"status\""),
            "words of others are told");
    return 0;
}
