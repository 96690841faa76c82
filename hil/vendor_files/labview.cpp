#include "hil/vendor_files/labview.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "hil/files/errors.hpp"
#include "hil/vendor_files/text_table.hpp"

namespace topple::hil::vendor_files {
namespace {

constexpr std::string_view kEndOfHeader = "***End_of_Header***";

using Tags = std::map<std::string, std::vector<std::string_view>, std::less<>>;

class Reader {
  public:
    Reader(const std::string& text, const std::string& file) : lines_(lines_of(text)), file_(file) {}

    RawTable read() {
        const Tags header = read_tags();
        separator_ = word(header, "Separator", "Tab") == "Comma" ? ',' : '\t';
        decimal_ = word(header, "Decimal_Separator", ".") == "," ? ',' : '.';
        const std::string x_columns = word(header, "X_Columns", "One");
        const Tags segment = read_tags();
        const std::vector<std::string_view> names = next_cells("the names of the columns are wanted");
        RawTable table{file_, "LabVIEW measurement", {}, {}, {}, {}, {}};
        choose_columns(table, names, segment, x_columns);
        read_rows(table);
        if (x_columns == "No") take_step(table, segment);
        if (x_columns == "Multi") join_times(table);
        return table;
    }

  private:
    [[noreturn]] void fail(const std::string& why) const {
        throw files::InputError(fmt::format("{}:{}: LabVIEW measurement file: {}", file_, at_ + 1, why));
    }

    static std::string word(const Tags& tags, std::string_view tag, std::string_view otherwise) {
        const auto found = tags.find(tag);
        return std::string(found == tags.end() || found->second.empty() ? otherwise : found->second.front());
    }

    /// Tagged lines up to the end of this header.
    Tags read_tags() {
        Tags tags;
        for (; at_ < lines_.size(); ++at_) {
            // Until the header has said which, either separator may stand here.
            const char separator = separator_ != 0                              ? separator_
                                   : lines_[at_].find('\t') != lines_[at_].npos ? '\t'
                                                                                : ',';
            std::vector<std::string_view> cells = cells_of(lines_[at_], separator);
            if (cells.empty()) continue;
            if (cells.front() == kEndOfHeader) {
                ++at_;
                return tags;
            }
            tags.emplace(std::string(cells.front()), std::vector<std::string_view>(cells.begin() + 1, cells.end()));
        }
        at_ = lines_.empty() ? 0 : lines_.size() - 1;
        fail("its header has no end: a line ***End_of_Header*** is wanted");
    }

    std::vector<std::string_view> next_cells(const char* wanted) {
        for (; at_ < lines_.size(); ++at_)
            if (auto cells = cells_of(lines_[at_], separator_); !cells.empty()) return ++at_, cells;
        at_ = lines_.size() - 1;
        fail(wanted);
    }

    void choose_columns(RawTable& table, const std::vector<std::string_view>& names, const Tags& segment,
                        const std::string& x_columns) {
        if (x_columns != "No" && x_columns != "One" && x_columns != "Multi")
            fail(fmt::format("X_Columns is \"{}\"; allowed: No, One, Multi", x_columns));
        const auto labels = segment.find("Y_Unit_Label");
        std::size_t channel = 0;
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (names[i] == "Comment") continue;
            const bool is_x = names[i] == "X_Value" && (x_columns == "Multi" ? i % 2 == 0 : i == 0);
            if (is_x && x_columns == "No") continue;  // its cells are empty
            std::string unit;
            if (is_x)
                unit = "s";
            else if (labels != segment.end() && channel < labels->second.size())
                unit = labels->second[channel];
            if (!is_x) ++channel;
            cells_.push_back(i);
            table.names.emplace_back(names[i]);
            table.units.push_back(std::move(unit));
            table.columns.emplace_back();
        }
        if (channel == 0) fail("it has no channel");
        if (table.columns.size() > kColumnsMax) fail(fmt::format("more than {} columns", kColumnsMax));
    }

    void read_rows(RawTable& table) {
        for (; at_ < lines_.size(); ++at_) {
            const std::vector<std::string_view> cells = cells_of(lines_[at_], separator_);
            if (cells.empty()) continue;
            if (table.columns.back().size() > 0 && !cells.front().empty() && !number_in(cells.front(), decimal_)) {
                table.notes.emplace_back(
                    fmt::format("only the first segment was read: line {} begins another", at_ + 1));
                break;
            }
            for (std::size_t k = 0; k < cells_.size(); ++k) {
                if (cells_[k] >= cells.size() || cells[cells_[k]].empty()) continue;  // this channel is shorter
                const auto value = number_in(cells[cells_[k]], decimal_);
                if (!value)
                    fail(fmt::format("\"{}\" is not a finite number (column \"{}\")", cells[cells_[k]].substr(0, 40),
                                     table.names[k]));
                table.columns[k].push_back(*value);
            }
        }
        if (table.columns.front().empty()) {
            at_ = lines_.size() - 1;
            fail("it has no samples");
        }
    }

    void take_step(RawTable& table, const Tags& segment) {
        const auto step = number_in(word(segment, "Delta_X", ""), decimal_);
        if (!step || !(*step > 0.0)) fail("X_Columns is No, and Delta_X states no step of time above 0");
        table.step_s = *step;
    }

    /// One column of time instead of one beside each channel.
    void join_times(RawTable& table) {
        const std::vector<double> time = table.columns.front();
        for (std::size_t k = table.columns.size(); k-- > 1;) {
            if (table.names[k] != "X_Value") continue;
            if (table.columns[k] != time)
                throw files::InputError(
                    fmt::format("{}: LabVIEW measurement file: its channels have different times, which is not "
                                "supported: save them with one X column",
                                file_));
            table.names.erase(table.names.begin() + static_cast<std::ptrdiff_t>(k));
            table.units.erase(table.units.begin() + static_cast<std::ptrdiff_t>(k));
            table.columns.erase(table.columns.begin() + static_cast<std::ptrdiff_t>(k));
        }
    }

    std::vector<std::string_view> lines_;
    std::string file_;
    std::size_t at_ = 0;
    char separator_ = 0, decimal_ = '.';
    std::vector<std::size_t> cells_;  // of the line, one per column of the table
};

}  // namespace

bool is_labview(std::string_view text) noexcept { return text.starts_with("LabVIEW Measurement"); }

RawTable read_labview(const std::string& text, const std::string& file) { return Reader(text, file).read(); }

}  // namespace topple::hil::vendor_files
