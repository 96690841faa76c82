#include "firmware_iface/firmware/mps2/devices.hpp"

#include <algorithm>

namespace topple::firmware::mps2 {
namespace {

using Register = volatile std::uint32_t;

struct TimerRegisters {
    Register control, value, reload, interrupt;
};
constexpr std::uint32_t kTimerOn = 1, kTimerInterruptOn = 8;  // control

constexpr std::uintptr_t kTimer0 = 0x40000000, kTimer1 = 0x40001000;
constexpr std::uintptr_t kEthernet = 0xA0000000;  // of the AN500 image
constexpr std::uintptr_t kInterruptEnable = 0xE000E100;
constexpr unsigned kTimerIrq = 8;

Register& at(std::uintptr_t address) noexcept { return *reinterpret_cast<Register*>(address); }
TimerRegisters& timer(std::uintptr_t address) noexcept { return *reinterpret_cast<TimerRegisters*>(address); }

void start(TimerRegisters& timer, std::uint32_t reload, std::uint32_t control) noexcept {
    timer.reload = reload;
    timer.value = reload;
    timer.control = control;
}

// LAN9118: offsets of its registers, and what is written there.
constexpr std::uintptr_t kReceiveData = 0x00, kSendData = 0x20, kReceiveStatus = 0x40, kSendConfig = 0x70,
                         kReceiveInfo = 0x7C, kMacCommand = 0xA4, kMacData = 0xA8;
constexpr std::uint32_t kSendOn = 2;                                         // send config
constexpr std::uint32_t kMacBusy = 0x80000000, kMacControl = 1;              // MAC command
constexpr std::uint32_t kMacReceives = 4, kMacSends = 8, kMacAny = 0x40000;  // MAC control
constexpr std::uint32_t kWholeFrame = 0x3000;                                // command A: first and last piece
constexpr std::uint32_t kCheckSum = 4;                                       // bytes after a frame
Register& ethernet(std::uintptr_t offset) noexcept { return at(kEthernet + offset); }

// To anybody, from a locally administered address.
constexpr std::array<std::uint8_t, 14> kAddresses{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0x02,
                                                  0x54, 0x4F, 0x50, 0x50, 0x4C, 0x88, 0xB5};

}  // namespace

void EthernetLine::start() noexcept {
    ethernet(kSendConfig) = kSendOn;
    ethernet(kMacData) = kMacReceives | kMacSends | kMacAny;
    ethernet(kMacCommand) = kMacBusy | kMacControl;
}

bool EthernetLine::take_frame() noexcept {
    if ((ethernet(kReceiveInfo) >> 16 & 0xFFU) == 0) return false;
    const std::size_t size = ethernet(kReceiveStatus) >> 16 & 0x3FFFU;  // with the checksum
    for (std::size_t i = 0; i < size; i += 4) {
        const std::uint32_t word = ethernet(kReceiveData);
        for (std::size_t k = 0; k < 4 && i + k < frame_.size(); ++k)
            frame_[i + k] = static_cast<std::byte>(word >> (8 * k));
    }
    next_ = end_ = 0;
    if (size < kHeader + kCheckSum || frame_[12] != std::byte{0x88} || frame_[13] != std::byte{0xB5}) return true;
    const std::size_t bytes = std::to_integer<std::size_t>(frame_[14]) | std::to_integer<std::size_t>(frame_[15]) << 8;
    next_ = kHeader;
    end_ = kHeader + std::min<std::size_t>({bytes, size - kHeader - kCheckSum, kBytesMax});
    received_ += static_cast<std::uint32_t>(end_ - next_);
    return true;
}

std::size_t EthernetLine::read_some(std::span<std::byte> into) noexcept {
    if (next_ == end_ && !take_frame()) return 0;
    const std::size_t count = std::min(end_ - next_, into.size());
    std::copy_n(frame_.begin() + next_, count, into.begin());
    next_ += count;
    return count;
}

std::size_t EthernetLine::write_some(std::span<const std::byte> from) noexcept {
    const std::size_t count = std::min(from.size(), kBytesMax), size = kHeader + count;
    const auto byte = [&](std::size_t i) -> std::uint32_t {
        if (i < kAddresses.size()) return kAddresses[i];
        if (i < kHeader) return count >> (8 * (i - kAddresses.size())) & 0xFFU;
        return i < size ? std::to_integer<std::uint32_t>(from[i - kHeader]) : 0U;
    };
    ethernet(kSendData) = kWholeFrame | static_cast<std::uint32_t>(size);
    ethernet(kSendData) = static_cast<std::uint32_t>(size);
    for (std::size_t i = 0; i < size; i += 4)
        ethernet(kSendData) = byte(i) | byte(i + 1) << 8 | byte(i + 2) << 16 | byte(i + 3) << 24;
    return count;
}

void start_clock() noexcept { start(timer(kTimer1), UINT32_MAX, kTimerOn); }

std::uint32_t clock_ticks() noexcept { return ~timer(kTimer1).value; }

void start_interrupts(std::uint32_t period_us) noexcept {
    start(timer(kTimer0), period_us * kTicks_per_us - 1, kTimerOn | kTimerInterruptOn);
    at(kInterruptEnable) = 1U << kTimerIrq;
    __asm volatile("cpsie i" ::: "memory");
}

void acknowledge_timer() noexcept { timer(kTimer0).interrupt = 1; }

}  // namespace topple::firmware::mps2
