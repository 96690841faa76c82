#include "hil/compare/assembly_agreement.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>
#include <stdexcept>

#include "hil/compare/surprise.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

constexpr std::size_t kMembers = plan::kTestEnsemble;
constexpr std::size_t kInstants = 400;      // at which the members' spread is looked at
constexpr double kMovedLeast_ratio = 0.05;  // of the free length: a path that says something
constexpr double kMovedLeast_sigmas = 10.0;

using Values = std::vector<std::optional<double>>;  // one per quantity

/// What one record is reduced to.
struct Quantity {
    enum class Kind { path, farthest, impact, seen, index_max, index_end, centroid };
    Kind kind;
    std::size_t index = 0;  ///< block or pair
};
using Kind = Quantity::Kind;

bool one_sided(Kind kind) { return kind == Kind::path || kind == Kind::farthest; }

std::string pair_name(std::size_t pair, std::size_t blocks) {
    if (pair == 0) return "at the left wall";
    if (pair == blocks) return "at the right wall";
    return fmt::format("of blocks {} and {}", pair - 1, pair);
}

std::vector<Quantity> quantities_of(std::size_t blocks) {
    std::vector<Quantity> list;
    for (std::size_t b = 0; b < blocks; ++b) list.insert(list.end(), {{Kind::path, b}, {Kind::farthest, b}});
    for (std::size_t pair = 0; pair <= blocks; ++pair)
        list.insert(list.end(), {{Kind::seen, pair}, {Kind::impact, pair}});
    if (blocks > 1) list.insert(list.end(), {{Kind::index_max}, {Kind::index_end}});
    list.push_back({Kind::centroid});
    return list;
}

struct Distance {
    double rms = 0.0, peak = 0.0;
};
Distance distance(std::span<const double> a, std::span<const double> b, std::size_t frames) {
    Distance d;
    for (std::size_t i = 0; i < frames; ++i) {
        const double off = a[i] - b[i];
        d.rms += off * off / static_cast<double>(std::max<std::size_t>(1, frames));
        d.peak = std::max(d.peak, std::abs(off));
    }
    d.rms = std::sqrt(d.rms);
    return d;
}

/// The whole comparison: nominal, members, and until which frame they keep together.
class Comparison {
  public:
    explicit Comparison(const AssemblyComparisonInput& input)
        : input_(input),
          free_m_(assembly_free_length_m(input.assembly)),
          quantities_(quantities_of(input.assembly.blocks.size())) {
        const BlockPositions& m = input.measured;
        result_.predicted = read(paths_at(input.predicted, m.time_s));
        result_.measured = read(m.position_m);
        follow_members();
        find_horizons();
    }
    AssemblyComparison conclude();

  private:
    AssemblyReading read(BlockPaths paths) const {
        return read_paths(std::move(paths), input_.measured.time_s, input_.assembly, input_.measured.noise_m);
    }
    void follow_members();
    void find_horizons();
    Values values_of(const AssemblyReading& reading) const;
    std::optional<double> probability(std::size_t q, const std::optional<double>& value, bool own) const;
    double least_probability(const Values& values, bool own) const;
    Criterion criterion(std::size_t q, const std::optional<double>& measured, double p) const;
    Criterion seen_criterion(std::size_t q, bool measured, double p) const;
    bool tells(std::size_t block) const;
    void differences();

    const AssemblyComparisonInput& input_;
    double free_m_;
    std::vector<Quantity> quantities_;
    std::vector<AssemblyReading> members_;
    std::vector<std::size_t> until_;  ///< per block: frames up to which the members keep together
    std::vector<Values> values_;      ///< per member
    std::vector<std::optional<PredictiveSample>> samples_;
    AssemblyComparison result_;
};

void Comparison::follow_members() {
    const BlockPositions& m = input_.measured;
    const CameraErrors errors{.noise_m = m.noise_m, .time_s = std::hypot(m.frame_s / 3.0, input_.clock_error_s)};
    std::vector<std::optional<AssemblyReading>> members(kMembers);
    host::for_each_index(kMembers, 0, [&](std::size_t index) {
        try {
            const solver::AssemblyPrediction member = input_.member(index);
            if (member.status == solver::SolverStatus::ok)
                members[index] = read(seen_paths(member, m.time_s, errors, 0xB10C + index));
        } catch (const std::invalid_argument&) {  // blocks longer than the basin
        }
    });
    for (auto& member : members)
        if (member) members_.push_back(std::move(*member));
}

/// A block's path can be tested until the 5 to 95 % of the members are further apart than the cap.
void Comparison::find_horizons() {
    const std::size_t frames = input_.measured.time_s.size();
    const std::size_t stride = std::max<std::size_t>(1, frames / kInstants);
    for (std::size_t b = 0; b < input_.assembly.blocks.size(); ++b) {
        std::size_t until = frames;
        std::vector<double> places(members_.size());
        for (std::size_t i = 0; i < frames && until == frames && !places.empty(); i += stride) {
            for (std::size_t k = 0; k < members_.size(); ++k) places[k] = members_[k].paths[b][i];
            const PredictiveSample sample(places);
            if (0.5 * (sample.quantile(0.95) - sample.quantile(0.05)) > kPathCap_ratio * free_m_) until = i;
        }
        until_.push_back(until);
    }
}

Values Comparison::values_of(const AssemblyReading& reading) const {
    Values values;
    for (const Quantity& q : quantities_) {
        const bool path = one_sided(q.kind);
        const Distance d =
            path ? distance(reading.paths[q.index], result_.predicted.paths[q.index], until_[q.index]) : Distance{};
        switch (q.kind) {
            case Kind::path: values.push_back(d.rms / free_m_); break;
            case Kind::farthest: values.push_back(d.peak / free_m_); break;
            case Kind::impact: values.push_back(reading.first_impact_s[q.index]); break;
            case Kind::seen: values.push_back(reading.first_impact_s[q.index] ? 1.0 : 0.0); break;
            case Kind::index_max: values.push_back(reading.inertia_index_max); break;
            case Kind::index_end: values.push_back(reading.inertia_index_end); break;
            case Kind::centroid: values.push_back(reading.centroid_end_m); break;
        }
    }
    return values;
}

std::optional<double> Comparison::probability(std::size_t q, const std::optional<double>& value, bool own) const {
    if (!value || !samples_[q]) return std::nullopt;
    if (quantities_[q].kind == Kind::seen) {  // share of the members that are no more frequent than this
        double same = own ? -1.0 : 0.0;
        for (const Values& member : values_) same += *member[q] == *value ? 1.0 : 0.0;
        const double share = same / static_cast<double>(values_.size() - (own ? 1 : 0));
        return share <= 0.5 ? share : 1.0;
    }
    const double below = samples_[q]->below(*value, own);
    return std::clamp(one_sided(quantities_[q].kind) ? 1.0 - below : 2.0 * std::min(below, 1.0 - below), 0.0, 1.0);
}

double Comparison::least_probability(const Values& values, bool own) const {
    double least = 1.0;
    for (std::size_t q = 0; q < quantities_.size(); ++q)
        least = std::min(least, probability(q, values[q], own).value_or(1.0));
    return least;
}

/// A path that stays where it started says something only if it was predicted to stay to the end.
bool Comparison::tells(std::size_t block) const {
    const std::vector<double>& path = result_.predicted.paths[block];
    if (until_[block] == path.size()) return true;
    const auto [low, high] =
        std::minmax_element(path.begin(), path.begin() + static_cast<std::ptrdiff_t>(until_[block]));
    return until_[block] > 0 &&
           *high - *low >= std::max(kMovedLeast_ratio * free_m_, kMovedLeast_sigmas * input_.measured.noise_m);
}

Criterion Comparison::seen_criterion(std::size_t q, bool measured, double p) const {
    double share = 0.0;
    for (const Values& member : values_) share += *member[q] / static_cast<double>(values_.size());
    return {.name = "impact " + pair_name(quantities_[q].index, input_.assembly.blocks.size()),
            .unit = "",
            .predicted_word = fmt::format("seen in {:.3g} %", 100.0 * share),
            .measured_word = measured ? "seen" : "not seen",
            .probability = p,
            .spread = std::min(share, 1.0 - share),
            .cap = kOutcomeCap_ratio};
}

Criterion Comparison::criterion(std::size_t q, const std::optional<double>& measured, double p) const {
    const auto [kind, index] = quantities_[q];
    if (kind == Kind::seen) return seen_criterion(q, *measured == 1.0, p);
    const PredictiveSample& sample = *samples_[q];
    Criterion c{.name = "",
                .unit = "",
                .median = sample.quantile(0.5),
                .low = sample.quantile(0.05),
                .high = sample.quantile(0.95),
                .measured = measured,
                .probability = p,
                .about_the_motion = true};
    const double half = 0.5 * (*c.high - *c.low);
    switch (kind) {
        case Kind::path:
        case Kind::farthest: {
            const std::size_t until = until_[index];
            const double until_s = input_.measured.time_s[until == 0 ? 0 : until - 1];
            c.name =
                fmt::format("{} of block {} until t = {:.2f} s, per free length",
                            kind == Kind::path ? "path (rms distance)" : "path (largest distance)", index, until_s);
            c.spread = *c.high;
            c.cap = kind == Kind::path ? kPathCap_ratio : kFarthestCap_ratio;
            c.about_the_motion = tells(index);
            break;
        }
        case Kind::impact:
            c.name = "time of the first impact " + pair_name(index, input_.assembly.blocks.size());
            c.unit = "s";
            c.spread = half / std::max(*c.median, 1e-3);
            c.cap = kTimeCap_ratio;
            break;
        case Kind::index_max:
        case Kind::index_end:
            c.name = kind == Kind::index_max ? "largest index of inertia" : "index of inertia at the end";
            c.spread = half / *c.median;
            c.cap = kIndexCap_ratio;
            break;
        case Kind::centroid:
            c.name = "centroid at the end, from the left wall";
            c.unit = "m";
            c.spread = half / free_m_;
            c.cap = kCentroidCap_ratio;
            break;
        case Kind::seen: break;
    }
    return c;
}

void Comparison::differences() {
    for (std::size_t b = 0; b < until_.size(); ++b) {
        const std::size_t all = input_.measured.time_s.size();
        const Distance whole = distance(result_.measured.paths[b], result_.predicted.paths[b], all);
        const Distance first = distance(result_.measured.paths[b], result_.predicted.paths[b], until_[b]);
        result_.paths.push_back({whole.rms / free_m_, whole.peak / free_m_,
                                 input_.measured.time_s[until_[b] == 0 ? 0 : until_[b] - 1], first.rms / free_m_,
                                 first.peak / free_m_});
    }
}

AssemblyComparison Comparison::conclude() {
    differences();
    Agreement& agreement = result_.agreement;
    agreement.members = members_.size();
    if (2 * members_.size() <= kMembers) {
        agreement.reasons.push_back(fmt::format("the prediction failed for {} of {} members of the ensemble",
                                                kMembers - members_.size(), kMembers));
        return std::move(result_);
    }
    for (const AssemblyReading& member : members_) values_.push_back(values_of(member));
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        std::vector<double> sample;
        for (const Values& member : values_)
            if (member[q]) sample.push_back(*member[q]);
        const bool enough = sample.size() >= EnsembleOfReadings::kLeastMembers;
        samples_.push_back(enough ? std::optional(PredictiveSample(std::move(sample))) : std::nullopt);
    }
    const Values measured = values_of(result_.measured);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const auto p = probability(q, measured[q], false);
        if (!p) continue;
        Criterion one = criterion(q, measured[q], *p);
        if (quantities_[q].kind == Kind::seen && one.spread == 0.0 && *p == 1.0) continue;  // as everyone expected
        one.counts = one.sharp() && one.about_the_motion;
        agreement.criteria.push_back(std::move(one));
    }
    const double here = least_probability(measured, false);
    const auto as_rare = std::count_if(values_.begin(), values_.end(),
                                       [&](const Values& member) { return least_probability(member, true) <= here; });
    agreement.probability = static_cast<double>(as_rare + 1) / static_cast<double>(values_.size() + 1);
    agreement.verdict = verdict_of(agreement);
    explain(agreement);
    return std::move(result_);
}

}  // namespace

double assembly_free_length_m(const solver::Assembly& assembly) noexcept {
    double length_m = assembly.basin_length_m;
    for (const solver::AssemblyBlock& block : assembly.blocks) length_m -= block.length_m;
    return length_m;
}

AssemblyComparison compare_assembly(const AssemblyComparisonInput& input) { return Comparison(input).conclude(); }

}  // namespace topple::hil::compare
