#include "hil/exports/export_csv.hpp"

#include <fmt/format.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <iterator>
#include <system_error>

#include "hil/exports/run_tables.hpp"
#include "hil/files/csv_cells.hpp"
#include "hil/files/errors.hpp"
#include "hil/run_log/run_log_reader.hpp"

namespace topple::hil::exports {
namespace {

using files::OutputError;
using std::filesystem::path;

void add_cell(std::string& line, const Reals& reals, std::size_t row) {
    const double value = reals.at(row);
    if (!std::isfinite(value)) return;
    if (reals.decimals >= 0)
        fmt::format_to(std::back_inserter(line), "{:.{}f}", value, reals.decimals);
    else
        fmt::format_to(std::back_inserter(line), "{}", value);
}
void add_cell(std::string& line, const Wholes& wholes, std::size_t row) {
    fmt::format_to(std::back_inserter(line), "{}", wholes.at(row));
}
void add_cell(std::string& line, const Words& words, std::size_t row) { line += words.words.at(words.at(row)); }
void add_cell(std::string& line, const Texts& texts, std::size_t row) { line += files::csv_cell(texts.at(row)); }

void write_table(const RunTable& table, const path& file) {
    std::ofstream out(file, std::ios::binary);
    std::string line;
    const auto end_line = [&] {
        line.back() = '\n';  // in place of the last comma
        out << line;
        line.clear();
    };
    for (const RunColumn& column : table.columns) line += files::csv_cell(column.name) + ',';
    end_line();
    for (std::size_t row = 0; row < table.row_count; ++row) {
        for (const RunColumn& column : table.columns) {
            std::visit([&](const auto& values) { add_cell(line, values, row); }, column.values);
            line += ',';
        }
        end_line();
    }
    out.close();
    if (!out) throw OutputError(fmt::format("{}: cannot be written", file.string()));
}

/// A folder of its own beside the final one, under another name: nothing that is there is followed.
path make_unfinished(const path& folder) {
    std::string pattern = path(folder) += ".unfinished.XXXXXX";
    std::error_code error;
    if (folder.has_parent_path()) std::filesystem::create_directories(folder.parent_path(), error);
    if (error || ::mkdtemp(pattern.data()) == nullptr)
        throw OutputError(
            fmt::format("{}: cannot be made: {}", folder.string(), error ? error.message() : std::strerror(errno)));
    ::chmod(pattern.c_str(), 0755);
    return pattern;
}

}  // namespace

Exported export_csv(const path& run, path folder) {
    const path log = run_log::run_log_path(run);
    const run_log::RunData data = run_log::read_run_log(log);
    const std::vector<RunTable> tables = run_tables(data, log);
    if (folder.empty()) folder = log.parent_path() / "csv";
    if (!folder.has_filename()) folder = folder.parent_path();  // "dir/"
    if (std::filesystem::exists(folder)) throw files::InputError(fmt::format("{} exists already", folder.string()));
    // Written under a new name first: a folder of the final name is always complete.
    const path unfinished = make_unfinished(folder);
    std::error_code error;
    try {
        for (const RunTable& table : tables) write_table(table, unfinished / (table.name + ".csv"));
        std::filesystem::rename(unfinished, folder);
    } catch (const std::filesystem::filesystem_error& failure) {
        std::filesystem::remove_all(unfinished, error);
        throw OutputError(failure.what());
    } catch (...) {
        std::filesystem::remove_all(unfinished, error);
        throw;
    }
    return {folder, data.damage};
}

}  // namespace topple::hil::exports
