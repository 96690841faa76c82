// Example of a real board, never run: STM32F767 (Cortex-M7, 216 MHz, double precision), encoder on timer 3, USART 1,
// force as a voltage of the DAC. It is compiled with the firmware so that it stays complete; what to change:
// docs/firmware.md. Registers: ST reference manual RM0410.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "firmware_iface/firmware/boards.hpp"

namespace topple::firmware {
namespace {

using firmware_iface::DriveCommand;
using firmware_iface::Measurement;
using Register = volatile std::uint32_t;

Register& at(std::uintptr_t address) noexcept { return *reinterpret_cast<Register*>(address); }

constexpr std::uintptr_t kTim3 = 0x40000400, kTim6 = 0x40001000, kTim2 = 0x40000000, kDac = 0x40007400,
                         kUsart1 = 0x40011000, kGpioD = 0x40020C00, kIwdg = 0x40003000;
// Offsets.
constexpr std::uintptr_t kTimerControl = 0x00, kSlaveMode = 0x08, kTimerInterrupt = 0x0C, kTimerStatus = 0x10,
                         kEvent = 0x14, kCaptureMode = 0x18, kCount = 0x24, kPrescaler = 0x28, kReload = 0x2C;
constexpr std::uintptr_t kUsartControl = 0x00, kBaud = 0x0C, kUsartStatus = 0x1C, kUsartClear = 0x20, kReceive = 0x24,
                         kSend = 0x28;
constexpr std::uintptr_t kInput = 0x10, kSetReset = 0x18, kDacControl = 0x00, kDacValue = 0x08;
constexpr std::uint32_t kUsartErrors = 0xF;  // overrun, noise, framing, parity: the flags and what clears them
constexpr std::uint32_t kUsartReceived = 1U << 5, kUsartRoom = 1U << 7;
// Pins of port D. Pull-ups; contacts to ground that open when pressed, and drive ready one that closes: a broken wire
// reads as pressed, and as a drive that is not ready.
constexpr unsigned kEnablePin = 0, kBrakePin = 1, kTriggerPin = 2, kDriveReadyPin = 8, kReferencePin = 9,
                   kLimitPin = 10, kEstopPin = 11;
constexpr unsigned kTim6Irq = 54, kUsart1Irq = 37;
constexpr std::uint32_t kPeriod_us = 100, kTimerClock_hz = 108'000'000;
constexpr double kForceMax_n = 1000.0, kDacMiddle = 2048.0, kDacRange = 2047.0;

bool pressed(unsigned pin) noexcept { return (at(kGpioD + kInput) >> pin & 1U) != 0; }
void set_pin(unsigned pin, bool high) noexcept { at(kGpioD + kSetReset) = 1U << (high ? pin : pin + 16); }

class Usart final : public firmware_iface::SerialLine {
  public:
    /// Also called for an overrun, which only this clears: else the interrupt would never end.
    void on_receive() noexcept {
        const std::uint32_t status = at(kUsart1 + kUsartStatus);
        at(kUsart1 + kUsartClear) = status & kUsartErrors;
        if ((status & kUsartReceived) == 0) return;
        const auto byte = static_cast<std::byte>(at(kUsart1 + kReceive));
        if (written_ - read_ == ring_.size()) return;  // lost: the frame will be found damaged
        ring_[written_ % ring_.size()] = byte;
        written_ = written_ + 1;
    }
    std::size_t read_some(std::span<std::byte> into) noexcept override {
        const std::size_t count = std::min<std::size_t>(written_ - read_, into.size());
        for (std::size_t i = 0; i < count; ++i) into[i] = ring_[(read_ + i) % ring_.size()];
        read_ = read_ + count;
        return count;
    }
    std::size_t write_some(std::span<const std::byte> from) noexcept override {
        std::size_t sent = 0;
        while (sent < from.size() && (at(kUsart1 + kUsartStatus) & kUsartRoom) != 0)
            at(kUsart1 + kSend) = std::to_integer<std::uint32_t>(from[sent++]);
        return sent;
    }

  private:
    std::array<std::byte, 2048> ring_{};
    volatile std::uint32_t written_ = 0, read_ = 0;
};

/// The data cache stays off: the data is in memory that needs none.
void start_instruction_cache() noexcept {
    constexpr std::uintptr_t kInvalidate = 0xE000EF50, kControl = 0xE000ED14;
    at(kInvalidate) = 0;
    __asm volatile("dsb\n isb" ::: "memory");
    at(kControl) = at(kControl) | 1U << 17;
    __asm volatile("dsb\n isb" ::: "memory");
}

/// Counts microseconds up to `reload`. The prescaler counts only once an update event has loaded it; the status that
/// the event leaves is taken back, so that no interrupt comes of it.
void start_timer(std::uintptr_t timer, std::uint32_t reload, std::uint32_t interrupt) noexcept {
    at(timer + kPrescaler) = kTimerClock_hz / 1'000'000 - 1;
    at(timer + kReload) = reload;
    at(timer + kEvent) = 1;
    at(timer + kTimerStatus) = 0;
    at(timer + kTimerInterrupt) = interrupt;
    at(timer + kTimerControl) = 1;
}

class Stm32Board final : public firmware_iface::Board {
  public:
    void start() noexcept {
        // The clocks of port D and of the DAC come before this; they, the rest of the clock tree, the pin functions and
        // the converters of accelerometers are the board's own and not shown.
        drive({});                   // the middle of the range: no force
        at(kDac + kDacControl) = 1;  // only now does it drive its output
        start_instruction_cache();
        at(kTim3 + kCaptureMode) = 0x0101;  // both inputs of the encoder
        at(kTim3 + kSlaveMode) = 3;         // counts all four edges
        at(kTim3 + kReload) = 0xFFFF;
        at(kTim3 + kTimerControl) = 1;
        start_timer(kTim2, UINT32_MAX, 0);  // the device's time
        at(kUsart1 + kBaud) = kTimerClock_hz / 921'600;
        at(kUsart1 + kUsartControl) = 0x2D;  // on, both ways, interrupt on reception
        // Watchdog: 25 counts of its own oscillator / 4, which runs at 17 to 47 kHz: it resets after 2.1 to 5.9 ms, so
        // never later than DeviceTiming::stall_us, and the reset takes the drive's enable.
        at(kIwdg) = 0x5555;
        at(kIwdg + 4) = 0;
        at(kIwdg + 8) = 24;
        at(kIwdg) = 0xCCCC;
    }

    Measurement measure() noexcept override {
        const auto now = static_cast<std::uint16_t>(at(kTim3 + kCount));
        count_ += static_cast<std::int16_t>(now - seen_count_);  // 16 bits wrap: less than half of them in a cycle
        seen_count_ = now;
        const std::uint32_t clock = at(kTim2 + kCount);
        time_us_ += clock - seen_clock_;
        seen_clock_ = clock;
        Measurement m;
        m.encoder_count = count_;
        m.drive_ok = !pressed(kDriveReadyPin);  // the contact is closed when the drive is ready
        m.reference_pressed = pressed(kReferencePin);
        m.limit_pressed = pressed(kLimitPin);
        m.estop_pressed = pressed(kEstopPin);
        return m;
    }
    std::uint64_t now_us() noexcept override { return time_us_; }
    void drive(const DriveCommand& command) noexcept override {
        const bool pushes = command.enable && std::isfinite(command.force_n);
        const double share = pushes ? std::clamp(command.force_n / kForceMax_n, -1.0, 1.0) : 0.0;
        at(kDac + kDacValue) = static_cast<std::uint32_t>(kDacMiddle + kDacRange * share);
        set_pin(kBrakePin, !command.brake);  // released by power
        set_pin(kEnablePin, command.enable);
        set_pin(kTriggerPin, command.trigger);
    }
    void kick_watchdog() noexcept override { at(kIwdg) = 0xAAAA; }
    firmware_iface::SerialLine& line() noexcept override { return usart_; }

    void run(Firmware& firmware) noexcept {
        firmware_ = &firmware;
        start_timer(kTim6, kPeriod_us - 1, 1);
        constexpr std::uintptr_t kEnable = 0xE000E100, kPriority = 0xE000E400;
        *reinterpret_cast<volatile std::uint8_t*>(kPriority + kTim6Irq) = 0x40;  // below the USART
        at(kEnable + 4) = 1U << (kTim6Irq - 32) | 1U << (kUsart1Irq - 32);
        __asm volatile("cpsie i" ::: "memory");
    }
    void on_period() noexcept {
        at(kTim6 + kTimerStatus) = 0;
        firmware_->cycle();
    }
    Usart& usart() noexcept { return usart_; }

  private:
    Usart usart_;
    Firmware* firmware_ = nullptr;
    std::int64_t count_ = 0;
    std::uint64_t time_us_ = 0;
    std::uint16_t seen_count_ = 0;
    std::uint32_t seen_clock_ = 0;
};

Stm32Board* board = nullptr;

extern "C" [[noreturn]] void trap();
struct BoardVectors {
    void (*handlers[64])();
};
constexpr BoardVectors vectors() {
    BoardVectors v{};
    for (auto& handler : v.handlers) handler = trap;
    v.handlers[kTim6Irq] = [] { board->on_period(); };
    v.handlers[kUsart1Irq] = [] { board->usart().on_receive(); };
    return v;
}
[[gnu::section(".vectors.board"), gnu::used]] constinit const BoardVectors kBoardVectors = vectors();

}  // namespace

firmware_iface::Board& start_board() noexcept {
    static Stm32Board here;
    board = &here;
    here.start();
    return here;
}

// The numbers of your machine file: a host whose file has others refuses to run.
Identity identity() noexcept {
    Identity id;
    firmware_iface::DeviceParameters& p = id.parameters;
    p.limits = {.stroke_m = 0.108,
                .velocity_max_m_s = 2.58,
                .acceleration_max_m_s2 = 31.5,
                .stop_deceleration_m_s2 = 15.0,
                .following_error_max_m = 0.01,
                .buffer_travel_m = 0.03,
                .counts_per_m = 1.0e6,
                .accelerometer_offset_max_m_s2 = 0.5,
                .brake_deceleration_m_s2 = 8.0};
    p.servo.gains = firmware_iface::usual_servo_gains(30.0);
    p.servo.force_max_n = kForceMax_n;
    p.servo.moving_mass_kg = 30.0;
    p.servo.sample_s = 1e-6 * kPeriod_us;
    p.configuration_hash = 0xF09722B88A741F34;  // `topple check --device sim: --machine FILE` prints it
    id.info.device = std::string_view("my table");
    id.info.serial_number = std::string_view("1");
    id.info.firmware_version = std::string_view("1.0");
    id.info.configuration_hash = p.configuration_hash;
    id.info.setpoint_capacity = kSetpoints;
    id.info.feedback_period_us = p.timing.feedback_period_us;
    id.info.axes[0] = {std::string_view("x"),
                       p.limits.stroke_m,
                       p.limits.velocity_max_m_s,
                       p.limits.acceleration_max_m_s2,
                       p.limits.stop_deceleration_m_s2,
                       p.limits.counts_per_m,
                       1,
                       1};
    return id;
}

void start_cycles(Firmware& firmware) noexcept { board->run(firmware); }

}  // namespace topple::firmware
