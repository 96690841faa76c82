// What an excitation of type "record" was made of: the file as read, and what was done to it.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/fused_motion/calibration.hpp"
#include "hil/ground_motion/record.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::hil::experiment {

/// An acceleration that was calibrated by a displacement and fused with it.
struct RecordFusion {
    /// What gain and bias at the ends of what is known, and the reading as given, would have made of the record.
    struct Varied {
        std::string name;  ///< as fused_motion::Variant
        solver::BaseMotion motion;
    };
    fused_motion::Calibration calibration;
    double residual_m = 0.0;
    std::vector<Varied> motions;
};

struct RecordAccount {
    std::string file;    ///< as written in the experiment file
    std::string format;  ///< e.g. "PEER AT2", "CSV"
    std::string station, event;
    std::string channel, component;
    std::string unit;                    ///< that the samples had
    std::vector<std::string> channels;   ///< all accelerations of the file, "1 (90 DEG)"
    double step_s = 0.0;                 ///< of the file; 0: uneven
    std::vector<double> read_m_s2;       ///< as read, never changed
    double used_step_s = 0.0;            ///< of the motion, after time scaling; 0: uneven
    std::vector<double> used_m_s2;       ///< after corrections and scaling, before what ends it at rest
    double scale = 1.0;                  ///< of the accelerations
    std::optional<double> length_scale;  ///< model / prototype
    std::optional<ground_motion::PrintedPeak> printed_peak;
    std::vector<std::string> notes;        ///< on reading
    std::vector<std::string> corrections;  ///< in their order
    std::optional<RecordFusion> fusion;    ///< with a displacement beside it
};

}  // namespace topple::hil::experiment
