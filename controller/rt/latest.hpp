// The newest value of something, from one thread to one other, without either ever waiting.
#pragma once

#include <array>
#include <atomic>
#include <type_traits>

namespace topple::controller {

/// Triple buffer: the writer fills its own slot and swaps it with the one in the middle, the reader swaps its own with
/// the middle if that is newer. Both sides finish in a bounded number of steps even if the other is suspended in the
/// middle of its work (a sequence lock would make the tick wait for a preempted writer). One writer, one reader.
template <class Value>
class Latest {
    static_assert(std::is_copy_assignable_v<Value>);

  public:
    Latest() = default;
    explicit Latest(const Value& first) { slots_.fill(first); }
    Latest(const Latest&) = delete;
    Latest& operator=(const Latest&) = delete;

    /// Writer.
    void write(const Value& value) noexcept {
        slots_[writer_] = value;
        writer_ = middle_.exchange(writer_ | kNew, std::memory_order_acq_rel) & kIndex;
    }
    /// Reader: the last value written, or the first one. Const because the value does not change by being read; the
    /// bookkeeping belongs to the one reader.
    Value read() const noexcept {
        update();
        return slots_[reader_];
    }
    /// Reader: true if a value has been written since the last read; `value` is untouched otherwise.
    bool read_new(Value& value) const noexcept {
        if (!update()) return false;
        value = slots_[reader_];
        return true;
    }

  private:
    static constexpr unsigned kIndex = 3, kNew = 4;

    bool update() const noexcept {
        if ((middle_.load(std::memory_order_relaxed) & kNew) == 0) return false;
        reader_ = middle_.exchange(reader_, std::memory_order_acq_rel) & kIndex;
        return true;
    }

    std::array<Value, 3> slots_{};
    mutable std::atomic<unsigned> middle_{1};
    unsigned writer_ = 0;
    mutable unsigned reader_ = 2;
};

}  // namespace topple::controller
