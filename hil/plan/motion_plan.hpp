// The planned motion of a table: placed, checked, sampled, drawn.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "controller/feasibility.hpp"
#include "controller/profile/profile.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

struct MotionPlan {
    controller::Profile profile;
    controller::FeasibilityReport feasibility;
};

/// One row of the plan. Position in the table frame, 0 = mid stroke.
struct MotionSample {
    double time_s = 0.0, position_m = 0.0, velocity_m_s = 0.0, acceleration_m_s2 = 0.0;
};

/// Places the excitation on the experiment's machine. Throws InputError if no table can make it (it does not end at
/// rest); the report says whether the motion is infeasible.
MotionPlan plan_motion(const experiment::Experiment& experiment);

/// Samples at rate_hz from 0 to the end; a step of acceleration is two rows at one time, left limit first.
std::vector<MotionSample> sample_motion(const controller::Profile& profile, double rate_hz);

std::string motion_csv(const std::vector<MotionSample>& samples);  ///< time_s,position_m,velocity_m_s,acceleration_m_s2
std::string plan_json(const experiment::Experiment& experiment, const MotionPlan& plan);  ///< topple.plan/1
std::string plan_text(const experiment::Experiment& experiment, const MotionPlan& plan);

/// Draws position, velocity and acceleration by gnuplot. Throws OutputError.
void draw_motion(const std::string& title, const std::vector<MotionSample>& samples,
                 const std::filesystem::path& figure);

}  // namespace topple::hil::plan
