// Correcting and scaling a record: only what is asked for, in a fixed order, each told.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "hil/experiment/record_parts.hpp"
#include "hil/ground_motion/correction.hpp"
#include "hil/ground_motion/measures.hpp"

namespace topple::hil::experiment {
namespace {

using ground_motion::Correction;
using ground_motion::Measures;

std::optional<signal::HighPass> read_high_pass(TomlTable& section, double step_s, double duration_s,
                                               std::vector<std::string>& remarks) {
    const auto corner_hz = section.optional_number("high_pass_hz", NumberRange{0.0, 0.5 / step_s, true, true});
    const bool has_others = section.has("high_pass_order") || section.has("high_pass_padding");
    const auto order = static_cast<int>(section.integer_or("high_pass_order", 1, 8, 2));
    const std::string padding = section.one_of_or("high_pass_padding", {"mirror", "zeros"}, "mirror");
    if (!corner_hz) {
        if (has_others)
            section.fail(section.has("high_pass_order") ? "high_pass_order" : "high_pass_padding",
                         "needs high_pass_hz, the corner");
        return std::nullopt;
    }
    const signal::HighPass filter{*corner_hz, order,
                                  padding == "zeros" ? signal::Padding::zeros : signal::Padding::mirror};
    const double pad_s = signal::pad_samples(filter, step_s) * step_s;
    if (filter.padding == signal::Padding::zeros && duration_s + 2.0 * pad_s > kDurationMax_s)
        section.fail("high_pass_hz",
                     fmt::format("its padding of {:.4g} s at either end makes the record longer than {} s", pad_s,
                                 kDurationMax_s));
    if (*corner_hz * duration_s < 1.0)
        remarks.push_back(
            fmt::format("high_pass_hz = {:g} is below what a record of {:.4g} s can hold, {:.4g} Hz: a constant offset "
                        "is removed, a drift that is "
                        "as slow as the record is long is not; a corner of some times that removes it",
                        *corner_hz, duration_s, 1.0 / duration_s));
    return filter;
}

/// taper_s: one number for both ends, or two.
void read_tapers(TomlTable& section, double duration_s, Correction& correction) {
    if (!section.has("taper_s")) return;
    const std::vector<double> taper_s = section.numbers("taper_s", between(0.0, kDurationMax_s), 2);
    correction.taper_start_s = taper_s.front();
    correction.taper_end_s = taper_s.back();
    if (taper_s.front() + taper_s.back() > duration_s)
        section.fail("taper_s", fmt::format("longer than the record of {:.4g} s", duration_s));
}

Correction read_correction(TomlTable& section, double step_s, double duration_s, std::vector<std::string>& remarks) {
    Correction correction;
    correction.pre_event_s = section.optional_number("pre_event_s", above(0.0, duration_s));
    const std::string detrend = section.one_of_or("detrend", {"none", "mean", "linear"}, "none");
    if (detrend == "mean") correction.detrend = ground_motion::Detrend::mean;
    if (detrend == "linear") correction.detrend = ground_motion::Detrend::linear;
    read_tapers(section, duration_s, correction);
    correction.high_pass = read_high_pass(section, step_s, duration_s, remarks);
    return correction;
}

/// Of one scaling that is asked for by what it must reach.
struct Target {
    const char* key;
    double wanted, has;
    const char* what;
};

std::optional<Target> read_target(TomlTable& section, const ExcitationContext& context, const RecordSamples& samples,
                                  double step_s) {
    const char* const keys[] = {"scale", "scale_to_pga_m_s2", "scale_to_pga_g", "scale_to_pgv_m_s", "scale_to_sa_m_s2"};
    std::vector<std::string> given;
    for (const char* key : keys)
        if (section.has(key)) given.emplace_back(key);
    if (given.size() > 1)
        section.fail(given[1], fmt::format("not allowed together with {}: write one of them", given[0]));
    const auto period_s = section.optional_number("sa_period_s", between(0.01, 100.0));
    if (period_s && !section.has("scale_to_sa_m_s2")) section.fail("sa_period_s", "needs scale_to_sa_m_s2");
    if (given.empty() || given[0] == "scale") return std::nullopt;
    const Measures measures = ground_motion::measures_of(samples.acceleration_m_s2, step_s);
    const double pga = std::abs(measures.pga_m_s2);
    if (section.has("scale_to_pga_m_s2"))
        return Target{"scale_to_pga_m_s2", section.number("scale_to_pga_m_s2", above(0.0, kAccelerationMax_m_s2)), pga,
                      "PGA, m/s2"};
    if (section.has("scale_to_pga_g"))
        return Target{"scale_to_pga_g",
                      section.number("scale_to_pga_g", above(0.0, kAccelerationMax_m_s2 / context.gravity_m_s2)) *
                          context.gravity_m_s2,
                      pga, "PGA, m/s2"};
    if (section.has("scale_to_pgv_m_s"))
        return Target{"scale_to_pgv_m_s", section.number("scale_to_pgv_m_s", above(0.0, 100.0)),
                      std::abs(measures.pgv_m_s), "PGV, m/s"};
    if (!period_s) section.fail("scale_to_sa_m_s2", "needs sa_period_s, the period of the oscillator");
    return Target{"scale_to_sa_m_s2", section.number("scale_to_sa_m_s2", above(0.0, kAccelerationMax_m_s2)),
                  ground_motion::pseudo_acceleration_m_s2(samples.acceleration_m_s2, step_s, *period_s),
                  "spectral acceleration, m/s2"};
}

void scale(TomlTable& section, const std::optional<Target>& target, RecordSamples& samples, RecordAccount& account) {
    if (target) {
        if (!(target->has > 0.0)) section.fail(target->key, "the record is zero: it cannot be scaled");
        account.scale = target->wanted / target->has;
        account.corrections.push_back(fmt::format("accelerations multiplied by {:.6g}: {} from {:.4g} to {:.4g}",
                                                  account.scale, target->what, target->has, target->wanted));
    } else if (account.scale != 1.0) {
        account.corrections.push_back(fmt::format("accelerations multiplied by {:g}", account.scale));
    }
    double largest = 0.0;
    for (double& value : samples.acceleration_m_s2) {
        value *= account.scale;
        largest = std::max(largest, std::abs(value));
    }
    if (largest > kAccelerationMax_m_s2)
        section.fail(target ? target->key : "scale",
                     fmt::format("reaches {:.4g} m/s2; at most {} m/s2 are allowed", largest, kAccelerationMax_m_s2));
}

/// Froude's similitude: lengths by lambda, times by its root, accelerations and gravity stay.
void scale_time(TomlTable& section, RecordSamples& samples, RecordAccount& account) {
    account.length_scale = section.optional_number("length_scale", NumberRange{1e-3, 1e3});
    if (!account.length_scale) return;
    const double factor = std::sqrt(*account.length_scale);
    for (double& time_s : samples.time_s) time_s *= factor;
    if (samples.time_s.back() > kDurationMax_s)
        section.fail("length_scale", fmt::format("makes the record last {} s; at most {} s are allowed",
                                                 samples.time_s.back(), kDurationMax_s));
    account.corrections.push_back(
        fmt::format("times multiplied by sqrt({:g}) = {:.6g}, accelerations kept: the specimen is a model of something "
                    "{:.4g} times its size, of the same material",
                    *account.length_scale, factor, 1.0 / *account.length_scale));
}

/// Keys that need even samples.
void refuse_uneven(TomlTable& section) {
    for (const char* key :
         {"high_pass_hz", "high_pass_order", "high_pass_padding", "pre_event_s", "detrend", "taper_s",
          "scale_to_pga_m_s2", "scale_to_pga_g", "scale_to_pgv_m_s", "scale_to_sa_m_s2", "sa_period_s"})
        if (section.has(key)) section.fail(key, "not allowed with uneven_time = true");
}

}  // namespace

std::optional<double> correct_record(TomlTable& section, const ExcitationContext& context, RecordSamples& samples,
                                     RecordAccount& account, std::vector<std::string>& remarks) {
    const double duration_s = samples.time_s.back();
    const double step_s = duration_s / static_cast<double>(samples.time_s.size() - 1);
    const bool is_uneven = section.boolean_or("uneven_time", false);
    Correction correction;
    std::vector<std::string> hints;
    if (is_uneven)
        refuse_uneven(section);
    else
        correction = read_correction(section, step_s, duration_s, hints);
    if (!correction.is_none()) {
        ground_motion::Corrected corrected = ground_motion::correct(samples.acceleration_m_s2, step_s, correction);
        samples.acceleration_m_s2 = std::move(corrected.samples);
        samples.time_s.clear();
        for (std::size_t i = 0; i < samples.acceleration_m_s2.size(); ++i)
            samples.time_s.push_back(static_cast<double>(i) * step_s);
        account.corrections = std::move(corrected.steps);
    }
    scale(section, read_target(section, context, samples, step_s), samples, account);
    scale_time(section, samples, account);
    const double used_step_s = samples.time_s.back() / static_cast<double>(samples.time_s.size() - 1);
    account.used_step_s = is_uneven ? 0.0 : used_step_s;
    account.used_m_s2 = samples.acceleration_m_s2;
    for (const std::string& told : account.corrections)
        remarks.push_back(
            (told.find(" multiplied by ") == std::string::npos ? "record corrected: " : "record scaled: ") + told);
    if (!correction.is_none()) {
        const Measures before = ground_motion::measures_of(account.read_m_s2, step_s);
        const Measures after = ground_motion::measures_of(account.used_m_s2, used_step_s);
        remarks.push_back(fmt::format(
            "end of the record: {:.4g} m/s and {:.4g} m as read, {:.4g} m/s and {:.4g} m as "
            "corrected and scaled",
            before.end_velocity_m_s, before.end_displacement_m, after.end_velocity_m_s, after.end_displacement_m));
    }
    remarks.insert(remarks.end(), hints.begin(), hints.end());
    return correction.high_pass ? std::optional(correction.high_pass->corner_hz) : std::nullopt;
}

}  // namespace topple::hil::experiment
