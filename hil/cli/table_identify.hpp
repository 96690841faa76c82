// topple table identify: shakes the table, finds what it is, proposes gains, writes a machine file.
#pragma once

#include <functional>
#include <string>

#include "hil/check/checked_table.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::cli {

struct IdentifyOptions {
    double amplitude_m_s2 = 0.0;
    std::string write, author, serial;  ///< machine file to be written; empty: none
    std::string figure, csv;            ///< empty: none
};

/// What can be said before a table is opened. Throws InputError.
void require_identify_options(const IdentifyOptions& options);

/// `experiment`: machine file and [table] as read; `consent` asks for the motions in words. Prints what was found, then
/// writes what was asked for. Throws InputError (nothing has moved), DeviceError, and OutputError if a machine file was
/// asked for and there is nothing to write into it.
void identify_and_print(const check::CheckedTable& table, const experiment::TableSection& section,
                        const IdentifyOptions& options, const std::function<void(const std::string&)>& consent);

}  // namespace topple::hil::cli
