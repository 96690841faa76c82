// A script of frames, rubbish and disturbances into the device: it moves only where its state allows, within its
// stroke, without jumps, and says only what the host understands.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "firmware_iface/machine.hpp"
#include "firmware_iface/served/device_session.hpp"
#include "tests/fuzz/input_reader.hpp"
#include "tests/fuzz/require.hpp"

using namespace topple::firmware_iface;
using topple::fuzz::InputReader;
using topple::fuzz::require;

namespace {

constexpr std::uint64_t kCycle_us = 100;
constexpr int kTicksMax = 6000;
constexpr double kOvershoot_m = 1e-3;  // docs/safety.md: a stop exceeds no limit by more

DeviceParameters parameters() {
    DeviceParameters parameters;
    parameters.limits = limits_of(quanser_st_iii());
    parameters.configuration_hash = configuration_hash(quanser_st_iii());
    return parameters;
}

/// An ideal machine: the platen is where it is told to be.
class Bench {
  public:
    explicit Bench(bool homed) : core_(parameters()), session_(core_, describe(quanser_st_iii(), {})) {
        if (homed) core_.assume_homed(0);
        attach();
        tick();
    }

    void step(InputReader& input) {
        switch (input.byte() % 10) {
            case 0: return tick_for(1 + input.byte());
            case 1: return write(input.bytes(input.byte() % 64));
            case 2: return hello(input.byte() & 3U);
            case 3: return command(input);
            case 4: return setpoints(input);
            case 5: return frame(static_cast<FrameType>(input.byte() % 9), input.bytes(input.byte()));
            case 6: return swing(input);
            case 7: return disturb(input.byte());
            case 8: return attach();
            case 9: return tick_for(20);
        }
    }
    bool spent() const noexcept { return ticks_ >= kTicksMax; }
    void tick_for(int count) {
        for (int i = 0; i < count && !spent(); ++i) tick();
    }

  private:
    void attach() {
        auto [host, device] = make_pipe();
        host_ = std::move(host);
        decoder_.reset();
        session_.attach(std::move(device));
    }

    void tick() {
        ++ticks_;
        now_us_ += kCycle_us;
        const DeviceState before = core_.state();
        const DriveCommand last = command_;
        session_.receive(now_us_);
        measurement_.reference_pressed = measurement_.encoder_count < 0;
        command_ = core_.tick(now_us_, measurement_);
        if (ticks_ > 1) check(before, last);
        ticked_us_ = now_us_;
        if (command_.enable && std::abs(command_.setpoint.position_m) < 10.0)
            measurement_.encoder_count = std::llround(command_.setpoint.position_m * counts_per_m_);
        if (now_us_ % 2000 == 0) session_.send_feedback(core_.feedback());
        session_.flush();
        listen();
    }

    void check(DeviceState before, const DriveCommand& last) const {
        const AxisSetpoint& now = command_.setpoint;
        require(is_finite(now), "a setpoint is finite");
        require(command_.enable != command_.brake, "the brake is on whenever the drive is off");
        if (!command_.enable) return;
        const double moved_m = std::abs(now.position_m - last.setpoint.position_m);
        // Cleared and homed anew within one cycle, the drive begins where the platen is, not where it was held.
        const double measured_m = static_cast<double>(measurement_.encoder_count) / counts_per_m_;
        const bool begins_anew = std::abs(now.position_m - measured_m) < 1e-9;
        if (last.enable && !may_move(before) && !may_move(core_.state()))
            require(moved_m == 0.0 || begins_anew, "what may not move does not move");
        const double fastest_m_s = 1.1 * limits_.velocity_max_m_s + 0.05;
        const double elapsed_s =
            1e-6 * static_cast<double>(now_us_ - ticked_us_);  // a cycle, or more where the loop was late
        if (last.enable) require(moved_m <= fastest_m_s * elapsed_s + 1e-4, "the setpoint does not jump");
        if (core_.homed() && core_.state() != DeviceState::homing)
            require(std::abs(core_.setpoint().position_m) <= limits_.stroke_m + kOvershoot_m,
                    "the setpoint stays in the stroke");
        const bool could_run =
            before == DeviceState::ready || before == DeviceState::armed || before == DeviceState::running;
        if (core_.state() == DeviceState::running) require(could_run, "only a homed table that is ready or armed runs");
    }

    void listen() {
        std::array<std::byte, 4096> bytes;
        while (const std::size_t size = host_->read_some(bytes)) {
            std::span<const std::byte> input(bytes.data(), size);
            while (const auto frame = decoder_.next(input)) understand(*frame);
        }
        require(decoder_.counters().bytes_damaged == 0, "the device sends sound frames");
    }

    void understand(const Frame& frame) {
        Feedback feedback;
        ReplyMessage reply;
        DeviceInfo info;
        std::uint64_t time_us = 0;
        bool known = false;
        if (frame.header.type == FrameType::feedback) known = host_codec_.decode_feedback(frame.payload, feedback);
        if (frame.header.type == FrameType::reply) known = host_codec_.decode_reply(frame.payload, reply);
        if (frame.header.type == FrameType::description)
            known = host_codec_.decode_description(frame.payload, info, time_us);
        require(known, "the host understands what the device says");
    }

    // ---- what the input can do ----
    void write(std::span<const std::byte> bytes) { host_->write_some(bytes); }

    void frame(FrameType type, std::span<const std::byte> payload) {
        std::array<std::byte, kEncodedFrameMax> bytes;
        write(std::span<const std::byte>(bytes.data(), encode_frame({type, id_, sequence_++}, payload, bytes)));
    }
    template <class Message>
    void send(FrameType type, const Message& message) {
        std::array<std::byte, kPayloadMax> payload;
        if (const auto size = host_codec_.encode(message, payload))
            frame(type, std::span<const std::byte>(payload.data(), *size));
    }
    void hello(std::uint32_t id) {
        id_ = id;
        send(FrameType::hello, HelloMessage{});
    }
    void command(InputReader& input) {
        const std::uint8_t what = input.byte();
        CommandMessage message;
        message.kind = static_cast<CommandKind>(what % 8);
        message.configuration_hash = (what & 0x80U) ? 1 : configuration_hash(quanser_st_iii());
        message.start_time_us = now_us_ + 100ULL * input.byte();
        message.release_specimen = (what & 0x40U) != 0;
        send(FrameType::command, message);
    }
    /// A batch around the held position, or of raw numbers.
    void setpoints(InputReader& input) {
        std::array<Setpoint, kSetpointBatchMax> batch;
        const std::uint8_t what = input.byte();
        const std::size_t count = 1 + what % kSetpointBatchMax;
        std::uint64_t time_us = now_us_ + 100ULL * input.byte();
        for (std::size_t i = 0; i < count; ++i, time_us += 100ULL * input.byte()) {
            batch[i].device_time_us = (what & 0x20U) ? input.take<std::uint64_t>() : time_us;
            AxisSetpoint& axis = batch[i].axes[0];
            if (what & 0x10U)
                axis = {input.take<double>(), input.take<double>(), input.take<double>()};
            else
                axis = {core_.setpoint().position_m + 0.1 * input.ratio(), 2.0 * input.ratio(), 40.0 * input.ratio()};
            batch[i].final = (what & 0x40U) && i + 1 == count;
            batch[i].axis_count = (what & 0x80U) ? 2 : 1;
        }
        send(FrameType::setpoints, std::span<const Setpoint>(batch).first(count));
    }
    /// Arms, queues a motion that begins at rest where the platen is held, and starts it.
    void swing(InputReader& input) {
        const double amplitude_m = 0.15 * input.ratio(), w_rad_s = 1.0 + input.byte();
        const std::uint64_t start_us = now_us_ + 3000;
        send(FrameType::command, CommandMessage{CommandKind::arm, configuration_hash(quanser_st_iii()), 0, false});
        tick_for(1);
        std::array<Setpoint, kSetpointBatchMax> batch;
        for (std::size_t i = 0; i < batch.size(); ++i) {
            const double t = 0.002 * static_cast<double>(i);
            batch[i].device_time_us = start_us + 2000 * i;
            batch[i].axes[0] = {core_.setpoint().position_m + amplitude_m * (1 - std::cos(w_rad_s * t)),
                                amplitude_m * w_rad_s * std::sin(w_rad_s * t),
                                amplitude_m * w_rad_s * w_rad_s * std::cos(w_rad_s * t)};
        }
        send(FrameType::setpoints, std::span<const Setpoint>(batch));
        send(FrameType::command, CommandMessage{CommandKind::start, 0, start_us, false});
    }
    void disturb(std::uint8_t what) {
        switch (what % 8) {
            case 0: measurement_.estop_pressed = !measurement_.estop_pressed; return;
            case 1: measurement_.limit_pressed = !measurement_.limit_pressed; return;
            case 2: measurement_.drive_ok = !measurement_.drive_ok; return;
            case 3: measurement_.acceleration_x_m_s2 = (what & 8U) ? std::nan("") : what; return;
            case 4: measurement_.has_acceleration = !measurement_.has_acceleration; return;
            case 5: measurement_.encoder_count += (what >> 3) * 1000; return;
            case 6: measurement_.rotation_count = what; return;
            case 7: now_us_ += 100ULL * what; return;  // the device's own loop stalls
        }
    }

    DeviceCore core_;
    DeviceSession session_;
    std::unique_ptr<ByteStream> host_;
    Codec host_codec_;
    FrameDecoder decoder_;
    Measurement measurement_;
    DriveCommand command_;
    const AxisLimits limits_ = limits_of(quanser_st_iii());
    const double counts_per_m_ = limits_.counts_per_m * limits_.encoder_sign;
    std::uint64_t now_us_ = 1'000'000, ticked_us_ = now_us_;
    std::uint32_t id_ = 1, sequence_ = 0;
    int ticks_ = 0;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    InputReader input(bytes, size);
    Bench bench((input.byte() & 1U) != 0);
    while (!input.empty() && !bench.spent()) bench.step(input);
    bench.tick_for(200);
    return 0;
}
