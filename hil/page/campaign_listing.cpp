#include "hil/page/campaign_listing.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>

#include "hil/files/csv_cells.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::page {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr std::size_t kFigureBytesMax = 8 << 20;

/// Columns of tests.csv that the page shows where they are, beside the varied keys.
constexpr const char* kShown[] = {"test",      "specimen_index", "status",  "outcome", "side", "peak_rotation_rad",
                                  "predicted", "p_overturning",  "verdict", "why"};

std::vector<fs::path> runs_of(const fs::path& folder) {
    std::vector<fs::path> runs;
    std::error_code error;  // what cannot be looked at is not shown
    for (fs::directory_iterator entry(folder / "runs", error), end; !error && entry != end; entry.increment(error))
        if (std::error_code odd; entry->is_directory(odd)) runs.push_back(entry->path());
    std::sort(runs.begin(), runs.end());
    return runs;
}

struct Table {
    std::vector<std::string> names;
    std::vector<std::vector<std::string>> rows;
};

/// A torn last line is left out; of a test that stands there twice both lines are shown.
Table read_table(const fs::path& file) {
    std::istringstream lines(files::read_text_file(file));
    Table table;
    for (std::string line; std::getline(lines, line);) {
        if (!line.empty() && line.back() == '\r') line.pop_back();
        if (line.empty() || line.front() == '#') continue;
        std::vector<std::string> cells = files::csv_cells(line);
        if (table.names.empty())
            table.names = std::move(cells);
        else if (cells.size() == table.names.size())
            table.rows.push_back(std::move(cells));
    }
    return table;
}

std::vector<std::size_t> shown_columns(const Table& table) {
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < table.names.size(); ++i) {
        const bool is_key = table.names[i].find('.') != std::string::npos;
        if (is_key || std::find(std::begin(kShown), std::end(kShown), table.names[i]) != std::end(kShown))
            places.push_back(i);
    }
    return places;
}

void add_figures(const fs::path& folder, Json& list, std::vector<live::Document>& documents) {
    std::vector<fs::path> files;
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error))
        if (std::error_code odd; entry->path().extension() == ".svg" && entry->is_regular_file(odd) &&
                                 entry->file_size(odd) <= kFigureBytesMax && !odd)
            files.push_back(entry->path());
    std::sort(files.begin(), files.end());
    for (const fs::path& file : files) {
        const std::string path = fmt::format("/campaign/figure_{}.svg", documents.size() + 1);
        documents.push_back({path, "image/svg+xml", files::read_text_file(file)});
        list.push_back(Json{{"path", path}, {"title", file.stem().string()}});
    }
}

}  // namespace

bool is_campaign(const fs::path& folder) {
    std::error_code ignored;
    return fs::is_directory(folder / "runs", ignored) && fs::exists(folder / "tests.csv", ignored);
}

CampaignListing campaign_listing(const fs::path& folder, std::size_t first_run, std::size_t runs_max) {
    CampaignListing listing;
    listing.runs = runs_of(folder);
    if (listing.runs.size() > runs_max)
        listing.runs.erase(listing.runs.begin(), listing.runs.end() - static_cast<std::ptrdiff_t>(runs_max));
    std::map<std::string, std::size_t> numbers;
    for (std::size_t i = 0; i < listing.runs.size(); ++i) numbers[listing.runs[i].filename().string()] = first_run + i;

    const Table table = read_table(folder / "tests.csv");
    const std::vector<std::size_t> columns = shown_columns(table);
    const auto run = std::find(table.names.begin(), table.names.end(), "run") - table.names.begin();
    Json names = Json::array(), tests = Json::array(), figures = Json::array();
    for (const std::size_t i : columns) names.push_back(table.names[i]);
    for (const std::vector<std::string>& row : table.rows) {
        Json test = Json::object();
        for (const std::size_t i : columns) test[table.names[i]] = row[i];
        if (static_cast<std::size_t>(run) < row.size()) {
            const auto number = numbers.find(fs::path(row[static_cast<std::size_t>(run)]).filename().string());
            if (number != numbers.end()) test["shown_run"] = number->second;
        }
        tests.push_back(std::move(test));
    }
    add_figures(folder, figures, listing.figures);
    listing.description = Json{{"columns", names}, {"tests", tests}, {"figures", figures}}.dump(
        -1, ' ', false, Json::error_handler_t::replace);
    return listing;
}

}  // namespace topple::hil::page
