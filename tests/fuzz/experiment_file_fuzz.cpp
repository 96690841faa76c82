// Any text as an experiment file: refused with a reason, or an experiment whose motion is finite.
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/motion_plan.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

namespace {

constexpr const char* kRecord =
    "time_s,acceleration_m_s2,other_g\n0.00,0.0,0\n0.01,1.5,0.1\n0.02,-0.5,0.2\n0.03,-1.0,0.1\n0.04,0.0,0\n";

/// A folder with the only files that an input may refer to.
const fuzz::ScratchFolder& folder() {
    static const fuzz::ScratchFolder scratch;
    static const bool filled = [] {
        scratch.write("record.csv", kRecord);
        scratch.write("table.toml", hil::experiment::machine_toml(firmware_iface::quanser_st_iii()));
        return true;
    }();
    (void)filled;
    return scratch;
}

bool is_ours(const std::string& name) {
    return name.empty() || name == "record.csv" || name == "table.toml" || name == "missing.csv" ||
           name == "quanser-st-iii";
}

/// Every `file` and `machine` below this node is ours.
bool refers_to_ours(const toml::node& node) {
    bool ours = true;
    if (const toml::array* array = node.as_array())
        for (const toml::node& element : *array) ours = ours && refers_to_ours(element);
    if (const toml::table* table = node.as_table())
        for (const auto& [key, value] : *table) {
            const bool names_a_file = key.str() == "file" || key.str() == "machine";
            ours = ours && (names_a_file ? is_ours(value.value_or(std::string())) : refers_to_ours(value));
        }
    return ours;
}

/// No input reads files of this computer.
bool stays_at_home(std::string_view text) {
    try {
        return refers_to_ours(toml::parse(text));
    } catch (const toml::parse_error&) {
        return true;
    }
}

/// Extremes of thousands of cycles or of an hour take seconds to find, as they may.
bool is_quickly_planned(const hil::experiment::Excitation& excitation) {
    constexpr double kLongest_s = 20.0, kMostRadians = 1500.0;
    double radians = 0.0;
    for (const auto& piece : excitation.planned_motion().pieces())
        for (const auto& term : piece.harmonics)
            radians += term.angular_frequency_rad_s * (piece.end_s - piece.start_s);
    return excitation.planned_motion().end_s() <= kLongest_s && radians <= kMostRadians;
}

void check_motion(const hil::experiment::Experiment& experiment) {
    const auto& motion = experiment.excitation.planned_motion();
    for (const double share : {0.0, 0.1, 0.5, 0.999, 1.0}) {
        const auto state = motion.at(share * motion.end_s());
        require(std::isfinite(state.displacement_m) && std::isfinite(state.velocity_m_s) &&
                    std::isfinite(state.acceleration_m_s2),
                "the base motion is finite");
    }
    require(std::isfinite(hil::experiment::payload_kg(experiment)) &&
                !std::isnan(hil::experiment::uplift_threshold_m_s2(experiment)),
            "masses and thresholds are numbers");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string_view text(reinterpret_cast<const char*>(bytes), size);
    const auto longest_line = [&] {
        std::size_t longest = 0, line = 0;
        for (const char letter : text) longest = std::max(longest, line = letter == '\n' ? 0 : line + 1);
        return longest;
    };
    // The reader bounds the length of a line before it parses; so must the look at the names of files.
    if (longest_line() <= 4096 && !stays_at_home(text)) return 0;
    try {
        const auto experiment = hil::experiment::read_experiment(folder().write("experiment.toml", text));
        check_motion(experiment);
        if (is_quickly_planned(experiment.excitation))
            require(!hil::plan::plan_text(experiment, hil::plan::plan_motion(experiment)).empty(), "a plan has a text");
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
