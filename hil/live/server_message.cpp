#include "hil/live/server_message.hpp"

#include <openssl/evp.h>

#include <nlohmann/json.hpp>

namespace topple::hil::live {
namespace {

using Json = nlohmann::ordered_json;

// Words of others may hold any bytes: what is no UTF-8 is replaced.
std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

std::string base64(const std::string& bytes) {
    std::string text(4 * ((bytes.size() + 2) / 3) + 1, '\0');  // and the zero that is written behind it
    const int length =
        ::EVP_EncodeBlock(reinterpret_cast<unsigned char*>(text.data()),
                          reinterpret_cast<const unsigned char*>(bytes.data()), static_cast<int>(bytes.size()));
    text.resize(static_cast<std::size_t>(length));
    return text;
}

template <typename Integer>
void put_little_endian(std::uint8_t* at, Integer value) noexcept {
    for (std::size_t i = 0; i < sizeof value; ++i) at[i] = static_cast<std::uint8_t>(value >> (8 * i));
}

}  // namespace

std::string server_info(const std::string& name, const std::string& session) {
    return text_of(Json{{"op", "serverInfo"}, {"name", name}, {"capabilities", Json::array()}, {"sessionId", session}});
}

std::string advertisement(std::span<const Channel> channels) {
    Json list = Json::array();
    for (std::size_t i = 0; i < channels.size(); ++i)
        list.push_back(Json{{"id", i + 1},
                            {"topic", channels[i].topic},
                            {"encoding", "protobuf"},
                            {"schemaName", channels[i].schema_name},
                            {"schema", base64(channels[i].schema)},
                            {"schemaEncoding", "protobuf"}});
    return text_of(Json{{"op", "advertise"}, {"channels", list}});
}

std::string status_message(StatusLevel level, const std::string& words) {
    return text_of(Json{{"op", "status"}, {"level", static_cast<int>(level)}, {"message", words}});
}

MessageHead message_head(std::uint32_t subscription_id, std::uint64_t log_time_ns) noexcept {
    MessageHead head{};
    head[0] = 1;  // message data
    put_little_endian(&head[1], subscription_id);
    put_little_endian(&head[5], log_time_ns);
    return head;
}

}  // namespace topple::hil::live
