#include "hil/outcome_tables/outcome_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_tables/outcome_words.hpp"
#include "hil/outcome_tables/refusal.hpp"
#include "hil/study/key_axis.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_tables {
namespace {

namespace fs = std::filesystem;
using experiment::ComposedText;
using experiment::Experiment;
using files::InputError;

/// Makes a TableRow of one line.
class RowReader {
  public:
    RowReader(const OutcomeTable& table, const ComposedText& text)
        : table_(table), text_(text), directory_(fs::absolute(table.file).parent_path()) {}

    TableRow read(const TableLine& line) const {
        TableRow row;
        row.line = line.line;
        row.cells = line.cells;
        row.cells.resize(std::max(line.cells.size(), table_.columns.all.size()));
        const auto name = table_.columns.find(Role::test);
        row.test = name && !row.cells[*name].empty() ? row.cells[*name] : fmt::format("line {}", row.line);
        row.settings = settings_of(row);
        try {
            require_width(line);
            read_numbers(row);
            read_outcome(row);
            row.experiment_text = compose(row);
        } catch (const RefusedRow& refused) {
            row.refused = refused.why;
        } catch (const InputError& error) {
            row.refused = Refusal{"", plain_reason(error.what(), table_.experiment.source.string())};
        }
        return row;
    }

  private:
    struct RefusedRow {
        Refusal why;
    };
    const std::string& heading(std::size_t column) const { return table_.columns.all[column].heading; }
    [[noreturn]] void refuse(std::size_t column, const std::string& reason) const {
        throw RefusedRow{{heading(column), reason}};
    }

    void require_width(const TableLine& line) const {
        for (std::size_t i = table_.columns.all.size(); i < line.cells.size(); ++i)
            if (!line.cells[i].empty())
                throw RefusedRow{{"", fmt::format("{} cells; the header has {}: a cell that holds the separator must "
                                                  "stand in quotes",
                                                  line.cells.size(), table_.columns.all.size())}};
    }

    std::optional<double> number(const TableRow& row, Role role) const {
        const auto column = table_.columns.find(role);
        if (!column || row.cells[*column].empty()) return std::nullopt;
        const auto value = text::parse_number(with_point(row.cells[*column], table_.columns.decimal));
        if (!value || *value < 0.0)
            refuse(*column, fmt::format("\"{}\": must be a number >= 0, or blank", text::one_line(row.cells[*column])));
        return value;
    }

    void read_numbers(TableRow& row) const {
        row.peak_velocity_m_s = number(row, Role::peak_velocity);
        row.peak_rotation_rad = number(row, Role::peak_rotation);
    }

    void read_outcome(TableRow& row) const {
        std::string said;  // what left it open
        for (std::size_t i = 0; i < table_.columns.all.size(); ++i) {
            const Role role = table_.columns.all[i].role;
            const bool is_outcome = role == Role::outcome || role == Role::fell || role == Role::stood;
            if (!is_outcome) continue;
            const std::string& cell = row.cells[i];
            const SaidOutcome one = role == Role::fell    ? read_fall_word(cell)
                                    : role == Role::stood ? read_stand_word(cell)
                                                          : read_outcome_word(cell);
            if (one.is_unknown_word)
                refuse(i,
                       fmt::format("\"{}\" is no outcome; allowed: {}", text::one_line(cell), outcome_words_allowed()));
            if (!one.seen && said.empty())
                said = cell.empty() ? fmt::format("{} is blank", heading(i))
                                    : fmt::format("{} is \"{}\"", heading(i), text::one_line(cell));
            if (!one.seen) continue;
            if (row.seen && row.seen->overturned != one.seen->overturned)
                refuse(i, fmt::format("\"{}\" contradicts the other column of the outcome", text::one_line(cell)));
            if (!row.seen || !row.seen->outcome) row.seen = one.seen;
        }
        if (!row.seen) row.not_scored = said;
        const auto discarded = table_.columns.find(Role::discarded);
        if (discarded && says_discarded(row.cells[*discarded])) {
            row.not_scored = "discarded: " + text::one_line(row.cells[*discarded]);
            row.seen.reset();
        }
    }

    static bool says_discarded(const std::string& cell) {
        return !cell.empty() && cell != "0" && cell != "false" && cell != "no" && cell != "n";
    }

    static bool is_file(const fs::path& file) {
        std::error_code ignored;
        return fs::is_regular_file(file, ignored);
    }

    std::optional<fs::path> motion_of(const TableRow& row) const {
        const auto column = table_.columns.find(Role::motion);
        if (!column || row.cells[*column].empty()) return std::nullopt;
        const fs::path file = (directory_ / row.cells[*column]).lexically_normal();
        if (!is_file(file)) refuse(*column, fmt::format("{}: no such file", text::one_line(file.string())));
        return file;
    }

    /// A file beside the table; or a name such as "B6L" of a file b6l.toml, there, beside the template or in a folder
    /// `specimens` of either.
    std::optional<fs::path> specimen_of(const TableRow& row) const {
        const auto column = table_.columns.find(Role::specimen);
        if (!column || row.cells[*column].empty()) return std::nullopt;
        const std::string& cell = row.cells[*column];
        const fs::path file = (directory_ / cell).lexically_normal();
        if (is_file(file)) return file;
        std::string name;
        for (const char c : cell) name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        if (!name.ends_with(".toml")) name += ".toml";
        const fs::path beside_template = fs::absolute(table_.experiment.source).parent_path();
        for (const fs::path& folder : {directory_, beside_template})
            for (const fs::path& candidate : {folder / name, folder / "specimens" / name})
                if (is_file(candidate)) return candidate.lexically_normal();
        refuse(*column, fmt::format("{}: no such file, and no {} beside the table or the template",
                                    text::one_line(file.string()), text::one_line(name)));
    }

    /// The experiment's text: specimen, motion and keys first, then what is derived of them. A blank cell is as in the
    /// template.
    std::string compose(const TableRow& row) const {
        std::vector<ComposedText::Setting> settings;
        std::vector<study::KeyNumbers::Number> derived;
        std::size_t derived_column = 0;
        for (std::size_t i = 0; i < table_.columns.all.size(); ++i) {
            const Column& column = table_.columns.all[i];
            if (column.role != Role::key || row.cells[i].empty()) continue;
            const std::string cell = with_point(row.cells[i], table_.columns.decimal);
            if (!column.is_derived) {
                settings.push_back({column.key, cell});
                continue;
            }
            const auto value = text::parse_number(cell);
            if (!value) refuse(i, fmt::format("\"{}\": must be a number", text::one_line(cell)));
            derived.push_back({column.key, *value});
            derived_column = i;
        }
        const std::string text = text_.with(settings, {specimen_of(row), motion_of(row)});
        if (derived.empty()) return text;
        const Experiment one = experiment::read_experiment_text(text, table_.experiment.source, {});
        try {
            return ComposedText(study::KeyNumbers(one).text_with(derived), one.source.string()).with({});
        } catch (const InputError& error) {
            throw RefusedRow{{heading(derived_column), plain_reason(error.what(), one.source.string())}};
        }
    }

    std::string settings_of(const TableRow& row) const {
        std::string text;
        for (std::size_t i = 0; i < table_.columns.all.size(); ++i) {
            const Column& column = table_.columns.all[i];
            const bool sets = column.role == Role::key || column.role == Role::motion || column.role == Role::specimen;
            if (!sets || row.cells[i].empty()) continue;
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", column.heading, row.cells[i]);
        }
        return text;
    }

    const OutcomeTable& table_;
    const ComposedText& text_;
    fs::path directory_;
};

/// Who never wrote of sliding did not look for it.
void note_unseen_slip(std::vector<TableRow>& rows) {
    const bool is_noted = std::any_of(rows.begin(), rows.end(), [](const TableRow& row) {
        return row.seen && row.seen->outcome == solver::Outcome::sliding;
    });
    for (TableRow& row : rows)
        if (row.seen) row.seen->slip_unseen = !is_noted;
}

}  // namespace

std::string plain_reason(const std::string& message, const std::string& file) {
    const std::string shown = text::one_line(file);
    if (!message.starts_with(shown)) return message;
    const std::size_t place = message.find(", column ", shown.size());
    const std::size_t end = message.find(": ", place == std::string::npos ? shown.size() : place);
    return end == std::string::npos ? message : message.substr(end + 2);
}

OutcomeTable read_outcome_table(const fs::path& file, const fs::path& experiment_file) {
    OutcomeTable table;
    table.file = file;
    table.experiment = experiment::read_experiment(experiment_file);
    if (table.experiment.assembly)
        throw InputError(experiment_file.string() + ": an assembly has no outcome that a table could state");
    table.text = read_table_text(file);
    keep_last_lines(table.text);
    const ComposedText text(table.experiment.text, experiment_file.string());
    table.columns = columns_of(table.text, text);
    if (table.experiment.specimens.size() > 1 && !table.columns.find(Role::specimen))
        throw InputError(fmt::format("{}: {} specimens; a row of a table has the outcome of one: keep one",
                                     experiment_file.string(), table.experiment.specimens.size()));
    const RowReader reader(table, text);
    std::vector<TableRow> rows;
    for (const TableLine& line : table.text.rows) rows.push_back(reader.read(line));
    note_unseen_slip(rows);
    table.rows = std::move(rows);
    return table;
}

}  // namespace topple::hil::outcome_tables
