// The readers, one per format, and what they share. All throw InputError naming file, line and reason.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "hil/ground_motion/numbers.hpp"
#include "hil/ground_motion/record.hpp"
#include "hil/ground_motion/text_lines.hpp"
#include "hil/ground_motion/units.hpp"

namespace topple::hil::ground_motion {

Record read_at2(const TextLines& lines);
/// COSMOS V0 to V2, version 1.20 of the format: any number of channels.
Record read_cosmos(const TextLines& lines);
/// CSMIP (CDMG) and USC, volumes 1 and 2: any number of channels.
Record read_csmip(const TextLines& lines);
Record read_knet(const TextLines& lines);  ///< K-NET and KiK-net
Record read_esm(const TextLines& lines);   ///< ESM, ITACA and AFAD in "DYNA" headers
Record read_afad(const TextLines& lines);  ///< Turkish records of three columns
Record read_smc(const TextLines& lines);
Record read_columns(const TextLines& lines, const Stated& stated);
/// MATLAB level 5; read from the file itself.
Record read_matlab(const std::filesystem::path& file, const Stated& stated);

/// Throws unless as many samples were read as line `index` states; zeros that fill up the last line are taken off and
/// noted.
void require_count(const TextLines& lines, std::size_t index, std::size_t stated, Numbers& read, Channel& channel);
/// Multiplies the samples, and the printed peak, into m/s2; a channel without unit stays as it is.
void convert(Channel& channel, const std::optional<Unit>& unit);
/// Notes a printed peak that differs from the one that was read by more than its digits.
void compare_peak(Channel& channel);
/// Even times become step_s, others stay in time_s from 0 on. `decimal_s`: the last decimal that is printed. Throws at
/// line `index` if they do not increase.
void set_times(const TextLines& lines, std::size_t index, std::vector<double> time_s, Channel& channel);
/// "FILE: WHAT ... is not an acceleration".
[[noreturn]] void refuse_quantity(const TextLines& lines, std::size_t index, std::string_view what);
/// Throws unless a duration that a header prints agrees with count and step: by one step or 1 %.
void require_duration(const TextLines& lines, std::size_t index, const PrintedNumber& duration, const Channel& channel);

}  // namespace topple::hil::ground_motion
