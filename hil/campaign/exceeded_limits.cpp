#include "hil/campaign/exceeded_limits.hpp"

#include <fmt/format.h>

#include "hil/plan/motion_plan.hpp"

namespace topple::hil::campaign {

std::vector<std::string> exceeded_limits(const experiment::Experiment& one) {
    const plan::MotionPlan plan = plan::plan_motion(one);
    std::vector<std::string> reasons;
    for (const controller::FeasibilityCheck& check : plan.feasibility.checks)
        if (!check.passed && !check.warning_only)
            reasons.push_back(
                fmt::format("{} {:.4g} {}, limit {:.4g}", check.name, check.value, check.unit, check.limit));
    return reasons;
}

}  // namespace topple::hil::campaign
