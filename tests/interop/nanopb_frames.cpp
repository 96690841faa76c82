// The golden frames' payloads read and written again by nanopb, which a firmware may use instead of the small codec:
// the same bytes come out.
#include <pb_decode.h>
#include <pb_encode.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "firmware_iface/wire/frame.hpp"
#include "table.pb.h"

namespace {

union AnyMessage {
    topple_wire_Hello hello;
    topple_wire_DeviceDescription description;
    topple_wire_Command command;
    topple_wire_Reply reply;
    topple_wire_SetpointBatch setpoints;
    topple_wire_Feedback feedback;
};

const pb_msgdesc_t* descriptor_of(const std::string& message) {
    if (message == "Hello") return topple_wire_Hello_fields;
    if (message == "DeviceDescription") return topple_wire_DeviceDescription_fields;
    if (message == "Command") return topple_wire_Command_fields;
    if (message == "Reply") return topple_wire_Reply_fields;
    if (message == "SetpointBatch") return topple_wire_SetpointBatch_fields;
    if (message == "Feedback") return topple_wire_Feedback_fields;
    return nullptr;
}

bool goes_through(const nlohmann::json& entry) {
    if (!entry.contains("message") || !entry["message"].is_string()) return true;  // no payload
    const std::string text = entry["frame"];
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < text.size(); i += 2)
        bytes.push_back(static_cast<std::byte>(std::stoi(text.substr(i, 2), nullptr, 16)));
    topple::firmware_iface::FrameDecoder decoder;
    std::span<const std::byte> input(bytes);
    const auto frame = decoder.next(input);
    const pb_msgdesc_t* descriptor = descriptor_of(entry["message"]);
    if (!frame || descriptor == nullptr) return false;
    const auto* payload = reinterpret_cast<const pb_byte_t*>(frame->payload.data());
    AnyMessage message{};
    pb_istream_t in = pb_istream_from_buffer(payload, frame->payload.size());
    if (!pb_decode(&in, descriptor, &message)) return false;
    std::array<pb_byte_t, topple::firmware_iface::kPayloadMax> out{};
    pb_ostream_t stream = pb_ostream_from_buffer(out.data(), out.size());
    if (!pb_encode(&stream, descriptor, &message)) return false;
    return stream.bytes_written == frame->payload.size() &&
           std::equal(payload, payload + stream.bytes_written, out.data());
}

}  // namespace

int main(int, char** argv) {
    std::ifstream file(argv[1]);
    const auto golden = nlohmann::json::parse(file);
    int wrong = 0;
    for (const auto& entry : golden) {
        const bool same = goes_through(entry);
        std::printf("%s %s\n", same ? "same " : "WRONG", entry["name"].get<std::string>().c_str());
        if (!same) ++wrong;
    }
    return golden.size() < 10 ? 1 : wrong;
}
