// Numbers as people type them: the whole text is one number, or it is none.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace topple::hil::text {

/// A finite decimal number, with sign and exponent if any, whatever the locale. Nothing for an empty text, for one that
/// continues after the number ("5mm", "1e") and for what a double cannot hold ("1e999").
std::optional<double> parse_number(std::string_view text) noexcept;

/// Decimal digits and nothing else: no sign, no point, no exponent; leading zeros mean nothing.
std::optional<std::uint64_t> parse_whole_number(std::string_view text) noexcept;

}  // namespace topple::hil::text
