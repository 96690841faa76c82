// LabVIEW's measurement files (.lvm), as specified by National Instruments.
#pragma once

#include <string>
#include <string_view>

#include "hil/vendor_files/raw_table.hpp"

namespace topple::hil::vendor_files {

bool is_labview(std::string_view text) noexcept;  ///< its first words are "LabVIEW Measurement"

/// The first segment; further ones are noted. Separator, decimal sign and X columns as its header says (X_Columns No:
/// X0 and Delta_X give the time; One; Multi: all must agree). Empty cells end a channel's samples. Channels carry their
/// Y_Unit_Label. Throws InputError naming the line.
RawTable read_labview(const std::string& text, const std::string& file);

}  // namespace topple::hil::vendor_files
