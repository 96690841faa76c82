// A record as `plan` shows it: what was read from the file, what was done to it, what it is known by.
#pragma once

#include <filesystem>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/ground_motion/measures.hpp"
#include "hil/ground_motion/record.hpp"

namespace topple::hil::plan {

/// Indented lines of the record of an experiment; empty if it has none. motion_remarks() lists what was done to it.
std::string record_text(const experiment::Experiment& experiment);
/// The object `record` of topple.plan/1; null without a record.
nlohmann::ordered_json record_json(const experiment::Experiment& experiment);

/// What is drawn beside the motion; empty without a record of even samples.
ground_motion::Spectrum record_spectrum(const experiment::Experiment& experiment);

/// A file of ground motion that was looked at by itself.
struct LookedAt {
    std::string file;
    ground_motion::Record record;  ///< no channels if it could not be read
    std::string refused;           ///< why it cannot be used; empty: it can
};

/// Reads one file; errors become `refused`.
LookedAt look_at(const std::filesystem::path& file, const ground_motion::Stated& stated);
std::string looked_at_text(const std::vector<LookedAt>& files);
std::string looked_at_json(const std::vector<LookedAt>& files);  ///< topple.records/1

}  // namespace topple::hil::plan
