#include "hil/campaign/member_boundaries.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "hil/files/errors.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/prediction.hpp"
#include "solver/study/stability_map.hpp"

namespace topple::hil::campaign {
namespace {

constexpr int kHalvings = 3;

/// The experiments along one row, each read once.
class Row {
  public:
    Row(const Settings& settings, const SearchWay& way, double value, double step) {
        const auto count = static_cast<std::size_t>(std::floor(way.end() * kFine / step + 1e-9)) + 1;
        for (std::size_t i = 0; i < count; ++i)
            settings_at_.push_back({value, way.value_at(static_cast<double>(i) * step / kFine)});
        read_.resize(count);
        settings_ = &settings;
    }
    std::size_t count() const noexcept { return read_.size(); }
    static constexpr std::size_t kFine = std::size_t{1} << kHalvings;

    /// Null for a setting that is refused. Of one thread only.
    const experiment::Experiment* at(std::size_t index) {
        if (!read_[index]) {
            try {
                read_[index] = std::make_unique<Read>(Read{settings_->trial(settings_at_[index])});
            } catch (const files::InputError&) {
                read_[index] = std::make_unique<Read>();
            }
        }
        return read_[index]->experiment ? &*read_[index]->experiment : nullptr;
    }

  private:
    struct Read {
        std::optional<experiment::Experiment> experiment;
    };
    const Settings* settings_ = nullptr;
    std::vector<Setting> settings_at_;
    std::vector<std::unique_ptr<Read>> read_;
};

std::optional<std::size_t> first_overturning(Row& row, std::size_t specimen, std::size_t member) {
    std::size_t stands = 0;
    const auto overturns = [&](std::size_t index) {
        const experiment::Experiment* one = row.at(index);
        return one && solver::is_overturning(computed_outcome(*one, specimen, member));
    };
    if (overturns(0)) return 0;
    for (std::size_t next = Row::kFine; next < row.count() && row.at(next); next += Row::kFine) {
        if (!overturns(next)) {
            stands = next;
            continue;
        }
        std::size_t falls = next;
        while (falls - stands > 1) {
            const std::size_t middle = (stands + falls) / 2;
            (overturns(middle) ? falls : stands) = middle;
        }
        return falls;
    }
    return std::nullopt;
}

}  // namespace

std::optional<solver::Outcome> computed_outcome(const experiment::Experiment& one, std::size_t specimen,
                                                std::optional<std::size_t> member) {
    const solver::BaseMotion& planned = one.excitation.planned_motion();
    try {
        const plan::EnsembleDraw draw =
            member ? plan::draw_member(one.specimens.at(specimen), one.uncertainty, *member, plan::MotionIs::planned)
                   : plan::EnsembleDraw{one.specimens.at(specimen)};
        const solver::BaseMotion motion = draw.motion(planned);
        if (one.model == "full") return solver::outcome_along(draw.specimen, motion, one.gravity_m_s2).outcome;
        return solver::map_outcome(draw.specimen, motion, plan::solver_options(one, one.model)).outcome;
    } catch (const std::invalid_argument&) {  // a draw that is no valid specimen
        return std::nullopt;
    }
}

bool is_slow(const experiment::Experiment& experiment) {
    return experiment.model != "full" ||
           std::any_of(experiment.specimens.begin(), experiment.specimens.end(), [](const solver::Specimen& specimen) {
               return specimen.blocks.size() > 1 || specimen.friction.has_value();
           });
}

MemberBoundaries member_boundaries(const experiment::Experiment& experiment, const Settings& settings,
                                   std::size_t members, double step) {
    const experiment::CampaignSection& campaign = *experiment.campaign;
    const SearchWay way(*campaign.search);
    const std::size_t rows = campaign.rows->values.size(), specimens = experiment.specimens.size();
    MemberBoundaries all(rows, std::vector<std::vector<double>>(specimens));
    host::for_each_index(rows, 0, [&](std::size_t r) {
        Row row(settings, way, campaign.rows->values[r], step);
        for (std::size_t s = 0; s < specimens; ++s)
            for (const std::size_t m : plan::equal_members(experiment.uncertainty, members)) {
                const auto first = first_overturning(row, s, m);
                all[r][s].push_back(first ? static_cast<double>(*first) * step / Row::kFine : kNeverOverturns);
            }
    });
    return all;
}

}  // namespace topple::hil::campaign
