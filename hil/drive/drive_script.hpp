// A script on the table from beginning to end: in lockstep, or in a thread of its own beside the operator's dialogue.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "hil/drive/drive_experiment.hpp"

namespace topple::hil::drive {

/// What is beside the script while it runs.
struct ScriptSurroundings {
    const OperatorConsent& consent;
    /// What the operator consents to, of a ConsentGate::Motion.
    std::function<std::string(int motion)> question;
    ProgressSink progress;
    std::optional<int> processor;
};

/// Runs `driver` to its end. On a virtual clock everything is in this thread; else the tick has a thread, the predictor
/// another one, and this one asks the operator through `gate` and shows the progress. Throws InputError if the operator
/// refused the first motion: then nothing has moved.
DriveResult drive_script(MotionDriver& driver, const DriveParts& parts, ConsentGate& gate,
                         const ScriptSurroundings& around);

}  // namespace topple::hil::drive
