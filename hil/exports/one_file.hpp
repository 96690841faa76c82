// What the formats of one file share: where it goes, and that it is whole or not there.
#pragma once

#include <filesystem>
#include <functional>

#include "hil/exports/export_file.hpp"

namespace topple::hil::exports {

/// Reads the run, lets `write` write it into a new file, and puts it in place. `name`: of the file, where
/// the target names none.
Exported export_as_file(const std::filesystem::path& run, const ExportTarget& target, const char* name,
                        const std::function<void(const ExportedRun&, files::UnfinishedFile&)>& write);

}  // namespace topple::hil::exports
