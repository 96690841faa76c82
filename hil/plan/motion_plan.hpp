// The planned motion of a table: placed, checked, sampled, drawn.
#pragma once

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/feasibility.hpp"
#include "controller/headroom.hpp"
#include "controller/profile/profile.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

struct MotionPlan {
    controller::Profile profile;  ///< of axis x
    controller::FeasibilityReport feasibility;
    controller::Headroom headroom;
    std::optional<controller::Profile> profile_y{};  ///< of axis y, on a machine that has it; it may rest

    std::vector<controller::Profile> axes() const;  ///< x, y
};

/// One row of the plan. Position in the table frame, 0 = mid stroke.
struct MotionSample {
    double time_s = 0.0, position_m = 0.0, velocity_m_s = 0.0, acceleration_m_s2 = 0.0;
};

/// Places the excitation on the experiment's machine. Throws InputError if no table can make it (it does not end at
/// rest); the report says whether the motion is infeasible.
MotionPlan plan_motion(const experiment::Experiment& experiment);

/// Times of a step of acceleration of any axis; of several axes sorted, each once.
std::vector<double> step_times(std::span<const controller::Profile> axes);

/// Samples at rate_hz from 0 to the end; a step of acceleration is two rows at one time, left limit first.
std::vector<MotionSample> sample_motion(const controller::Profile& profile, double rate_hz);

/// The same of every axis at the same times: two rows where the acceleration of either has a step.
std::vector<std::vector<MotionSample>> sample_axes(std::span<const controller::Profile> axes, double rate_hz);

std::string motion_csv(const std::vector<MotionSample>& samples);  ///< time_s,position_m,velocity_m_s,acceleration_m_s2
/// The same of one axis; of two time_s,position_x_m,velocity_x_m_s,acceleration_x_m_s2,position_y_m...
std::string motion_csv(const std::vector<std::vector<MotionSample>>& axes);
std::string plan_json(const experiment::Experiment& experiment, const MotionPlan& plan);  ///< topple.plan/1
std::string plan_text(const experiment::Experiment& experiment, const MotionPlan& plan);

/// Draws position, velocity and acceleration over time, with the worst instant of each limit, the motion within the
/// machine's envelope, a record's response spectrum and irregular bodies, by gnuplot. Throws OutputError.
void draw_motion(const experiment::Experiment& experiment, const MotionPlan& plan, const std::filesystem::path& figure);

}  // namespace topple::hil::plan
