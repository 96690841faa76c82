// How deep the stack has ever been: it is painted before main().
#pragma once

#include <cstddef>

namespace topple::firmware {

std::size_t stack_used_bytes() noexcept;
std::size_t stack_size_bytes() noexcept;

}  // namespace topple::firmware
