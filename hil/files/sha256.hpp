// The identity of a file's content.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::files {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

}  // namespace topple::hil::files
