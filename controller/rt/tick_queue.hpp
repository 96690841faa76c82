// From one thread to one other without a lock: a ring of fixed capacity.
#pragma once

#include <atomic>
#include <cstddef>
#include <vector>

namespace topple::controller {

/// Exactly one thread pushes and exactly one pops. Nothing is allocated after construction: slots are reused, so an
/// item that owns memory keeps it (copy assignment into a slot of enough capacity does not allocate).
template <class Item>
class TickQueue {
  public:
    explicit TickQueue(std::size_t capacity) : slots_(capacity + 1) {}
    TickQueue(const TickQueue&) = delete;
    TickQueue& operator=(const TickQueue&) = delete;

    std::size_t capacity() const noexcept { return slots_.size() - 1; }

    /// Producer. False if the queue is full; the item is then not taken.
    bool push(const Item& item) noexcept {
        Item* slot = back();
        if (slot == nullptr) return false;
        *slot = item;
        commit();
        return true;
    }
    /// Producer: the slot to fill in place, nullptr if the queue is full. It is seen by the consumer after commit().
    Item* back() noexcept {
        const std::size_t write = write_.load(std::memory_order_relaxed);
        if (after(write) == read_seen_) {
            read_seen_ = read_.load(std::memory_order_acquire);
            if (after(write) == read_seen_) return nullptr;
        }
        return &slots_[write];
    }
    void commit() noexcept { write_.store(after(write_.load(std::memory_order_relaxed)), std::memory_order_release); }

    /// Consumer. False if the queue is empty.
    bool pop(Item& item) noexcept {
        Item* slot = front();
        if (slot == nullptr) return false;
        item = *slot;
        release();
        return true;
    }
    /// Consumer: the oldest item in place, nullptr if there is none. Its slot is given back by release().
    Item* front() noexcept {
        const std::size_t read = read_.load(std::memory_order_relaxed);
        if (read == write_seen_) {
            write_seen_ = write_.load(std::memory_order_acquire);
            if (read == write_seen_) return nullptr;
        }
        return &slots_[read];
    }
    void release() noexcept { read_.store(after(read_.load(std::memory_order_relaxed)), std::memory_order_release); }

    /// Any thread; exact only while neither side is at work.
    std::size_t size() const noexcept {
        const std::size_t write = write_.load(std::memory_order_acquire), read = read_.load(std::memory_order_acquire);
        return write >= read ? write - read : write + slots_.size() - read;
    }

  private:
    static constexpr std::size_t kCacheLine = 64;  // bytes; keeps the two sides from invalidating each other's line
    std::size_t after(std::size_t index) const noexcept { return index + 1 == slots_.size() ? 0 : index + 1; }

    std::vector<Item> slots_;  // one always stays free: full and empty then differ
    alignas(kCacheLine) std::atomic<std::size_t> write_{0};
    std::size_t read_seen_ = 0;  // producer's last look at read_
    alignas(kCacheLine) std::atomic<std::size_t> read_{0};
    std::size_t write_seen_ = 0;  // consumer's last look at write_
};

}  // namespace topple::controller
