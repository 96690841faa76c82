#include "hil/fragility/motions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "hil/experiment/record_account.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "hil/ground_motion/measures.hpp"
#include "hil/host/for_each_index.hpp"

namespace topple::hil::fragility {
namespace {

using experiment::Excitation;
using experiment::FragilitySection;
using experiment::IntensityMeasure;

/// The acceleration at even times: what spectra are computed from.
struct Samples {
    double step_s = 0.0;
    std::vector<double> acceleration_m_s2;
};

Samples samples_of(const Excitation& excitation) {
    if (excitation.record && excitation.record->used_step_s > 0.0)
        return {excitation.record->used_step_s, excitation.record->used_m_s2};
    constexpr double kSteps = 20'000.0, kLongest_s = 0.005;  // far below every period that is asked for
    const solver::BaseMotion& motion = excitation.planned_motion();
    const double duration_s = motion.end_s() - motion.start_s();
    Samples samples{std::min(kLongest_s, duration_s / kSteps), {}};
    const auto count = static_cast<std::size_t>(std::ceil(duration_s / samples.step_s));
    for (std::size_t i = 0; i <= count; ++i)
        samples.acceleration_m_s2.push_back(
            motion.at(motion.start_s() + static_cast<double>(i) * samples.step_s).acceleration_m_s2);
    return samples;
}

double spectral(const Samples& samples, double period_s, bool is_velocity) {
    const double acceleration_m_s2 =
        ground_motion::pseudo_acceleration_m_s2(samples.acceleration_m_s2, samples.step_s, period_s);
    return is_velocity ? acceleration_m_s2 * period_s / (2 * std::numbers::pi) : acceleration_m_s2;
}

double intensity_of(const FragilitySection& section, const Excitation& excitation, const Samples& samples,
                    const solver::BaseMotion::Extremes& peaks) {
    switch (section.measure) {
        case IntensityMeasure::pga: return std::abs(peaks.acceleration_peak_m_s2);
        case IntensityMeasure::pgv: return std::abs(peaks.velocity_peak_m_s);
        case IntensityMeasure::spectral_acceleration: return spectral(samples, section.period_s, false);
        case IntensityMeasure::spectral_velocity: return spectral(samples, section.period_s, true);
        case IntensityMeasure::amplitude: return std::abs(excitation.amplitude_m_s2);
    }
    return 0.0;
}

/// Empty: the [excitation] of the file is no record, and its keys are those of the file.
std::string hash_of(const experiment::ListedMotion& listed) {
    if (!listed.file.empty()) return files::sha256_hex(files::read_text_file(listed.file));
    return listed.keys.empty() ? std::string() : files::sha256_hex(listed.keys);
}

/// Reads a motion whose content is known by its hash: before and after, so that what was read is what was hashed.
Excitation read_hashed(const experiment::ListedMotion& listed, const std::string& sha256,
                       const experiment::Experiment& experiment) {
    if (listed.keys.empty()) return experiment.excitation;  // is in memory
    const auto require_unchanged = [&] {
        if (hash_of(listed) != sha256) throw files::InputError(listed.name + ": has changed since the study began");
    };
    require_unchanged();
    Excitation excitation = experiment::read_motion(listed, experiment);
    require_unchanged();
    return excitation;
}

/// Records of one content would count as independent motions.
void require_distinct(const std::vector<StudyMotion>& motions) {
    std::map<std::string, std::string> names;
    for (const StudyMotion& motion : motions) {
        if (motion.listed.file.empty()) continue;
        const auto [first, is_new] = names.emplace(motion.sha256, motion.listed.name);
        if (!is_new)
            throw files::InputError(
                fmt::format("[fragility]: records {} and {} have the same content: the same motion counts once",
                            first->second, motion.listed.name));
    }
}

StudyMotion read_one(const experiment::ListedMotion& listed, const experiment::Experiment& experiment,
                     const FragilitySection& section) {
    const std::string sha256 = hash_of(listed);
    const Excitation excitation = read_hashed(listed, sha256, experiment);
    const solver::BaseMotion& motion = excitation.planned_motion();
    StudyMotion result{listed, excitation.record ? excitation.record->format : excitation.type, sha256};
    if (motion.empty()) throw files::InputError(listed.name + ": the base rests");
    const Samples samples = samples_of(excitation);
    const solver::BaseMotion::Extremes peaks = motion.extremes();
    result.duration_s = motion.end_s() - motion.start_s();
    result.intensity = intensity_of(section, excitation, samples, peaks);
    if (!(result.intensity > 0.0))
        throw files::InputError(
            fmt::format("{}: has no {} to be scaled to{}", listed.name, experiment::name(section.measure),
                        section.measure == IntensityMeasure::amplitude ? "; allowed: waves with a key amplitude" : ""));
    result.measures = {std::abs(peaks.acceleration_peak_m_s2), std::abs(peaks.velocity_peak_m_s),
                       std::max(std::abs(peaks.displacement_min_m), std::abs(peaks.displacement_max_m))};
    for (const double period_s : section.compared_periods_s) {
        result.measures.push_back(spectral(samples, period_s, false));
        result.measures.push_back(spectral(samples, period_s, true));
    }
    if (compared_measures(section).size() > result.measures.size())
        result.measures.insert(result.measures.begin(), result.intensity);
    return result;
}

std::string own_name(const FragilitySection& section) {
    const std::string word(experiment::name(section.measure));
    return section.period_s > 0.0 ? fmt::format("{}({:g} s)", word, section.period_s) : word;
}

}  // namespace

std::vector<Measure> compared_measures(const FragilitySection& section) {
    std::vector<Measure> measures{{"pga", "m/s2"}, {"pgv", "m/s"}, {"pgd", "m"}};
    for (const double period_s : section.compared_periods_s) {
        measures.push_back({fmt::format("sa({:g} s)", period_s), "m/s2"});
        measures.push_back({fmt::format("sv({:g} s)", period_s), "m/s"});
    }
    const Measure own{own_name(section), std::string(experiment::unit(section.measure))};
    if (std::find(measures.begin(), measures.end(), own) == measures.end()) measures.insert(measures.begin(), own);
    return measures;
}

std::vector<StudyMotion> read_motions(const experiment::Experiment& experiment, const FragilitySection& section,
                                      unsigned threads) {
    const std::vector<experiment::ListedMotion> listed = experiment::list_motions(experiment, section);
    std::vector<StudyMotion> motions(listed.size());
    std::vector<std::string> refused(listed.size());
    host::for_each_index(listed.size(), threads, [&](std::size_t i) {
        try {
            motions[i] = read_one(listed[i], experiment, section);
        } catch (const files::InputError& error) {
            refused[i] = error.what();
        }
    });
    std::erase(refused, "");
    if (refused.size() == 1) throw files::InputError(fmt::format("[fragility]: {}", refused.front()));
    if (!refused.empty())
        throw files::InputError(fmt::format("[fragility]: {} of {} motions cannot be used:\n  {}", refused.size(),
                                            listed.size(), fmt::join(refused, "\n  ")));
    require_distinct(motions);
    return motions;
}

MotionShelf::MotionShelf(const experiment::Experiment& experiment, const std::vector<StudyMotion>& motions,
                         const solver::SolverOptions& options)
    : experiment_(experiment), motions_(motions), options_(options), used_(motions.size()) {}

std::shared_ptr<const solver::RecordSuite> MotionShelf::take(std::size_t motion) {
    const std::scoped_lock lock(mutex_);
    std::shared_ptr<const solver::RecordSuite> suite = used_.at(motion).lock();
    if (!suite) {
        const Excitation excitation = read_hashed(motions_[motion].listed, motions_[motion].sha256, experiment_);
        suite = std::make_shared<const solver::RecordSuite>(excitation.planned_motion(), options_);
        used_[motion] = suite;
    }
    last_ = suite;
    return suite;
}

}  // namespace topple::hil::fragility
