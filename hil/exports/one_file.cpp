#include "hil/exports/one_file.hpp"

#include <fmt/format.h>

#include "hil/files/errors.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::exports {

namespace fs = std::filesystem;

Exported export_as_file(const fs::path& run, const ExportTarget& target, const char* name,
                        const std::function<void(const ExportedRun&, files::UnfinishedFile&)>& write) {
    const fs::path file = target.file.empty() ? run_log::run_log_path(run).parent_path() / name : target.file;
    std::error_code error;
    if (fs::exists(file, error) && !fs::is_regular_file(file, error))
        throw files::InputError(fmt::format("{}: is no file; this format is written to a file only", file.string()));
    files::require_writable_name(file, target.overwrite);
    ExportedRun exported;
    read_exported_run(run, exported);
    if (file.has_parent_path()) fs::create_directories(file.parent_path(), error);  // else the next line says why not
    files::UnfinishedFile unfinished(file);
    write(exported, unfinished);
    unfinished.sync();
    unfinished.put_in_place(target.overwrite);
    return {file, exported.data.damage};
}

}  // namespace topple::hil::exports
