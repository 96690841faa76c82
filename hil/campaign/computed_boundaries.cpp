#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/campaign/member_boundaries.hpp"
#include "hil/campaign/stability_graph.hpp"
#include "hil/files/errors.hpp"
#include "hil/host/for_each_index.hpp"

namespace topple::hil::campaign {
namespace {

using experiment::Experiment;

constexpr int kHalvings = 5;
constexpr double kSigmas = 2.0;
constexpr std::size_t kColumns = 120, kRows = 40, kSlowColumns = 60, kSlowRows = 20;
constexpr double kNearSteps = 6.0;  // of the grid along x, from one row to the next

/// What is drawn of a specimen.
struct Variant {
    std::string name;
    std::optional<solver::Restitution> restitution;
    double factor = 1.0;  ///< of the ratio of rotation rates
};

std::vector<Variant> variants_of(const Experiment& experiment, std::size_t specimen) {
    const auto& members = experiment.uncertainty.members;
    const solver::Distribution spread = members && members->has("restitution") ? experiment::restitution_of(*members)
                                                                               : experiment.uncertainty.of.restitution;
    const bool has_spread = spread.kind != solver::DistributionKind::fixed && spread.spread > 0.0;
    std::vector<Variant> all{{"as described", {}, 1.0}};
    if (has_spread)  // about its centre, which a learned prior may have moved
        for (const double sigmas : {-kSigmas, kSigmas}) {
            const double factor = spread.factor(sigmas);
            all.push_back({fmt::format("restitution {:+.1f} %", 100.0 * (factor - 1.0)), {}, factor});
        }
    const solver::Restitution& own = experiment.specimens[specimen].restitution;
    if (own.model != solver::RestitutionModel::housner || own.material != std::vector<double>{1.0})
        all.push_back({"Housner", solver::Restitution{}, 1.0});
    for (const double ratio : experiment.campaign->restitutions) {
        solver::Restitution fixed;
        fixed.model = solver::RestitutionModel::fixed;
        fixed.fixed_left_to_right = fixed.fixed_right_to_left = ratio;
        all.push_back({fmt::format("restitution {:g}", ratio), fixed, 1.0});
    }
    return all;
}

/// Outcomes of every variant of one specimen along one row.
class Row {
  public:
    Row(const Settings& settings, const std::vector<Variant>& variants, std::size_t specimen, double y)
        : settings_(settings), variants_(variants), specimen_(specimen), y_(y) {}

    /// Per variant; empty: no answer.
    std::vector<std::optional<bool>> at(double x) const {
        std::vector<std::optional<bool>> overturned(variants_.size());
        if (const std::optional<Experiment> one = read(x))
            for (std::size_t v = 0; v < variants_.size(); ++v) overturned[v] = overturns(*one, variants_[v]);
        return overturned;
    }

    double change_between(double low_x, double high_x, std::size_t variant, bool overturns_at_low) const {
        for (int i = 0; i < kHalvings; ++i) {
            const double middle = std::sqrt(low_x * high_x);
            const std::optional<Experiment> one = read(middle);
            const auto here = one ? overturns(*one, variants_[variant]) : std::nullopt;
            if (!here) break;
            (*here == overturns_at_low ? low_x : high_x) = middle;
        }
        return std::sqrt(low_x * high_x);
    }

  private:
    std::optional<Experiment> read(double x) const {
        try {
            return settings_.trial({y_, x});
        } catch (const files::InputError&) {
            return std::nullopt;
        }
    }

    std::optional<bool> overturns(Experiment one, const Variant& variant) const {
        solver::Specimen& specimen = one.specimens.at(specimen_);
        if (variant.restitution) specimen.restitution = *variant.restitution;
        solver::Perturbation factor;
        factor.restitution_factor = variant.factor;
        try {
            specimen = solver::perturbed(specimen, factor);
        } catch (const std::invalid_argument&) {  // a restitution that this specimen cannot have
            return std::nullopt;
        }
        const auto outcome = computed_outcome(one, specimen_, std::nullopt);
        return outcome ? std::optional(solver::is_overturning(outcome)) : std::nullopt;
    }

    const Settings& settings_;
    const std::vector<Variant>& variants_;
    std::size_t specimen_;
    double y_;
};

/// Along one row: where it is, and whether it overturns beyond it.
struct Change {
    double x = 0.0;
    bool overturns_beyond = false;
};
using RowChanges = std::vector<std::vector<Change>>;  ///< per variant, from low to high x

// A line goes on at the nearest change of the same kind in the next row, if that is near; each change is of one line.
std::vector<std::vector<BoundaryPoint>> joined(const std::vector<RowChanges>& rows, const std::vector<double>& y,
                                               std::size_t variant, double near) {
    struct Line {
        std::vector<BoundaryPoint> points;
        bool overturns_beyond;
        std::size_t last_row;
    };
    std::vector<Line> lines;
    for (std::size_t r = 0; r < rows.size(); ++r)
        for (const Change& change : rows[r][variant]) {
            Line* best = nullptr;
            double least = near;
            for (Line& line : lines) {
                const double away = std::abs(std::log(change.x / line.points.back().x));
                if (line.last_row + 1 != r || line.overturns_beyond != change.overturns_beyond || away > least)
                    continue;
                best = &line;
                least = away;
            }
            if (!best) best = &lines.emplace_back(Line{{}, change.overturns_beyond, r});
            best->points.push_back({change.x, y[r]});
            best->last_row = r;
        }
    std::vector<std::vector<BoundaryPoint>> points;
    for (Line& line : lines) points.push_back(std::move(line.points));
    return points;
}

}  // namespace

std::optional<GraphPlane> graph_plane(const Experiment& experiment, const Settings& settings) {
    if (settings.keys().size() != 2) return std::nullopt;
    constexpr double kMargin = 0.08;
    std::vector<double> x, y;
    if (experiment.campaign->rows) {
        y = experiment.campaign->rows->values;
        x = {experiment.campaign->search->from, experiment.campaign->search->to};
    }
    for (const Setting& setting : settings.listed()) {
        y.push_back(setting[0]);
        x.push_back(setting[1]);
    }
    const auto [x_low, x_high] = std::minmax_element(x.begin(), x.end());
    const auto [y_low, y_high] = std::minmax_element(y.begin(), y.end());
    if (x.empty() || *x_low <= 0.0 || *x_low == *x_high) return std::nullopt;
    GraphPlane plane{settings.keys()[1], settings.keys()[0], *x_low, *x_high, *y_low, *y_high};
    const double room = *y_low == *y_high ? kMargin * std::abs(*y_low) : kMargin * (*y_high - *y_low);
    plane.y_low = *y_low > 0.0 ? std::max(*y_low - room, 0.5 * *y_low) : *y_low - room;
    plane.y_high += room;
    if (plane.y_low == plane.y_high) return std::nullopt;
    return plane;
}

std::vector<BoundaryCurve> computed_boundaries(const Experiment& experiment, const Settings& settings,
                                               const GraphPlane& plane, std::size_t specimen,
                                               const std::atomic<bool>& stop) {
    const std::size_t columns = is_slow(experiment) ? kSlowColumns : kColumns;
    const std::size_t rows = is_slow(experiment) ? kSlowRows : kRows;
    const std::vector<Variant> variants = variants_of(experiment, specimen);
    std::vector<RowChanges> changes(rows, RowChanges(variants.size()));
    std::vector<double> y(rows);
    for (std::size_t r = 0; r < rows; ++r)
        y[r] = std::lerp(plane.y_low, plane.y_high, static_cast<double>(r) / static_cast<double>(rows - 1));
    const double ratio = std::pow(plane.x_high / plane.x_low, 1.0 / static_cast<double>(columns - 1));
    host::for_each_index(rows, 0, [&](std::size_t r) {
        if (stop) return;
        const Row row(settings, variants, specimen, y[r]);
        std::vector<std::optional<bool>> before = row.at(plane.x_low);
        double x = plane.x_low;
        for (std::size_t c = 1; c < columns; ++c) {
            const double next_x = c + 1 == columns ? plane.x_high : x * ratio;
            const std::vector<std::optional<bool>> here = row.at(next_x);
            for (std::size_t v = 0; v < variants.size(); ++v)
                if (before[v] && here[v] && *before[v] != *here[v])
                    changes[r][v].push_back({row.change_between(x, next_x, v, *before[v]), *here[v]});
            before = here;
            x = next_x;
        }
    });
    std::vector<BoundaryCurve> curves;
    for (std::size_t v = 0; v < variants.size(); ++v)
        curves.push_back({variants[v].name, joined(changes, y, v, kNearSteps * std::log(ratio))});
    return curves;
}

}  // namespace topple::hil::campaign
