// Where in a foreign recording the planned motion begins.
#pragma once

#include <optional>

#include "hil/files/declared_columns.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::hil::conclude {

struct MotionStart {
    double time_s = 0.0;       ///< in the file's time
    double correlation = 0.0;  ///< of planned and recorded velocity (or acceleration) there, -1 to 1; < 0: signs differ
};

/// The shift at which the recording holds most of the planned motion (matched filter), by velocity where there is a
/// displacement, else by acceleration, so that an offset of the sensor plays no part. Either sign is found. A plan or a
/// recording that does not move gives the recording's first sample with correlation 0.
MotionStart find_motion_start(const files::DeclaredColumns& recorded, const solver::BaseMotion& planned);
/// The same within 0.1 s of `told_s`, by which tables may be late. `time_s` is where it fits best there.
MotionStart motion_start_near(const files::DeclaredColumns& recorded, const solver::BaseMotion& planned, double told_s);

/// What is left of the recorded displacement (or, without one, acceleration) when the planned motion from `start_s` and
/// a constant are taken away, over the planned motion: rms over that of the planned motion about its mean, which has
/// the sign of the recording. Empty if nothing moves or fewer than 16 samples are there.
std::optional<double> alignment_residual(const files::DeclaredColumns& recorded, const solver::BaseMotion& planned,
                                         double start_s);

}  // namespace topple::hil::conclude
