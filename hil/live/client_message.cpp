#include "hil/live/client_message.hpp"

#include <fmt/format.h>

#include <limits>
#include <nlohmann/json.hpp>
#include <optional>

namespace topple::hil::live {
namespace {

using Json = nlohmann::json;

constexpr const char* kReadOnly = "this server is read only: nothing can be published, called, fetched or set";

ClientRequest refuse(std::string words) { return {{}, {}, std::move(words)}; }

std::optional<std::uint32_t> id_of(const Json& value) {
    if (!value.is_number_integer()) return std::nullopt;
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
        return static_cast<std::uint32_t>(number);
    }
    const auto number = value.get<std::int64_t>();
    if (number < 0 || number > std::numeric_limits<std::uint32_t>::max()) return std::nullopt;
    return static_cast<std::uint32_t>(number);
}

std::optional<std::uint32_t> id_in(const Json& object, const char* key) {
    const auto found = object.find(key);
    return found == object.end() ? std::nullopt : id_of(*found);
}

ClientRequest read_subscribe(const Json& message) {
    const auto list = message.find("subscriptions");
    if (list == message.end() || !list->is_array()) return refuse("subscribe: \"subscriptions\" must be a list");
    ClientRequest request;
    for (const Json& one : *list) {
        if (!one.is_object()) return refuse("subscribe: every subscription must be an object");
        const auto id = id_in(one, "id"), channel = id_in(one, "channelId");
        if (!id || !channel) return refuse("subscribe: \"id\" and \"channelId\" must be whole numbers of 32 bits");
        request.subscribe.push_back({*id, *channel});
    }
    return request;
}

ClientRequest read_unsubscribe(const Json& message) {
    const auto list = message.find("subscriptionIds");
    if (list == message.end() || !list->is_array()) return refuse("unsubscribe: \"subscriptionIds\" must be a list");
    ClientRequest request;
    for (const Json& one : *list) {
        const auto id = id_of(one);
        if (!id) return refuse("unsubscribe: an id must be a whole number of 32 bits");
        request.unsubscribe.push_back(*id);
    }
    return request;
}

}  // namespace

ClientRequest read_text_message(std::string_view text) {
    const Json message = Json::parse(text, nullptr, false);
    if (message.is_discarded() || !message.is_object()) return refuse("a text message must be a JSON object");
    const auto op = message.find("op");
    if (op == message.end() || !op->is_string()) return refuse("a message must have an \"op\"");
    const auto& name = op->get_ref<const std::string&>();
    if (name == "subscribe") return read_subscribe(message);
    if (name == "unsubscribe") return read_unsubscribe(message);
    return refuse(kReadOnly);
}

ClientRequest read_binary_message(std::span<const std::uint8_t> bytes) {
    if (bytes.empty()) return refuse("an empty binary message");
    return refuse(kReadOnly);
}

}  // namespace topple::hil::live
