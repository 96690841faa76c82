// A run as one file in the format of other software.
#pragma once

#include <filesystem>
#include <string>

#include "hil/exports/export_csv.hpp"
#include "hil/exports/exported_run.hpp"
#include "hil/files/output_file.hpp"

namespace topple::hil::exports {

/// Where to; `file` empty: run.h5 or run.mat beside the log.
struct ExportTarget {
    std::filesystem::path file;
    files::Overwrite overwrite = files::Overwrite::refuse;
};

/// HDF5: a group for each table, a dataset for each column with attributes `unit` and `description`; layout in
/// docs/export.md. Throws InputError if the log cannot be read, or the file exists and must not be overwritten,
/// OutputError if writing fails; then the file is as it was.
Exported export_hdf5(const std::filesystem::path& run, const ExportTarget& target = {});

/// MATLAB level 5: one structure `run` with a structure for each table. Throws as export_hdf5(), and InputError for a
/// run that is larger than the format allows (2 GiB).
Exported export_mat(const std::filesystem::path& run, const ExportTarget& target = {});

}  // namespace topple::hil::exports
