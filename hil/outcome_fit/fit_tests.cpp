#include "hil/outcome_fit/fit_tests.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <stdexcept>

#include "hil/experiment/axis_motions.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_tables/refusal.hpp"
#include "hil/outcome_tables/specimen_outcome.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::outcome_fit {
namespace {

using experiment::Experiment;
using files::InputError;
using outcome_tables::OutcomeTable;
using outcome_tables::TableRow;
using ColumnRole = outcome_tables::Role;

/// Throws InputError and std::invalid_argument.
std::shared_ptr<const FitExperiment> experiment_of(const std::string& text, const Experiment& like) {
    const Experiment one = experiment::read_experiment_text(text, like.source, {});
    if (one.specimens.size() != 1)
        throw InputError(fmt::format("specimen: {} specimens; a row has the outcome of one", one.specimens.size()));
    if (one.excitation.coupled)
        throw InputError("excitation: a coupled air track: fit follows prescribed motions only");
    auto result = std::make_shared<FitExperiment>();
    result->specimen = one.specimens.front();
    if (result->specimen.restitution.model == solver::RestitutionModel::random)
        throw InputError(
            "restitution: random: every impact is another draw, and no test teaches anything of the next; allowed: "
            "housner, improved, fixed");
    result->motion = experiment::excitation_along(one, experiment::plane_angle_rad(one, 0)).planned_motion();
    result->options = plan::solver_options(one, one.model);
    result->options.outcome_only = true;
    result->uncertainty = one.uncertainty;
    result->model = one.model;
    result->is_stack = result->specimen.blocks.size() > 1;
    if (!result->motion.empty()) result->peak_velocity_m_s = result->motion.extremes().velocity_peak_m_s;
    // What the model refuses, it refuses now.
    solver::predict_outcomes({&result->specimen, 1}, result->motion, result->options);
    return result;
}

std::string cell_of(const OutcomeTable& table, const TableRow& row, ColumnRole role) {
    const auto column = table.columns.find(role);
    return column ? row.cells[*column] : std::string();
}

/// Rows are of one specimen if all numbers that a learned file holds are the same; the slope of the seat is the
/// test's.
std::string identity_of(const solver::Specimen& specimen) {
    std::string text(experiment::law_of(specimen));
    for (const auto& number : experiment::described_numbers(specimen))
        if (number.key != "initial_tilt_rad") text += fmt::format(" {} {:.9g}", number.key, number.value);
    return text;
}

class Collector {
  public:
    explicit Collector(TableTests& result) : result_(result), table_(result.table) {}

    void take(std::size_t row) {
        const TableRow& one = table_.rows[row];
        if (one.refused) return refuse(row, one.refused->column, one.refused->reason);
        if (!one.seen) return result_.unused.push_back({row, "", one.not_scored, false});
        const auto known = known_.find(one.experiment_text);
        if (known == known_.end() || known->second) try {
                add(row, known == known_.end() ? made(one.experiment_text) : known->second);
            } catch (const std::exception& error) {  // InputError, invalid_argument
                const std::string reason =
                    outcome_tables::plain_reason(error.what(), table_.experiment.source.string());
                failures_[one.experiment_text] = reason;
                refuse(row, "", reason);
            }
        else
            refuse(row, "", failures_[one.experiment_text]);
    }

  private:
    std::shared_ptr<const FitExperiment> made(const std::string& text) {
        known_[text] = nullptr;
        return known_[text] = experiment_of(text, table_.experiment);
    }

    void refuse(std::size_t row, const std::string& column, const std::string& reason) {
        result_.unused.push_back({row, column, reason, true});
    }

    void add(std::size_t row, const std::shared_ptr<const FitExperiment>& experiment) {
        const TableRow& one = table_.rows[row];
        if (const std::string why = outcome_tables::impossible_outcome(*one.seen, experiment->is_stack); !why.empty())
            return refuse(row, "", why);
        const auto [at, is_new] = places_.emplace(identity_of(experiment->specimen), result_.specimens.size());
        if (is_new) result_.specimens.push_back({cell_of(table_, one, ColumnRole::specimen), experiment->specimen, {}});
        result_.specimens[at->second].tests.push_back(
            {row, experiment, outcome_tables::outcome_of_specimen(*one.seen, experiment->is_stack), {}});
    }

    TableTests& result_;
    const OutcomeTable& table_;
    std::map<std::string, std::shared_ptr<const FitExperiment>> known_;  // null: refused
    std::map<std::string, std::string> failures_;
    std::map<std::string, std::size_t> places_;
};

/// Which tests are held out together.
void name_units(TableTests& all) {
    std::set<std::string> motions;
    const auto motion_of = [&](const FitTest& test) {
        return cell_of(all.table, all.table.rows[test.row], ColumnRole::motion);
    };
    for (const SpecimenTests& specimen : all.specimens)
        for (const FitTest& test : specimen.tests)
            if (const std::string motion = motion_of(test); !motion.empty()) motions.insert(motion);
    all.units_are_motions = motions.size() >= kMotionsLeast;
    std::set<std::string> units;
    for (SpecimenTests& specimen : all.specimens)
        for (FitTest& test : specimen.tests) {
            const std::string motion = all.units_are_motions ? motion_of(test) : std::string();
            test.unit = motion.empty() ? all.table.rows[test.row].experiment_text : motion;
            units.insert(test.unit);
        }
    all.units = units.size();
}

/// One prior is for all rows.
void require_one_prior(const OutcomeTable& table) {
    for (const auto& column : table.columns.all)
        if (column.role == ColumnRole::key && column.key.starts_with("uncertainty.") &&
            column.key != "uncertainty.seed")
            throw InputError(fmt::format("{}: column {}: one [uncertainty] is the prior of all rows: write it into {}",
                                         table.file.string(), text::one_line(column.heading),
                                         table.experiment.source.string()));
}

/// Files need names that differ.
void name_specimens(TableTests& all) {
    if (all.specimens.size() == 1) all.specimens.front().name.clear();
    std::map<std::string, std::size_t> known;
    if (all.specimens.size() > 1)
        for (std::size_t i = 0; i < all.specimens.size(); ++i) {
            std::string& name = all.specimens[i].name;
            name = text::folder_word(name, 60);
            if (name.empty()) name = "specimen";
            if (const std::size_t count = ++known[name]; count > 1) name += fmt::format("_{}", count);
        }
}

}  // namespace

std::size_t TableTests::count() const noexcept {
    std::size_t sum = 0;
    for (const SpecimenTests& one : specimens) sum += one.tests.size();
    return sum;
}

TableTests tests_of(OutcomeTable table) {
    require_one_prior(table);
    TableTests all;
    all.table = std::move(table);
    Collector collector(all);
    for (std::size_t row = 0; row < all.table.rows.size(); ++row) collector.take(row);
    if (all.specimens.empty()) {
        if (all.unused.empty()) throw InputError(fmt::format("{}: no rows", all.table.file.string()));
        const UnusedRow& first = all.unused.front();
        throw InputError(fmt::format("{}: none of its {} rows can teach; line {}{}: {}", all.table.file.string(),
                                     all.table.rows.size(), all.table.rows[first.row].line,
                                     first.column.empty() ? "" : ", column " + text::one_line(first.column),
                                     first.reason));
    }
    name_specimens(all);
    name_units(all);
    return all;
}

}  // namespace topple::hil::outcome_fit
