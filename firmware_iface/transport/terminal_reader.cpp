#include "firmware_iface/transport/terminal_reader.hpp"

#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <system_error>

namespace topple::firmware_iface {
namespace {

constexpr int kPriority = 61;  ///< just above the tick: it only moves bytes, and sleeps otherwise
constexpr int kFullWait_ms = 1;
constexpr std::size_t kReadSize = 4096;  ///< what Linux gives of a terminal at once

}  // namespace

TerminalReader::TerminalReader(int descriptor)
    : descriptor_(descriptor), wake_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (wake_ < 0) throw std::system_error(errno, std::generic_category(), "eventfd");
    try {
        thread_ = std::thread([this] { run(); });
    } catch (...) {
        ::close(wake_);
        throw;
    }
}

TerminalReader::~TerminalReader() {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(wake_, &one, sizeof one);  // a counter at 0 takes it
    thread_.join();
    ::close(wake_);
}

std::size_t TerminalReader::take(std::span<std::byte> into) noexcept { return bytes_.pop(into.data(), into.size()); }

int TerminalReader::end_code() const noexcept {
    const int end = end_.load(std::memory_order_acquire);
    return bytes_.read_available() == 0 ? end : kGoing;
}

void TerminalReader::run() noexcept {
    sched_param wanted{};
    wanted.sched_priority = kPriority;
    ::pthread_setschedparam(::pthread_self(), SCHED_FIFO, &wanted);
    while (wait() && read_once()) {
    }
}

bool TerminalReader::wait() noexcept {
    // Without room only for the end of this object; what comes meanwhile waits in the system, as for a slow program.
    const bool full = bytes_.write_available() == 0;
    std::array<pollfd, 2> of{{{wake_, POLLIN, 0}, {descriptor_, POLLIN, 0}}};
    const int ready = ::poll(of.data(), full ? 1 : 2, full ? kFullWait_ms : -1);
    hung_up_ = ready > 0 && (of[1].revents & (POLLHUP | POLLERR | POLLNVAL)) != 0;
    return !(ready > 0 && of[0].revents != 0);
}

bool TerminalReader::read_once() noexcept {
    std::array<std::byte, kReadSize> buffer;
    const std::size_t room = std::min(buffer.size(), bytes_.write_available());
    if (room == 0) return true;
    const ssize_t count = ::read(descriptor_, buffer.data(), room);
    if (count > 0) {
        bytes_.push(buffer.data(), static_cast<std::size_t>(count));
        return true;
    }
    // A terminal set to return at once says "0 bytes" both when it is empty and when it is gone.
    const bool empty = count == 0 ? !hung_up_ : errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR;
    if (empty) return true;
    end_.store(count == 0 ? 0 : errno, std::memory_order_release);
    return false;
}

}  // namespace topple::firmware_iface
