#include "hil/sim_table/fault_script.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "hil/experiment/toml_table.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::sim_table {
namespace {

using experiment::above;
using experiment::between;
using experiment::TomlTable;

constexpr std::size_t kFileBytesMax = 64 * 1024;
constexpr double kTimeMax_s = 3600.0;

/// How long a fault lasts if the script does not say.
enum class Lasting { to_the_end, at_once, given };

/// One kind: its name, the key of its number (empty: none) with range and default, and how long it lasts.
struct KindRow {
    FaultKind kind;
    std::string_view name;
    std::string_view value_key;
    experiment::NumberRange range;
    double fallback;
    Lasting lasting;
    double for_s;  // where lasting is `given`
};

constexpr experiment::NumberRange kNone{};
constexpr std::array kKinds{
    KindRow{FaultKind::wire_drop, "wire_drop", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_corrupt, "wire_corrupt", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_duplicate, "wire_duplicate", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_reorder, "wire_reorder", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_delay, "wire_delay", "delay_s", above(0.0, 10.0), 0.02, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_split, "wire_split", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_stall, "wire_stall", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::wire_unplug, "wire_unplug", "", kNone, 0.0, Lasting::at_once, 0.0},
    KindRow{FaultKind::device_stall, "device_stall", "", kNone, 0.0, Lasting::given, 0.02},
    KindRow{FaultKind::device_reboot, "device_reboot", "", kNone, 0.0, Lasting::given, 0.5},
    KindRow{FaultKind::clock_jump, "clock_jump", "jump_s", between(-10.0, 10.0), 1.0, Lasting::at_once, 0.0},
    KindRow{FaultKind::encoder_slip, "encoder_slip", "slip_m", between(-0.1, 0.1), 0.002, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::encoder_wrap, "encoder_wrap", "bits", between(8.0, 32.0), 16.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::encoder_stuck, "encoder_stuck", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::drive_saturation, "drive_saturation", "force_ratio", between(0.0, 1.0), 0.1, Lasting::to_the_end,
            0.0},
    KindRow{FaultKind::drive_fault, "drive_fault", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::accelerometer_stuck, "accelerometer_stuck", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::accelerometer_saturated, "accelerometer_saturated", "limit_m_s2", above(0.0, 1000.0), 19.62,
            Lasting::to_the_end, 0.0},
    KindRow{FaultKind::accelerometer_nan, "accelerometer_nan", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::accelerometer_reversed, "accelerometer_reversed", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::reference_stuck, "reference_stuck", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::reference_dead, "reference_dead", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::limit_switch, "limit_switch", "", kNone, 0.0, Lasting::to_the_end, 0.0},
    KindRow{FaultKind::emergency_stop, "emergency_stop", "", kNone, 0.0, Lasting::to_the_end, 0.0},
};

const KindRow& row(FaultKind kind) {
    return *std::find_if(kKinds.begin(), kKinds.end(), [&](const KindRow& r) { return r.kind == kind; });
}

constexpr std::array<std::string_view, 9> kMoments{"power_on", "idle",     "homing",  "ready", "armed",
                                                   "running",  "stopping", "faulted", "motion"};
constexpr std::array<std::string_view, 3> kDirections{"to_device", "to_host", "both"};

template <class Enum, class Names>
Enum read_word(TomlTable& table, std::string_view key, const Names& names, std::string_view fallback) {
    const std::string word = table.one_of_or(key, {names.begin(), names.end()}, fallback);
    return static_cast<Enum>(std::find(names.begin(), names.end(), word) - names.begin());
}

void read_wire_keys(TomlTable& table, ScriptedFault& fault) {
    if (fault.kind == FaultKind::wire_unplug) {  // once; the next host finds a cable again
        fault.count = 1;
        return;
    }
    fault.direction = read_word<WireDirection>(table, "direction", kDirections, "both");
    if (fault.kind == FaultKind::wire_stall) return;
    fault.share = table.number_or("share", above(0.0, 1.0), 1.0);
    if (table.has("count")) fault.count = static_cast<std::uint64_t>(table.integer_or("count", 1, 1'000'000'000, 1));
}

void read_duration(TomlTable& table, const KindRow& kind, ScriptedFault& fault) {
    if (kind.lasting == Lasting::at_once) return;
    fault.for_s = table.optional_number("for_s", above(0.0, kTimeMax_s));
    if (!fault.for_s && kind.lasting == Lasting::given) fault.for_s = kind.for_s;
}

/// Of what each axis has for itself.
bool is_of_axis(FaultKind kind) noexcept {
    return (kind >= FaultKind::encoder_slip && kind <= FaultKind::encoder_stuck) || kind == FaultKind::drive_fault ||
           (kind >= FaultKind::reference_stuck && kind <= FaultKind::limit_switch);
}

ScriptedFault read_fault(TomlTable& table) {
    std::vector<std::string_view> names;
    for (const KindRow& r : kKinds) names.push_back(r.name);
    const std::string word = table.one_of("kind", names);
    const KindRow& kind = *std::find_if(kKinds.begin(), kKinds.end(), [&](const KindRow& r) { return r.name == word; });
    ScriptedFault fault;
    fault.kind = kind.kind;
    fault.at = read_word<FaultMoment>(table, "at", kMoments, "power_on");
    fault.occurrence = static_cast<std::uint32_t>(table.integer_or("occurrence", 1, 1'000'000, 1));
    fault.after_s = table.number_or("after_s", between(0.0, kTimeMax_s), 0.0);
    if (!kind.value_key.empty()) fault.value = table.number_or(kind.value_key, kind.range, kind.fallback);
    if (kind.kind == FaultKind::encoder_wrap && fault.value != static_cast<int>(fault.value))
        table.fail("bits", "must be a whole number of bits");
    read_duration(table, kind, fault);
    if (is_of_axis(kind.kind)) fault.axis = table.one_of_or("axis", {"x", "y"}, "x") == "y" ? 1 : 0;
    if (is_wire_fault(kind.kind)) read_wire_keys(table, fault);
    table.finish();
    return fault;
}

}  // namespace

std::string_view name(FaultKind kind) noexcept { return row(kind).name; }
std::string_view name(FaultMoment moment) noexcept { return kMoments[static_cast<std::size_t>(moment)]; }
bool is_wire_fault(FaultKind kind) noexcept { return kind <= FaultKind::wire_unplug; }

const std::vector<FaultKind>& all_fault_kinds() {
    static const std::vector<FaultKind> kinds = [] {
        std::vector<FaultKind> all;
        for (const KindRow& r : kKinds) all.push_back(r.kind);
        return all;
    }();
    return kinds;
}

void require_axes(const FaultScript& script, std::size_t axis_count) {
    for (const ScriptedFault& fault : script.faults)
        if (fault.axis >= axis_count)
            throw files::InputError(
                fmt::format("fault script: {} has axis = \"y\", but the table has axis x only", describe(fault)));
}

FaultScript parse_fault_script(const std::string& text, const std::string& file) {
    TomlTable table = TomlTable::parse(text, file);
    FaultScript script;
    script.text = text;
    script.seed = static_cast<std::uint64_t>(table.integer_or("seed", 0, INT64_MAX, 1));
    if (!table.has("fault")) table.fail_here("no [[fault]] in the file: at least one is expected");
    for (TomlTable& entry : table.tables("fault")) script.faults.push_back(read_fault(entry));
    table.finish();
    return script;
}

FaultScript read_fault_script(const std::filesystem::path& file) {
    return parse_fault_script(files::read_text_file(file, kFileBytesMax), file.string());
}

std::string describe(const ScriptedFault& fault) {
    std::string text(name(fault.kind));
    if (fault.axis > 0) text += " of axis y";
    if (!row(fault.kind).value_key.empty()) text += fmt::format(" ({} = {})", row(fault.kind).value_key, fault.value);
    text += fmt::format(", {} s after {}", fault.after_s, name(fault.at));
    if (fault.occurrence > 1) text += fmt::format(" no. {}", fault.occurrence);
    return text;
}

}  // namespace topple::hil::sim_table
