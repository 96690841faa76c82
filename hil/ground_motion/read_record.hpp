// Any file of ground motion, told by its content and read.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "hil/ground_motion/record.hpp"

namespace topple::hil::ground_motion {

enum class Format { at2, cosmos, csmip, knet, esm, afad, smc, matlab, columns };

/// As [excitation] format and --format name it: "at2", "cosmos", ...; format_names() in the order of the enum.
std::string_view format_name(Format format) noexcept;
const std::vector<std::string_view>& format_names();

/// By the content of a whole file, never by its name. What is nothing known is `columns`. Throws InputError for kinds
/// that are known and not read (MATLAB 7.3, GeoNet, spreadsheets): what it is and what to do.
Format detect(const std::string& file, std::string_view bytes);

/// Reads the file; `format` is detected if it is empty or "auto". Throws InputError naming file, line and reason:
/// counts that differ, contradictory sampling, response spectra, values that are not finite, numbers that cannot be
/// told apart. A record may come back without unit or times if neither the file nor `stated` has them; see usable().
Record read_record(const std::filesystem::path& file, std::string_view format = "auto", const Stated& stated = {});

/// Is the file an experiment (TOML with tables) rather than numbers?
bool looks_like_experiment(std::string_view bytes);

/// Throws InputError unless unit and times of the channel are known: what is missing and how to state it.
void require_usable(const Record& record, const Channel& channel);

}  // namespace topple::hil::ground_motion
