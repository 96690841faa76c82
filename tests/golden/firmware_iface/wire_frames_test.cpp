// Frames byte by byte: what docs/protocol.md shows is what the program sends, in every version to come.
#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

#include "firmware_iface/wire/codec.hpp"
#include "firmware_iface/wire/frame.hpp"
#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

namespace {

constexpr std::uint32_t kSession = 7;
using Encoded = Codec::Size;

DeviceInfo described() {
    DeviceInfo info;
    info.protocol_version = 1;
    info.device = "quanser-st-iii";
    info.serial_number = "0042";
    info.firmware_version = "1.0";
    info.configuration_hash = 0xF09722B88A741F34ULL;
    info.setpoint_capacity = 256;
    info.feedback_period_us = 2000;
    info.axes = {{"x", 0.108, 2.58, 31.5, 15.0, 1.0e6, 1, -1}};
    return info;
}

std::array<Setpoint, 2> setpoints() {
    std::array<Setpoint, 2> two{};
    two[0].device_time_us = 5'000'000;
    two[0].axes[0] = {0.0, 0.0, 3.0};
    two[1].device_time_us = 5'002'000;
    two[1].axes[0] = {6.0e-6, 0.0, 0.0};
    two[1].final = true;
    return two;
}

Feedback feedback() {
    Feedback one;
    one.device_time_us = 5'002'000;
    one.axes[0] = {-12, 6.0e-6, 0.006, 0.0};
    one.acceleration_x_m_s2 = 0.0;  // present and zero is not absent
    one.rotation_count = 2;
    one.rotation_rad = {0.5, -0.25};
    one.state = DeviceState::running;
    one.queue_level = 31;
    return one;
}

Feedback feedback_with_extras() {
    Feedback one;
    one.device_time_us = 5'002'000;
    one.axes[0].encoder_count = -12;
    one.state = DeviceState::running;
    one.trigger = true;
    one.aux_count = 2;
    one.aux_v = {1.5, -0.25};
    return one;
}

Encoded payload_of(const std::string& name, Codec& codec, std::span<std::byte> out) {
    if (name == "hello") return codec.encode(HelloMessage{1, "topple"}, out);
    if (name == "description") return codec.encode(described(), 4'200'000, out);
    if (name == "arm") return codec.encode(CommandMessage{CommandKind::arm, 0xF09722B88A741F34ULL}, out);
    if (name == "reply") return codec.encode(ReplyMessage{1, true, RefusalCode::none, 4'201'000}, out);
    if (name == "setpoints") return codec.encode(std::span<const Setpoint>(setpoints()), out);
    if (name == "feedback") return codec.encode(feedback(), out);
    if (name == "feedback_with_extras") return codec.encode(feedback_with_extras(), out);
    if (name == "start_with_trigger")
        return codec.encode(CommandMessage{CommandKind::start, 0, 5'000'000, false, true}, out);
    if (name == "stop") return codec.encode(CommandMessage{CommandKind::stop}, out);
    if (name == "alive") return 0;
    return std::nullopt;
}

std::string hex(std::span<const std::byte> bytes) {
    std::string text;
    for (const std::byte byte : bytes) {
        text += "0123456789abcdef"[std::to_integer<int>(byte) >> 4];
        text += "0123456789abcdef"[std::to_integer<int>(byte) & 15];
    }
    return text;
}

std::string read(const std::string& path) {
    std::ifstream file(path);
    REQUIRE(file);
    return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("frames are sent byte by byte as the protocol's page shows them") {
    const auto golden = nlohmann::json::parse(read(TOPPLE_TESTS_DIR "/data/wire/frames.json"));
    std::string page = read(TOPPLE_SOURCE_DIR "/docs/protocol.md");
    std::erase_if(page, [](char c) { return c == ' ' || c == '\n'; });
    REQUIRE(golden.size() == 10);
    Codec codec;
    for (const auto& entry : golden) {
        const std::string name = entry["name"];
        std::array<std::byte, kPayloadMax> payload;
        const Encoded size = payload_of(name, codec, payload);
        INFO(name);
        REQUIRE(size);
        std::array<std::byte, kEncodedFrameMax> frame;
        const std::size_t length =
            encode_frame({static_cast<FrameType>(entry["type"].get<int>()), kSession, entry["sequence"]},
                         std::span(payload).first(*size), frame);
        CHECK(hex(std::span(frame).first(length)) == entry["frame"].get<std::string>());
        CHECK(page.find(entry["frame"].get<std::string>()) != std::string::npos);
    }
}
