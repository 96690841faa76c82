// Single-producer, single-consumer ring of log records: neither side ever waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <utility>
#include <vector>

namespace topple::hil {

template <typename T>
class LogQueue {
  public:
    explicit LogQueue(std::size_t capacity) : slots_(capacity + 1) {}
    /// Producer. False if full.
    bool push(const T& value) noexcept {
        const std::size_t at = head_.load(std::memory_order_relaxed), next = after(at);
        if (next == tail_.load(std::memory_order_acquire)) return false;
        slots_[at] = value;
        head_.store(next, std::memory_order_release);
        return true;
    }
    /// Consumer. False if empty.
    bool pop(T& value) noexcept {
        const std::size_t at = tail_.load(std::memory_order_relaxed);
        if (at == head_.load(std::memory_order_acquire)) return false;
        value = slots_[at];
        tail_.store(after(at), std::memory_order_release);
        return true;
    }

  private:
    std::size_t after(std::size_t at) const noexcept { return at + 1 == slots_.size() ? 0 : at + 1; }
    std::vector<T> slots_;
    alignas(64) std::atomic<std::size_t> head_{0};
    alignas(64) std::atomic<std::size_t> tail_{0};
};

}  // namespace topple::hil
