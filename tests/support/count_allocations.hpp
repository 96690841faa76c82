// Counts heap allocations of the calling thread: link count_allocations.cpp, which replaces operator new.
#pragma once

#include <cstddef>

namespace topple {

/// Calls of operator new in this thread since the start of the program.
std::size_t allocations_of_this_thread() noexcept;

/// Allocations since its construction, in the thread that constructed it.
class AllocationCount {
  public:
    AllocationCount() noexcept : before_(allocations_of_this_thread()) {}
    std::size_t of_this_thread() const noexcept { return allocations_of_this_thread() - before_; }

  private:
    std::size_t before_;
};

}  // namespace topple
