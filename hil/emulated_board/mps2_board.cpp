// The board of the emulated firmware: an ARM MPS2 whose machine is simulated beside it. For the linker
// (firmware_iface/firmware/boards.hpp).
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>

#include "firmware_iface/firmware/boards.hpp"
#include "firmware_iface/firmware/mps2/devices.hpp"
#include "firmware_iface/firmware/startup.hpp"
#include "hil/emulated_board/emulated_machine.hpp"

namespace topple::firmware {
namespace {

using firmware_iface::DriveCommand;
using firmware_iface::Measurement;
using hil::emulated_board::EmulatedMachine;
using hil::emulated_board::kStep_us;
using hil::emulated_board::ParameterPage;

// An emulator is no real-time system: an interrupt costs it more than a control cycle, so that each runs all the cycles
// that are due. What it missed is made up for, and beyond this its whole world stands still.
constexpr std::uint32_t kInterrupt_us = 1000;
constexpr std::uint32_t kStandStill_us = 20'000;
constexpr std::uint64_t kHostAway_us = 1'000'000;

const ParameterPage& page() noexcept {
    return *reinterpret_cast<const ParameterPage*>(hil::emulated_board::kPageAddress);
}

/// Where the platen is and how fast survives a reset of the controller.
struct Kept {
    std::uint64_t mark;
    double position_m, velocity_m_s;
};
[[gnu::section(".kept")]] Kept kept;

class Mps2Board final : public firmware_iface::Board {
  public:
    Mps2Board() noexcept
        : woken_(kept.mark == hil::emulated_board::kPageMark),
          machine_(page(), woken_ ? kept.position_m : 0.0, woken_ ? kept.velocity_m_s : 0.0) {
        keep();
        line_.start();
        mps2::start_clock();
    }

    Measurement measure() noexcept override {
        if (now_us_ % feedback_period_us_ == 0) machine_.sample();
        return machine_.measure();
    }
    std::uint64_t now_us() noexcept override { return now_us_; }
    void drive(const DriveCommand& command) noexcept override { command_ = command; }
    void kick_watchdog() noexcept override {}  // nothing of this world moves on when the program does not
    firmware_iface::SerialLine& line() noexcept override { return line_; }

    void start(Firmware& firmware, std::uint32_t feedback_period_us) noexcept {
        firmware_ = &firmware;
        feedback_period_us_ = feedback_period_us;
        seen_ticks_ = mps2::clock_ticks();
        mps2::start_interrupts(kInterrupt_us);
    }
    bool woken() const noexcept { return woken_; }

    void on_timer() noexcept {
        mps2::acknowledge_timer();
        const std::uint32_t ticks = mps2::clock_ticks();
        owed_ticks_ = std::min(owed_ticks_ + (ticks - seen_ticks_), kStandStill_us * mps2::kTicks_per_us);
        seen_ticks_ = ticks;
        for (; owed_ticks_ >= kStepTicks; owed_ticks_ -= kStepTicks) {
            now_us_ += kStep_us;
            firmware_->cycle();
            machine_.step(command_);
            keep();
        }
        watch_host();
    }

  private:
    static constexpr std::uint32_t kStepTicks = kStep_us * mps2::kTicks_per_us;

    void keep() const noexcept {
        kept = {hil::emulated_board::kPageMark, machine_.position_m(), machine_.velocity_m_s()};
    }
    // Between two hosts somebody puts the block back.
    void watch_host() noexcept {
        if (line_.received_count() != seen_bytes_) {
            seen_bytes_ = line_.received_count();
            heard_us_ = now_us_;
            away_ = false;
        } else if (!away_ && now_us_ - heard_us_ > kHostAway_us && !may_move(firmware_->core().state())) {
            away_ = true;
            machine_.stand_block_up();
        }
    }

    bool woken_;
    mps2::EthernetLine line_;
    EmulatedMachine machine_;
    Firmware* firmware_ = nullptr;
    std::uint32_t feedback_period_us_ = 2000;
    std::uint64_t now_us_ = 0, heard_us_ = 0;
    std::uint32_t seen_ticks_ = 0, owed_ticks_ = 0, seen_bytes_ = 0;
    bool away_ = true;
    DriveCommand command_;
};

Mps2Board* board = nullptr;

extern "C" void on_timer() { board->on_timer(); }
extern "C" [[noreturn]] void trap();

struct BoardVectors {
    void (*handlers[32])();
};
[[gnu::section(".vectors.board"), gnu::used]] const BoardVectors kBoardVectors{
    {trap, trap, trap, trap, trap, trap, trap, trap, on_timer, trap, trap, trap, trap, trap, trap, trap,
     trap, trap, trap, trap, trap, trap, trap, trap, trap,     trap, trap, trap, trap, trap, trap, trap}};

firmware_iface::SmallInfo info_of(const firmware_iface::MachineDescription& machine,
                                  std::uint32_t feedback_period_us) noexcept {
    const auto& name = page().machine_name;
    firmware_iface::SmallInfo info;
    info.device = std::string_view(name.data(),
                                   static_cast<std::size_t>(std::find(name.begin(), name.end(), '\0') - name.begin()));
    info.serial_number = std::string_view("emulated");
    info.firmware_version = std::string_view("reference firmware");
    info.simulated = page().simulated != 0;
    info.configuration_hash = configuration_hash(machine);
    info.setpoint_capacity = kSetpoints;
    info.feedback_period_us = feedback_period_us;
    info.rotation_sensor_count = page().block.mass_kg > 0.0 ? 1 : 0;
    info.has_trigger = true;
    info.axes[0] = {
        std::string_view("x"),          machine.stroke_m,     machine.velocity_max_m_s, machine.acceleration_max_m_s2,
        machine.stop_deceleration_m_s2, machine.counts_per_m, machine.encoder_sign,     machine.accelerometer_sign};
    return info;
}

}  // namespace

firmware_iface::Board& start_board() noexcept {
    static Mps2Board here;
    board = &here;
    return here;
}

Identity identity() noexcept {
    const firmware_iface::MachineDescription& machine = hil::emulated_board::machine_of(page());
    Identity id;
    firmware_iface::DeviceParameters& p = id.parameters;
    p.limits = limits_of(machine);
    p.servo = servo_of(machine, page().block.mass_kg);
    p.servo.sample_s = 1e-6 * kStep_us;
    p.configuration_hash = configuration_hash(machine);
    p.has_trigger = true;
    const double period_us = machine.feedback_rate_hz > 0.0 ? 1e6 / machine.feedback_rate_hz : 2000.0;
    p.timing.feedback_period_us =
        std::max<std::uint32_t>(1, static_cast<std::uint32_t>(period_us / kStep_us + 0.5)) * kStep_us;
    p.timing.silence_running_us = firmware_iface::kLookAhead_us + 3 * p.timing.feedback_period_us;
    p.timing.stall_us = 3 * p.timing.feedback_period_us;
    id.info = info_of(machine, p.timing.feedback_period_us);
    id.homed = page().homed != 0 && !board->woken();
    return id;
}

void start_cycles(Firmware& firmware) noexcept {
    board->start(firmware, identity().parameters.timing.feedback_period_us);
}

}  // namespace topple::firmware
