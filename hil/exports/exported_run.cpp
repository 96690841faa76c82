#include "hil/exports/exported_run.hpp"

#include <algorithm>

#include "hil/exports/run_tables.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::exports {
namespace {

constexpr const char* kDocuments[] = {"experiment.toml",    "machine.toml", "faults.toml", "prediction.json",
                                      "learned_drive.json", "mark.json",    "summary.json"};

std::string field_name(std::string file) {
    std::replace(file.begin(), file.end(), '.', '_');
    return file;
}

}  // namespace

std::string ExportedRun::text_of(const std::string& file) const {
    const auto found =
        std::find_if(documents.begin(), documents.end(), [&](const Document& one) { return one.file == file; });
    return found == documents.end() ? std::string() : found->text;
}

void read_exported_run(const std::filesystem::path& run, ExportedRun& into) {
    into.log = run_log::run_log_path(run);
    into.data = run_log::read_run_log(into.log);
    into.documents.clear();
    for (const char* name : kDocuments) {
        const std::filesystem::path file = into.log.parent_path() / name;
        std::error_code error;
        if (!std::filesystem::is_regular_file(file, error)) continue;
        std::string text = files::read_text_file(file);
        const std::string sha256 = files::sha256_hex(text);
        into.documents.push_back({name, field_name(name), std::move(text), sha256});
    }
    into.tables = run_tables(into.data, into.log);
}

}  // namespace topple::hil::exports
