// How many instructions the device core takes, counted by an emulator that executes one per nanosecond (QEMU -icount
// shift=0); printed through semihosting. Nothing of this is in a firmware.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <iterator>
#include <span>

#include "firmware_iface/device/board.hpp"
#include "firmware_iface/firmware/firmware.hpp"
#include "firmware_iface/firmware/mps2/devices.hpp"
#include "firmware_iface/firmware/startup.hpp"
#include "firmware_iface/wire/frame.hpp"

namespace topple::firmware {
namespace {

using namespace firmware_iface;

constexpr std::uint32_t kInstructionsPerTick = 1'000'000'000 / mps2::kClock_hz;  // 40

std::int32_t semihosting(std::uint32_t call, const void* argument) noexcept {
    register std::uint32_t r0 __asm("r0") = call;
    register const void* r1 __asm("r1") = argument;
    __asm volatile("bkpt 0xAB" : "+r"(r0) : "r"(r1) : "memory");
    return static_cast<std::int32_t>(r0);
}
void print(const char* text) noexcept { semihosting(4, text); }
void print(std::uint32_t number) noexcept {
    std::array<char, 12> digits{};
    std::size_t at = digits.size() - 1;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    print(&digits[at]);
}
void line(const char* what, std::uint32_t number) noexcept {
    print(what);
    print(" ");
    print(number);
    print("\n");
}

/// A machine that follows exactly; no host.
class BudgetBoard final : public Board, public SerialLine {
  public:
    Measurement measure() noexcept override {
        Measurement m;
        m.encoder_count = static_cast<std::int64_t>(1e6 * setpoint_m);
        m.has_acceleration = true;
        m.acceleration_x_m_s2 = 0.01;
        m.rotation_count = 1;
        return m;
    }
    std::uint64_t now_us() noexcept override { return time_us; }
    void drive(const DriveCommand& command) noexcept override { setpoint_m = command.setpoint.position_m; }
    void kick_watchdog() noexcept override {}
    SerialLine& line() noexcept override { return *this; }
    std::size_t read_some(std::span<std::byte>) noexcept override { return 0; }
    std::size_t write_some(std::span<const std::byte> from) noexcept override { return from.size(); }

    double setpoint_m = 0.0;
    std::uint64_t time_us = 0;
};

DeviceParameters parameters() noexcept {
    DeviceParameters p;  // of quanser-st-iii
    p.limits = {0.108, 2.58, 31.5, 15.0, 0.01, 0.03, 1e6, 1.0, 1.0, 1.0, 0.5, 8.0};
    p.servo.gains = usual_servo_gains(30.0);
    p.servo.force_max_n = 1000.0;
    p.servo.moving_mass_kg = 30.0;
    p.configuration_hash = 1;
    return p;
}

struct Count {
    std::uint32_t most = 0, sum = 0, times = 0;
    template <class Work>
    void of(const Work& work) noexcept {
        const std::uint32_t before = mps2::clock_ticks();
        work();
        const std::uint32_t spent = (mps2::clock_ticks() - before) * kInstructionsPerTick;
        most = std::max(most, spent);
        sum += spent;
        ++times;
    }
};

Setpoint knot(std::uint64_t time_us, std::uint64_t start_us) noexcept {
    const double w = 25.0, t = 1e-6 * static_cast<double>(time_us - start_us);
    Setpoint s;
    s.device_time_us = time_us;
    s.axes[0] = {0.004 * (1.0 - std::cos(w * t)), 0.004 * w * std::sin(w * t), 0.004 * w * w * std::cos(w * t)};
    return s;
}

constexpr const char* kGolden[] = {
#include <golden_frames.inc>
};

std::byte digit(char c) noexcept { return static_cast<std::byte>(c <= '9' ? c - '0' : c - 'a' + 10); }

/// Read, its payload understood if a host says such, and written anew in the same bytes.
bool is_golden(const char* text) noexcept {
    static std::array<std::byte, kEncodedFrameMax> given, again;
    static FrameDecoder decoder;
    static SmallCodec codec;
    static std::array<Setpoint, kSetpointBatchMax> setpoints;
    std::size_t size = 0;
    for (; text[2 * size] != 0 && size < given.size(); ++size)
        given[size] = digit(text[2 * size]) << 4 | digit(text[2 * size + 1]);
    decoder.reset();
    std::span<const std::byte> input(given.data(), size);
    const auto frame = decoder.next(input);
    if (!frame) return false;
    SmallHello hello;
    CommandMessage command;
    const FrameType type = frame->header.type;
    if (type == FrameType::hello && !codec.decode_hello(frame->payload, hello)) return false;
    if (type == FrameType::command && !codec.decode_command(frame->payload, command)) return false;
    if (type == FrameType::setpoints && codec.decode_setpoints(frame->payload, setpoints) == 0) return false;
    const std::size_t written = encode_frame(frame->header, frame->payload, again);
    return written == size &&
           std::equal(again.begin(), again.begin() + static_cast<std::ptrdiff_t>(size), given.begin());
}

bool read_golden_frames() noexcept {
    std::uint32_t sound = 0;
    for (const char* text : kGolden) sound += is_golden(text) ? 1 : 0;
    line("golden frames read and written:", sound);
    line("golden frames:", static_cast<std::uint32_t>(std::size(kGolden)));
    return sound == std::size(kGolden);
}

int run() noexcept {
    mps2::start_clock();
    static BudgetBoard board;
    Identity identity;
    identity.parameters = parameters();
    identity.homed = true;
    static Firmware firmware(board, identity);
    DeviceControl& core = firmware.core();
    Count holds, runs, pushes, feedbacks, stops;
    const auto cycle = [&](Count& count) {
        board.time_us += 100;
        if (board.time_us % 2000 == 0) core.host_heard();
        count.of([] { firmware.cycle(); });
        firmware.serve();
    };
    for (int i = 0; i < 1000; ++i) cycle(holds);
    core.arm(1);
    const std::uint64_t start_us = board.time_us + 10'000;
    std::uint64_t next_us = start_us;
    const auto feed = [&] {
        for (; next_us < board.time_us + 60'000; next_us += 2000) {
            const Setpoint s = knot(next_us, start_us);
            pushes.of([&] { core.push(s); });
        }
    };
    feed();
    core.start(start_us, false);
    static const SmallCodec codec;
    static std::array<std::byte, kPayloadMax> payload;
    static std::array<std::byte, kEncodedFrameMax> frame;
    for (int i = 0; i < 20'000; ++i) {
        cycle(runs);
        feed();
        if (i % 20 != 0) continue;
        const Feedback feedback = core.feedback();
        feedbacks.of([&] {
            if (const auto size = codec.encode(feedback, payload))
                encode_frame({FrameType::feedback, 1, 1}, std::span<const std::byte>(payload).first(*size), frame);
        });
    }
    const bool ran = core.state() == DeviceState::running;
    core.request_stop();
    for (int i = 0; i < 2000; ++i) cycle(stops);
    line("cycle, holding, most:", holds.most);
    line("cycle, in motion, mean:", runs.sum / runs.times);
    line("cycle, longest:", std::max({holds.most, runs.most, stops.most}));
    line("a setpoint into the queue, most:", pushes.most);
    line("a feedback into a frame, most:", feedbacks.most);
    line("stack used, bytes:", static_cast<std::uint32_t>(stack_used_bytes()));
    const bool sound = ran && core.fault() == FaultCode::operator_stop;
    if (!sound) line("WRONG: the core has faulted:", static_cast<std::uint32_t>(core.fault()));
    return read_golden_frames() && sound ? 0 : 1;
}

}  // namespace
}  // namespace topple::firmware

int main() {
    using namespace topple::firmware;
    const bool sound = run() == 0;
    semihosting(0x18, reinterpret_cast<const void*>(sound ? 0x20026 : 0x20023));  // exit
    for (;;) {
    }
}
