// The CSV files of a study.
#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "hil/fragility/outputs.hpp"

namespace topple::hil::fragility {
namespace {

/// Empty: not known; inf: overturned.
std::string cell(double value) {
    if (std::isnan(value)) return {};
    return std::isinf(value) ? "inf" : fmt::format("{:.6g}", value);
}

/// Empty: not kept.
std::string uplifted_cell(const Study& study, std::uint64_t uplifted) {
    return study.section.has_peaks ? fmt::format("{}", uplifted) : std::string();
}

/// One column for each kind: what is known of the factor.
std::string crossing_cells(const Crossing& crossing) {
    using Kind = Crossing::Kind;
    const auto of = [&](Kind kind) { return crossing.kind == kind ? cell(crossing.scale) : std::string(); };
    return fmt::format("{},{},{}", of(Kind::between), of(Kind::above), of(Kind::below));
}

std::string quoted(const std::string& text) {
    if (text.find_first_of(",\"\n") == std::string::npos) return text;
    std::string result = "\"";
    for (const char c : text) result += c == '"' ? std::string("\"\"") : std::string(1, c);
    return result + '"';
}

std::string column_of(const Measure& measure) { return fmt::format("{} [{}]", measure.name, measure.unit); }

}  // namespace

std::string intensity_label(const experiment::FragilitySection& section) {
    const std::string word(experiment::name(section.measure));
    return fmt::format("{}, {}", section.period_s > 0.0 ? fmt::format("{}({:g} s)", word, section.period_s) : word,
                       experiment::unit(section.measure));
}

std::string curves_csv(const Evaluated& evaluated) {
    std::string text =
        "specimen,intensity,runs,overturned,uplifted,failed,overturned_share,fitted_probability,probability_5,"
        "probability_95,peak_rotation_ratio_16,peak_rotation_ratio_50,peak_rotation_ratio_84\n";
    auto out = std::back_inserter(text);
    for (std::size_t s = 0; s < evaluated.specimens.size(); ++s) {
        const SpecimenResult& result = evaluated.specimens[s];
        for (const ValueResult& value : result.values) {
            const double share =
                value.runs > 0 ? static_cast<double>(value.overturned) / static_cast<double>(value.runs) : std::nan("");
            const double fitted = is_informative(result.fit.state) ? result.fit.at(value.intensity) : std::nan("");
            fmt::format_to(out, "{},{:.9g},{},{},{},{},{},{},{},{},{},{},{}\n", s, value.intensity, value.runs,
                           value.overturned, uplifted_cell(evaluated.study, value.uplifted), value.failed, cell(share),
                           cell(fitted), value.band ? cell(value.band->low) : "",
                           value.band ? cell(value.band->high) : "", cell(value.peak_16), cell(value.peak_50),
                           cell(value.peak_84));
        }
    }
    return text;
}

std::string counts_csv(const Evaluated& evaluated, const std::vector<Tally>& tallies) {
    const Study& study = evaluated.study;
    std::string text = "specimen,motion,intensity,scale,runs,overturned,uplifted,failed,median_peak_rotation_ratio\n";
    for (std::size_t s = 0; s < tallies.size(); ++s)
        for (std::size_t m = 0; m < study.motions.size(); ++m)
            for (std::size_t v = 0; v < study.value_count(); ++v) {
                const RunCount& count = tallies[s].at(m, v);
                fmt::format_to(std::back_inserter(text), "{},{},{:.9g},{:.9g},{},{},{},{},{}\n", s, m,
                               study.section.values[v], study.scale(m, v), count.runs, count.overturned,
                               uplifted_cell(study, count.uplifted), count.failed, cell(count.median_peak));
            }
    return text;
}

std::string motions_csv(const Evaluated& evaluated) {
    const Study& study = evaluated.study;
    const std::vector<Measure> measures = compared_measures(study.section);
    std::string text = "specimen,motion,name,format,sha256,duration_s,intensity";
    for (const Measure& measure : measures) text += "," + column_of(measure);
    text +=
        ",scale_least,scale_largest,runs,overturned,failed,share_of_overturnings,overturning_scale,"
        "overturning_scale_above,overturning_scale_below,"
        "median_without,dispersion_without\n";
    auto out = std::back_inserter(text);
    for (std::size_t s = 0; s < evaluated.specimens.size(); ++s)
        for (std::size_t m = 0; m < study.motions.size(); ++m) {
            const StudyMotion& motion = study.motions[m];
            const MotionResult& result = evaluated.specimens[s].motions[m];
            fmt::format_to(out, "{},{},{},{},{},{:.6g},{:.9g}", s, m, quoted(motion.listed.name), motion.format,
                           motion.sha256, motion.duration_s, motion.intensity);
            for (const double measure : motion.measures) fmt::format_to(out, ",{:.6g}", measure);
            const bool has_without = is_informative(result.without.state);
            fmt::format_to(out, ",{:.6g},{:.6g},{},{},{},{:.6g},{},{},{}\n", study.scale(m, 0),
                           study.scale(m, study.value_count() - 1), result.runs, result.overturned, result.failed,
                           result.share, crossing_cells(result.crossing),
                           has_without ? cell(result.without.median) : "",
                           has_without ? cell(result.without.dispersion) : "");
        }
    return text;
}

std::string efficiency_csv(const Evaluated& evaluated) {
    std::string text = "specimen,measure,unit,motions,motions_above,motions_below,median_at_overturning,dispersion\n";
    for (std::size_t s = 0; s < evaluated.specimens.size(); ++s)
        for (const Efficiency& one : evaluated.specimens[s].efficiency)
            fmt::format_to(std::back_inserter(text), "{},{},{},{},{},{},{:.6g},{:.6g}\n", s, one.measure.name,
                           one.measure.unit, evaluated.specimens[s].judged(), evaluated.specimens[s].above,
                           evaluated.specimens[s].below, one.median, one.dispersion);
    return text;
}

}  // namespace topple::hil::fragility
