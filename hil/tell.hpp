// Messages on standard error that can be lost but never do harm.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <utility>

namespace topple::hil {

/// Writes to standard error at once. A message that cannot be written (terminal hung up, disk full, stream
/// closed) is lost; unlike fmt::print it never throws for that, because a test goes on without its
/// spectators.
template <typename... Arguments>
void tell(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    const std::string text = fmt::format(format, std::forward<Arguments>(arguments)...);
    std::fwrite(text.data(), 1, text.size(), stderr);
    std::fflush(stderr);
    std::clearerr(stderr);
}

}  // namespace topple::hil
