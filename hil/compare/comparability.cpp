#include "hil/compare/comparability.hpp"

#include <fmt/format.h>

#include <cmath>

#include "hil/compare/motion_match.hpp"

namespace topple::hil::compare {
namespace {

constexpr double kSkewJudgedMax_ppm = 2000.0;  // 2 ms in a second, as much as impact times are compared to
constexpr double kAlignedCorrelation = 0.8;    // of the velocities; a table at its limits reaches 0.9

}  // namespace

std::string why_not_aligned(const Conclusion& c) {
    if (!c.imported || c.experiment.excitation.planned_motion().empty() || c.import_correlation >= kAlignedCorrelation)
        return {};
    if (c.import_correlation <= -kAlignedCorrelation)
        return fmt::format(
            "the recorded motion is the planned one with its sign reversed (correlation {:.2f}): reverse the sign of "
            "the platen's columns, or of the excitation, so that both use the same axis",
            c.import_correlation);
    return fmt::format(
        "the recorded motion does not fit the planned one (correlation {:.2f}, at least {:.1f} is required): check "
        "file, units and --start",
        c.import_correlation, kAlignedCorrelation);
}

std::string not_comparable(const Conclusion& conclusion) {
    if (conclusion.status != RunStatus::completed)
        return fmt::format("the test did not take place as planned ({}): {}", name(conclusion.status),
                           conclusion.status_reason);
    if (conclusion.motion.empty()) return "the achieved motion is not known";
    if (const auto& clock = conclusion.timing.clock;
        clock && std::abs(clock->skew_ppm) - clock->skew_bound_ppm > kSkewJudgedMax_ppm)
        return fmt::format(
            "the device's clock is {:+.2f} % off: all its times are off by that much, its accelerations by twice as "
            "much",
            1e-4 * clock->skew_ppm);
    if (conclusion.identified.above_bandwidth) return conclusion.identified.why_not;
    const double delay_s = conclusion.identified.delay_s;
    if (conclusion.imported && conclusion.identified.evaluated && std::abs(delay_s) > kLagMax_s)
        return fmt::format(
            "the recorded motion fits the planned one only when shifted by {:+.0f} ms (limit {:.0f} ms): it is "
            "another "
            "wave, or --start is wrong",
            1e3 * delay_s, 1e3 * kLagMax_s);
    return why_not_aligned(conclusion);
}

std::string not_comparable_with_plan(const Conclusion& c) {
    if (const std::string never = not_comparable(c); !never.empty()) return never;
    if (!c.files_changed.empty())
        return fmt::format("the files are not those of the prediction: {}", fmt::join(c.files_changed, "; "));
    if (!c.protective_ending) return {};
    return fmt::format("from t = {:.3f} s on the motion was not the planned one, to protect the specimens",
                       c.protective_ending->from_s);
}

}  // namespace topple::hil::compare
