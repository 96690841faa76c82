// Counts allocations of the test program that links heap_counter.cpp.
#pragma once

#include <cstdint>

namespace topple::test {

/// Calls of operator new since the program began, all threads.
std::uint64_t heap_allocations() noexcept;
/// The same of the calling thread alone.
std::uint64_t heap_allocations_of_this_thread() noexcept;

}  // namespace topple::test
