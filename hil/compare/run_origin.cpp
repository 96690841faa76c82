#include "hil/compare/run_origin.hpp"

#include <charconv>
#include <cstdint>
#include <map>

#include "hil/compare/achieved_motion.hpp"
#include "hil/host/host_identity.hpp"

namespace topple::hil::compare {
namespace {

std::string entry(const std::map<std::string, std::string>& entries, const char* key) {
    const auto found = entries.find(key);
    return found == entries.end() ? std::string() : found->second;
}

std::int64_t integer(const std::string& text) {
    std::int64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

}  // namespace

RunOrigin origin_of(const experiment::Experiment& experiment, const run_log::RunData& run) {
    RunOrigin origin;
    const std::int64_t anchor_ns = integer(entry(run.clock, "wall_clock_anchor_ns"));
    if (anchor_ns > 0 && !run.metadata.contains("imported")) {
        const std::int64_t unix_s = (anchor_ns / 1000 + static_cast<std::int64_t>(motion_origin_us(run))) / 1'000'000;
        origin.date = host::iso_time(unix_s, static_cast<long>(integer(entry(run.metadata, "utc_offset_s"))));
    }
    origin.time_zone = entry(run.metadata, "time_zone");
    const auto noted = experiment.notes.find("operator");
    origin.operated_by = noted != experiment.notes.end() ? noted->second : entry(run.metadata, "user");
    origin.machine = experiment.table.description.name;
    const std::string serial = entry(run.metadata, "device_serial_number");
    if (entry(run.metadata, "simulated") == "true")
        origin.machine += " (simulated)";
    else if (!serial.empty())
        origin.machine += ", serial number " + serial;
    origin.computer = entry(run.metadata, "computer");
    origin.calibration = experiment.table.calibration;
    return origin;
}

}  // namespace topple::hil::compare
