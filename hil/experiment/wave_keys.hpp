// Keys that several types of excitation share.
#pragma once

#include <string_view>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

/// Exactly one of two ways to write a quantity; the value is in the unit of `first`, or times `second_unit`.
double one_of_two(TomlTable& table, std::string_view first, std::string_view second, const NumberRange& range,
                  double second_unit);

/// Fails at `key` if it makes the motion last longer than kDurationMax_s.
void check_duration(TomlTable& table, std::string_view key, double duration_s);

/// amplitude_m_s2 or amplitude_g.
double read_amplitude(TomlTable& table, const ExcitationContext& context);

}  // namespace topple::hil::experiment
