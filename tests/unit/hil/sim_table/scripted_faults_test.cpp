#include "hil/sim_table/scripted_faults.hpp"

#include <array>
#include <cmath>

#include "firmware_iface/wire/frame.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::sim_table;
using namespace topple::firmware_iface;

namespace {

ScriptedFaults faults(const std::string& body) {
    return ScriptedFaults(parse_fault_script("[[fault]]\n" + body, "test"));
}

/// A wire whose device end is subject to the script; the test is the host.
struct FaultyWire {
    explicit FaultyWire(const std::string& body) : faults(::faults(body)) {
        auto [here, there] = make_pipe();
        host = std::move(here);
        device = faults.on_wire(std::move(there));
        faults.note(0, DeviceState::ready, false);
    }
    /// Sends `count` frames to the device, one per millisecond; the sequence numbers that arrive, in order.
    std::vector<std::uint32_t> to_device(std::uint32_t count) {
        for (std::uint32_t i = 0; i < count; ++i) {
            send(*host, i);
            faults.note(time_us += 1000, DeviceState::ready, false);
            receive(*device);
        }
        for (int i = 0; i < 50; ++i) {  // what was held up
            faults.note(time_us += 1000, DeviceState::ready, false);
            receive(*device);
        }
        return std::exchange(arrived, {});
    }
    void send(ByteStream& from, std::uint32_t sequence) {
        std::array<std::byte, 20> payload{};
        std::array<std::byte, kEncodedFrameMax> bytes;
        const std::size_t size = encode_frame({FrameType::alive, 1, sequence}, payload, bytes);
        if (from.status() == StreamStatus::open) REQUIRE(from.write_some(std::span(bytes).first(size)) == size);
    }
    void receive(ByteStream& at) {
        std::array<std::byte, 64> bytes;
        while (const std::size_t size = at.read_some(bytes)) {
            std::span<const std::byte> input(bytes.data(), size);
            while (const auto frame = decoder.next(input)) arrived.push_back(frame->header.sequence);
        }
    }

    ScriptedFaults faults;
    std::unique_ptr<ByteStream> host, device;
    FrameDecoder decoder;
    std::vector<std::uint32_t> arrived;
    std::uint64_t time_us = 0;
};

using Sequence = std::vector<std::uint32_t>;

}  // namespace

TEST_CASE("A wire fault hits whole frames, in its direction, its time and its number") {
    CHECK(FaultyWire("kind = \"wire_drop\"\ndirection = \"to_host\"\n").to_device(4) == Sequence{0, 1, 2, 3});
    CHECK(FaultyWire("kind = \"wire_drop\"\ncount = 2\n").to_device(4) == Sequence{2, 3});
    // Between 1.5 and 3.5 ms: the frames that are read at 2 and 3 ms.
    CHECK(FaultyWire("kind = \"wire_drop\"\nafter_s = 0.0015\nfor_s = 0.002\n").to_device(5) == Sequence{0, 3, 4});
    CHECK(FaultyWire("kind = \"wire_duplicate\"\ncount = 1\n").to_device(3) == Sequence{0, 0, 1, 2});
    CHECK(FaultyWire("kind = \"wire_reorder\"\ncount = 1\n").to_device(3) == Sequence{1, 0, 2});
    CHECK(FaultyWire("kind = \"wire_split\"\n").to_device(3) == Sequence{0, 1, 2});
    CHECK(FaultyWire("kind = \"wire_delay\"\ndelay_s = 0.02\n").to_device(3) == Sequence{0, 1, 2});
    CHECK(FaultyWire("kind = \"wire_unplug\"\nafter_s = 0.0025\n").to_device(4) == Sequence{0, 1});
}

TEST_CASE("A damaged frame is lost alone, and the same script damages the same frames") {
    FaultyWire wire("kind = \"wire_corrupt\"\nshare = 0.3\n");
    const Sequence first = wire.to_device(200);
    CHECK(first.size() > 110);
    CHECK(first.size() < 170);
    CHECK(wire.decoder.counters().crc_errors + wire.decoder.counters().malformed > 0);
    CHECK(FaultyWire("kind = \"wire_corrupt\"\nshare = 0.3\n").to_device(200) == first);
}

TEST_CASE("A stalled wire gives everything at once when it ends, a delayed one each frame in its time") {
    FaultyWire stalled("kind = \"wire_stall\"\nfor_s = 0.02\n");
    for (std::uint32_t i = 0; i < 5; ++i) stalled.send(*stalled.host, i);
    stalled.faults.note(19'900, DeviceState::ready, false);
    stalled.receive(*stalled.device);
    CHECK(stalled.arrived.empty());
    stalled.faults.note(20'000, DeviceState::ready, false);
    stalled.receive(*stalled.device);
    CHECK(stalled.arrived == Sequence{0, 1, 2, 3, 4});

    FaultyWire delayed("kind = \"wire_delay\"\ndelay_s = 0.005\n");
    delayed.send(*delayed.device, 0);
    delayed.faults.note(2'000, DeviceState::ready, false);
    delayed.send(*delayed.device, 1);
    for (const auto& [at_us, count] : {std::pair{4'900, 0}, {5'000, 1}, {6'900, 1}, {7'000, 2}}) {
        delayed.faults.note(static_cast<std::uint64_t>(at_us), DeviceState::ready, false);
        std::array<std::byte, 1> none{};
        delayed.device->read_some(none);  // the device's own cycle moves the wire
        delayed.receive(*delayed.host);
        CHECK(delayed.arrived.size() == static_cast<std::size_t>(count));
    }
}

TEST_CASE("A fault counts its time from the state it names, the time it is entered that is asked for") {
    ScriptedFaults script =
        faults("kind = \"drive_fault\"\nat = \"running\"\noccurrence = 2\nafter_s = 0.001\nfor_s = 0.002\n");
    const auto drive_ok = [&](std::uint64_t time_us, DeviceState state) {
        script.note(time_us, state, false);
        Measurement m;
        script.falsify(m, 1e6);
        return m.drive_ok;
    };
    CHECK(drive_ok(0, DeviceState::running));
    CHECK(drive_ok(5'000, DeviceState::running));
    CHECK(drive_ok(6'000, DeviceState::armed));
    CHECK(drive_ok(7'000, DeviceState::running));
    CHECK_FALSE(drive_ok(8'000, DeviceState::running));
    CHECK_FALSE(drive_ok(9'900, DeviceState::stopping));
    CHECK(drive_ok(10'000, DeviceState::stopping));
    CHECK(script.news() == std::vector<std::string>{"drive_fault, 0.001 s after running no. 2"});
    CHECK(script.news().empty());
}

TEST_CASE("Sensor faults falsify what they name and nothing else") {
    const auto falsified = [](const std::string& body, std::int64_t first_count, std::int64_t count,
                              double acceleration) {
        ScriptedFaults script = faults(body);
        Measurement m;
        m.encoder_count = first_count;
        m.acceleration_x_m_s2 = 0.25;
        script.note(0, DeviceState::ready, false);
        script.falsify(m, 1e6);
        m = {};
        m.encoder_count = count;
        m.acceleration_x_m_s2 = acceleration;
        script.note(10'000, DeviceState::ready, false);
        script.falsify(m, 1e6);
        return m;
    };
    CHECK(falsified("kind = \"encoder_stuck\"\n", 5, 900, 1.0).encoder_count == 5);
    CHECK(falsified("kind = \"encoder_slip\"\nslip_m = 0.001\n", 0, 900, 1.0).encoder_count == 1900);
    CHECK(falsified("kind = \"encoder_slip\"\nslip_m = 0.001\nfor_s = 0.02\n", 0, 900, 1.0).encoder_count == 1400);
    CHECK(falsified("kind = \"encoder_wrap\"\nbits = 12\n", 0, 2047, 1.0).encoder_count == 2047);
    CHECK(falsified("kind = \"encoder_wrap\"\nbits = 12\n", 0, 2048, 1.0).encoder_count == -2048);
    CHECK(falsified("kind = \"encoder_wrap\"\nbits = 12\n", 0, -2049, 1.0).encoder_count == 2047);
    CHECK(falsified("kind = \"accelerometer_stuck\"\n", 0, 0, 1.0).acceleration_x_m_s2 == 0.25);
    CHECK(falsified("kind = \"accelerometer_saturated\"\nlimit_m_s2 = 2\n", 0, 0, -3.0).acceleration_x_m_s2 == -2.0);
    CHECK(falsified("kind = \"accelerometer_reversed\"\n", 0, 0, 1.0).acceleration_x_m_s2 == -1.0);
    CHECK(std::isnan(falsified("kind = \"accelerometer_nan\"\n", 0, 0, 1.0).acceleration_x_m_s2));
    CHECK(falsified("kind = \"reference_stuck\"\n", 0, 0, 1.0).reference_pressed);
    CHECK(falsified("kind = \"limit_switch\"\n", 0, 0, 1.0).limit_pressed);
    CHECK(falsified("kind = \"emergency_stop\"\n", 0, 0, 1.0).estop_pressed);
    CHECK(falsified("kind = \"encoder_stuck\"\n", 5, 900, 1.0).acceleration_x_m_s2 == 1.0);
}
