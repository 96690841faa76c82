// Everything that is decided before a table moves: profile, feasibility, blind prediction.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "controller/feasibility.hpp"
#include "controller/profile/profile.hpp"
#include "controller/supervisor.hpp"
#include "firmware_iface/device_info.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/plan/prediction.hpp"

namespace topple::hil::drive {

/// Limits of the gentle moves before and after a test.
struct PositioningLimits {
    double velocity_m_s = 0.05;
    double acceleration_m_s2 = 0.5;  ///< and below a fifth of the specimens' uplift threshold
};

inline constexpr double kFallen_rad = 1.0;  ///< beyond any slenderness of a block that still stands

struct RunPlan {
    controller::Profile profile;                   ///< of axis x: what the platen shall do
    std::optional<controller::Profile> profile_y;  ///< of axis y, on a machine that has it; it may rest
    std::vector<controller::Profile> learned;      ///< x, y: what is sent so that it does; empty: the profiles
    controller::FeasibilityReport feasibility;
    plan::ExperimentPrediction prediction;  ///< of the planned motion, with an ensemble
    PositioningLimits positioning;
    /// Of each rotation sensor: beyond it the specimen has fallen, or rests on another face of its foot.
    std::vector<double> elsewhere_rad;
    bool ends_elsewhere = false;        ///< a foot is predicted to come to rest on another face
    bool trigger = false;               ///< the trigger output shows the test's motion
    double predicted_settling_s = 0.0;  ///< last rest or fall of all specimens; infinite if not known

    std::vector<controller::Profile> axes() const;        ///< x, y: what the platen shall do
    std::vector<controller::Profile> drive_axes() const;  ///< x, y: what is sent to the table
};

/// On the experiment's machine. Throws InputError if the excitation cannot be made on a table, the motion is
/// infeasible, or the solver cannot follow the specimen.
RunPlan plan_run(const experiment::Experiment& experiment);
/// The same plan on a machine with other limits, those of the experiment given here: profile and feasibility anew. The
/// prediction stays, because it is of the planned motion whatever the table. Throws as plan_run does.
RunPlan with_limits_of(const experiment::Experiment& experiment, RunPlan plan);

/// The tightest of machine file and device, at the device's feedback rate. Throws DeviceError if they do not belong
/// together (controller::mismatch): then nothing that either says can be trusted.
firmware_iface::MachineDescription effective_machine(const firmware_iface::MachineDescription& machine,
                                                     const firmware_iface::DeviceInfo& device);

/// How the supervisor treats this device. A simulated table in its own process may be delayed by a busy computer,
/// its clock then stands still: it is given a second. A real one gets the controller's default.
controller::SupervisorSettings supervisor_settings(const firmware_iface::DeviceInfo& device);

/// How the table is brought back by hand after this test: `topple table move` does not know what stands on it.
firmware_iface::Wording return_advice(const PositioningLimits& positioning) noexcept;

/// "+0.0149 m", or "+0.0149 m, y -0.0100 m": where the motion starts, or mid stroke.
std::string place_text(const RunPlan& plan, bool at_start);

/// One line for the operator: extent, duration and peaks of a motion, axis by axis.
std::string describe_motion(std::span<const controller::Profile> axes);

}  // namespace topple::hil::drive
