// Everything that is known after a test, in memory: the input of summary.json, the figures and the report.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "controller/feasibility.hpp"
#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/agreement.hpp"
#include "hil/compare/assembly_conclusion.hpp"
#include "hil/compare/attribution.hpp"
#include "hil/compare/blind_record.hpp"
#include "hil/compare/camera_conclusion.hpp"
#include "hil/compare/identify.hpp"
#include "hil/compare/impact_evidence.hpp"
#include "hil/compare/measured.hpp"
#include "hil/compare/model_comparison.hpp"
#include "hil/compare/motion_window.hpp"
#include "hil/compare/operator_mark.hpp"
#include "hil/compare/plane_motion.hpp"
#include "hil/compare/plateau.hpp"
#include "hil/compare/platen_impacts.hpp"
#include "hil/compare/predicted_numbers.hpp"
#include "hil/compare/predicted_rotation.hpp"
#include "hil/compare/run_origin.hpp"
#include "hil/compare/spectrum_match.hpp"
#include "hil/compare/timing_statistics.hpp"
#include "hil/compare/tracking.hpp"
#include "hil/compare/trigger.hpp"
#include "hil/compare/why.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/plan/outcome_sensitivity.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// How the test ended. Anything but `completed` is never a success, whatever was measured.
enum class RunStatus {
    completed,  ///< the final setpoint was reached and recording ended as planned
    stopped,    ///< a stop was requested
    fault,      ///< the device latched a fault
    link_lost,
    incomplete,  ///< the log ends before the motion does
};
std::string_view name(RunStatus status) noexcept;

struct SpecimenConclusion {
    solver::Specimen specimen;
    PredictedRotation planned;   ///< of the planned motion, computed again for its history
    PredictedRotation achieved;  ///< of the achieved motion; empty history if there is none
    std::vector<plan::EnsembleMember> planned_members, achieved_members;  ///< what became of the ensemble along each
    SpecimenMeasurement measured;
    Agreement agreement;      ///< prediction from the achieved motion against the measurement: the verdict
    Agreement blind;          ///< blind prediction against the measurement: for information
    NumbersTable numbers;     ///< peaks, impact times, rest: predicted with their spread, and measured
    Attribution attribution;  ///< what each part of the tracking error alone changes
    ImpactEvidence impacts;   ///< found by the sensors
    ModelComparison models;   ///< what other models say of the same motion
    std::optional<plan::OutcomeSensitivity> sensitivity;  ///< of a fused motion
    Why why;                                              ///< table, model, parameters or chance
    /// Of the acceleration in the specimen's plane and across it; empty where no plane is spoken of
    /// (experiment::shows_planes), achieved also without an achieved motion.
    std::optional<experiment::PlanePeaks> planned_peaks, achieved_peaks;
};

struct Conclusion {
    RunStatus status = RunStatus::completed;
    std::string status_reason;
    std::size_t ensemble_members = plan::kTestEnsemble;  ///< of the ensembles by which it is judged
    experiment::Experiment experiment;
    firmware_iface::MachineDescription machine;
    MotionWindow window;
    AchievedMotion motion;             ///< along [excitation]'s direction; so are the next five
    std::vector<AxisConclusion> axes;  ///< of a table of two axes, x and y; empty of any other
    IdentifiedExcitation identified;
    Tracking tracking;
    std::vector<Plateau> plateaus;         ///< of constant accelerations
    std::optional<SpectrumMatch> spectra;  ///< of a record
    PlatenImpacts platen_impacts;
    std::vector<SpecimenConclusion> specimens;
    std::optional<AssemblyConclusion> assembly;
    std::optional<CameraConclusion> camera;  ///< of a test whose rotations a camera measured
    controller::FeasibilityReport feasibility;
    TimingStatistics timing;
    TriggerEdges trigger;
    bool imported = false;            ///< driven by other software: nothing was predicted before it
    double import_correlation = 1.0;  ///< of the planned motion with what an import recorded at its start
    std::vector<run_log::EventRecord> events;
    std::uint64_t origin_us = 0;
    std::vector<std::string> remarks;        ///< for the reader of the report, most important first
    RunOrigin origin;                        ///< when, by whom, where
    std::vector<std::string> data_missing;   ///< what the log lacks; empty: every record is there
    std::vector<std::string> files_changed;  ///< since the test, one text each: the results here are not those of then
    BlindRecord blind_record;  ///< was the prediction there before the motion? Checked where the file can be read
    /// Another end of the motion protected the specimens: where it begins, and the words of the log.
    struct Protected {
        double from_s = 0.0;
        std::string text;
    };
    std::optional<Protected> protective_ending;
    std::optional<double> protection_wanted_s;  ///< when the live forecast first exceeded [table] protect
    std::optional<double> shortened_s;          ///< the operator ended the recording then, before everything rested
};

/// Pure: no file is read or written. `marks` are the operator's; `files_changed` becomes that of the conclusion. With
/// `camera` its rotations are what was measured; throws std::invalid_argument as film().
/// `members`: of the ensembles by which the test is judged.
Conclusion conclude(const experiment::Experiment& experiment, const run_log::RunData& run,
                    const std::vector<OperatorMark>& marks, const std::vector<std::string>& files_changed = {},
                    const CameraInput* camera = nullptr, std::size_t members = plan::kTestEnsemble);

/// What must accompany every verdict of this test: "from incomplete data: ...", "from a shortened recording"; or
/// empty.
std::string caveat(const Conclusion& conclusion);

/// The worst verdict of all specimens: inconsistent, then uninformative, then consistent; empty if none was judged.
std::optional<AgreementVerdict> overall_verdict(const Conclusion& conclusion);

}  // namespace topple::hil::compare
