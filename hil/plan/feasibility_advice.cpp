#include "hil/plan/feasibility_advice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace topple::hil::plan {
namespace {

constexpr double kSpare_ratio = 0.995;  // advice that is followed to its last digit must be feasible

/// How the peak of one quantity depends on what the file states.
struct Dependence {
    const char* size;       ///< the key that all of the motion is proportional to
    const char* rate = "";  ///< the frequency's key, where there is one
    int power = 0;          ///< the peak goes with rate^power
};

Dependence dependence(const std::string& type, const std::string& quantity) {
    const int derivatives = quantity == "acceleration" ? 2 : quantity == "velocity" ? 1 : 0;
    if (type == "sine" || type == "cosine" || type == "ricker")
        return {"amplitude_m_s2", "frequency_hz", derivatives - 2};
    if (type == "harmonic") return {"displacement_m", "frequency_hz", derivatives};
    if (type == "constant" || type == "sweep") return {"amplitude_m_s2"};
    if (type == "noise") return {"rms_m_s2"};
    if (type == "mavroeidis_papageorgiou" || type == "cycloidal")
        return {"velocity_m_s", "frequency_hz", derivatives - 1};
    if (type == "record" || type == "sum") return {"scale"};
    return {""};
}

/// Half of the way between the extremes: the reach of a centred motion.
double half_range_m(const controller::Profile& profile) {
    const auto extremes = profile.motion.extremes();
    return 0.5 * (extremes.displacement_max_m - extremes.displacement_min_m);
}

std::string change(const Dependence& by, double allowed_ratio) {
    std::string text = fmt::format("lower {} to {:.3g} times its value", by.size, kSpare_ratio * allowed_ratio);
    if (by.power == 0) return text;
    const double rate_ratio = std::pow(allowed_ratio * kSpare_ratio, 1.0 / by.power);
    return text + fmt::format(" or {} {} to {:.3g} times", rate_ratio > 1.0 ? "raise" : "lower", by.rate, rate_ratio);
}

std::string stroke_advice(const experiment::Experiment& experiment, const controller::Profile& profile,
                          const controller::FeasibilityCheck& check, const Dependence& by) {
    const double centred_m = half_range_m(profile);
    if (!experiment.table.centre && centred_m <= check.limit)
        return fmt::format("centre the motion ([table] centre = true): it then reaches ±{:.4g} m", centred_m);
    const double reach_m = experiment.table.centre ? check.value : centred_m;
    const std::string text = change(by, check.limit / reach_m);
    return experiment.table.centre ? text : "centre the motion ([table] centre = true) and " + text;
}

}  // namespace

void fit_advice(const experiment::Experiment& experiment, std::span<const controller::Profile> axes,
                controller::FeasibilityReport& report) {
    for (controller::FeasibilityCheck& check : report.checks) {
        const bool is_stop = check.name == "stroke with room to stop";  // no simple function of the keys
        const bool is_known =
            is_stop || check.name == "stroke" || check.name == "velocity" || check.name == "acceleration";
        if (check.passed || !is_known || !(check.value > 0.0)) continue;
        const bool is_y = check.axis == firmware_iface::kAxisNames[1];
        const experiment::Excitation& excitation =
            is_y && experiment.excitation_y ? *experiment.excitation_y : experiment.excitation;
        const Dependence by = dependence(excitation.type, check.name);
        if (*by.size == '\0') continue;
        if (is_stop) {
            check.advice = fmt::format("lower {}{}{}; a stop there would leave the stroke", by.size,
                                       by.power < 0 ? " or raise " : "", by.power < 0 ? by.rate : "");
            continue;
        }
        check.advice = check.name == "stroke" ? stroke_advice(experiment, axes[is_y ? 1 : 0], check, by)
                                              : change(by, check.limit / check.value);
    }
}

}  // namespace topple::hil::plan
