// The tick path of the wire takes nothing from the heap, over every medium.
#include <array>

#include "firmware_iface/table_link.hpp"
#include "firmware_iface/transport/listener.hpp"
#include "firmware_iface/transport/paced.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/heap_counter.hpp"
#include "tests/support/scripted_device.hpp"
#include "tests/support/serving_clock.hpp"

using namespace topple::test;

namespace {

using Ends = std::pair<std::unique_ptr<ByteStream>, std::unique_ptr<ByteStream>>;

Ends connect_over(const std::string& medium, Clock& clock, std::unique_ptr<Listener>& listener) {
    if (medium == "pipe") return make_pipe();
    listener = medium == "pty" ? listen_pty() : listen_tcp("0");
    Ends ends;
    ends.first = open_stream(listener->uri());
    while (!ends.second) ends.second = listener->accept();
    if (medium == "pty") ends.second = paced(std::move(ends.second), clock);
    return ends;
}

Feedback full_feedback() {
    Feedback feedback;
    feedback.axis_count = kAxesMax;
    feedback.acceleration_x_m_s2 = 1.0;
    feedback.acceleration_y_m_s2 = 2.0;
    feedback.rotation_count = kRotationSensorsMax;
    feedback.rotation_rad.fill(0.1);
    feedback.homed = feedback.trigger = true;
    feedback.aux_count = kAuxChannelsMax;
    feedback.aux_v.fill(2.5);
    return feedback;
}

}  // namespace

TEST_CASE("the heap is counted at all") {
    const auto before = heap_allocations();
    const std::string text(100, 'x');
    CHECK(heap_allocations() > before);
    CHECK(text.size() == 100);
}

TEST_CASE("a tick on the wire allocates nothing at either end") {
    const std::string medium = GENERATE(std::string("pipe"), std::string("pty"), std::string("tcp"));
    INFO(medium);
    ServingClock clock;
    std::unique_ptr<Listener> listener;
    auto [host, table] = connect_over(medium, clock, listener);
    ScriptedDevice device(std::move(table));
    clock.serve = [&] { device.serve(); };
    TableLink link(std::move(host), clock, 5);
    link.connect();
    device.received.reserve(100000);
    device.commands.reserve(100000);
    device.setpoints.reserve(100000);
    device.feedback = full_feedback();
    std::array<Setpoint, TableLink::kBatchMax> batch{};
    for (auto& setpoint : batch) setpoint.axis_count = kAxesMax;
    std::size_t ticks_fed = 0;
    const auto count = [](void* n, const Feedback&) { ++*static_cast<std::size_t*>(n); };

    const auto before = heap_allocations();
    for (std::uint64_t tick = 0; tick < 300; ++tick) {
        device.send_feedback(2000 * tick);
        clock.sleep_for(std::chrono::microseconds(300));
        link.poll(count, &ticks_fed);
        link.send_setpoints(std::span(batch).first(1 + tick % TableLink::kBatchMax));
        link.flush();
        if (tick % 100 == 99) link.stop();
    }
    CHECK(heap_allocations() == before);
    CHECK(ticks_fed > 100);
    CHECK(device.setpoints.size() > 100);
}

TEST_CASE("encoding and decoding allocate nothing after construction") {
    Codec sender, receiver;
    std::array<std::byte, kPayloadMax> payload;
    std::array<Setpoint, kSetpointBatchMax> batch{}, received;
    for (auto& setpoint : batch) setpoint.axis_count = kAxesMax;
    Feedback feedback = full_feedback(), got;
    ReplyMessage busy{1, false, RefusalCode::session_busy}, reply;
    busy.holder.assign(kTextMax, 'x');
    reply.holder.reserve(kTextMax);
    const auto before = heap_allocations();
    for (int i = 0; i < 100; ++i) {
        auto size = sender.encode(std::span<const Setpoint>(batch), payload);
        REQUIRE(receiver.decode_setpoints(std::span(payload).first(*size), received) == kSetpointBatchMax);
        size = sender.encode(feedback, payload);
        REQUIRE(receiver.decode_feedback(std::span(payload).first(*size), got));
        CommandMessage command;
        size = sender.encode(CommandMessage{CommandKind::stop}, payload);
        REQUIRE(receiver.decode_command(std::span(payload).first(*size), command));
        size = sender.encode(busy, payload);
        REQUIRE(receiver.decode_reply(std::span(payload).first(*size), reply));
    }
    CHECK(heap_allocations() == before);
}
