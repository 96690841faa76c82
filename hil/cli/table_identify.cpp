#include "hil/cli/table_identify.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "hil/check/table_identification.hpp"
#include "hil/cli/identification_figure.hpp"
#include "hil/drive/while_speaking.hpp"
#include "hil/files/drawn_figure.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/host/version.hpp"
#include "hil/identification/table_text.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using files::InputError;
using files::Overwrite;
using identification::ForceChannel;
using identification::Identification;

// "drive force", "Drive_Force": the channel that measures the drive's force.
std::optional<ForceChannel> force_channel(const experiment::TableSection& section) {
    const auto is_it = [](std::string name) {
        std::transform(name.begin(), name.end(), name.begin(), [](unsigned char letter) {
            return letter == '_' || letter == '-' ? ' ' : static_cast<char>(std::tolower(letter));
        });
        return name == "drive force";
    };
    for (std::size_t i = 0; i < section.aux.size(); ++i) {
        const experiment::AuxChannel& channel = section.aux[i];
        if (!is_it(channel.name)) continue;
        if (channel.unit != "N")
            throw InputError(fmt::format("machine \"{}\": [[aux]] \"{}\" has the unit \"{}\", a force needs \"N\"",
                                         section.machine, channel.name, channel.unit));
        return ForceChannel{i, channel.scale, channel.offset};
    }
    return std::nullopt;
}

identification::IdentificationPlan plan_for(const check::CheckedTable& table, double amplitude_m_s2) {
    try {
        return drive::while_speaking(table.link, table.clock, [&] {
            return identification::plan_identification(table.machine, table.link.device().feedback_period_us,
                                                       amplitude_m_s2);
        });
    } catch (const std::invalid_argument& refused) {
        throw InputError(fmt::format("{}; nothing has moved", refused.what()));
    }
}

std::string serial_number(const IdentifyOptions& options, const firmware_iface::DeviceInfo& device) {
    if (!options.serial.empty()) return options.serial;
    if (device.serial_number.empty() && !options.write.empty())
        throw InputError("the table reports no serial number: give it with --serial; nothing has moved");
    return device.serial_number;
}

void write_machine(const experiment::TableSection& section, const Identification& found,
                   const experiment::Calibration& calibration, const std::string& file) {
    if (!found.proposal.why_not.empty())
        throw files::OutputError(fmt::format("{} has not been written: {}", file, found.proposal.why_not));
    firmware_iface::MachineDescription machine = section.description;
    machine.name = std::filesystem::path(file).stem().string();
    machine.moving_mass_kg = found.proposal.machine.moving_mass_kg;
    machine.servo = found.proposal.machine.servo;
    files::write_file(file, experiment::machine_file_toml(machine, section.aux, calibration), Overwrite::refuse);
    text::tell(
        "topple: {} written. The device must get the same moving_mass_kg and [servo]: as long as its mass is another "
        "one, "
        "`run` refuses the two together (docs/identification.md)\n",
        file);
}

}  // namespace

void require_identify_options(const IdentifyOptions& options) {
    const std::vector<std::string> files = {options.write, options.figure, options.csv};
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (files[i].empty()) continue;
        if (std::count(files.begin(), files.end(), files[i]) > 1)
            throw InputError(files[i] + ": is named twice; choose different names");
        const std::filesystem::path folder = std::filesystem::absolute(files[i]).parent_path();
        if (!std::filesystem::is_directory(folder))
            throw InputError(files[i] + ": there is no folder " + folder.string());
    }
    for (const std::string& file : files)
        if (!file.empty() && std::filesystem::exists(file))
            throw InputError(file + ": exists, and identify overwrites no file: choose another name");
    if (!options.figure.empty()) files::require_figure_name(options.figure);
    if (options.write.empty()) {
        if (!options.author.empty() || !options.serial.empty())
            throw InputError("--author and --serial are for the machine file of --write NAME.toml");
        return;
    }
    if (!options.write.ends_with(".toml"))
        throw InputError(fmt::format("--write {}: a machine file ends in .toml", options.write));
    if (options.author.empty())
        throw InputError("--write needs --author NAME: whoever answers for the numbers of a machine file stands in it");
    for (const std::string& text : {options.author, options.serial})
        if (text.size() > experiment::kCalibrationTextMax)
            throw InputError(fmt::format("--author and --serial: at most {} bytes", experiment::kCalibrationTextMax));
}

void identify_and_print(const check::CheckedTable& table, const experiment::TableSection& section,
                        const IdentifyOptions& options, const std::function<void(const std::string&)>& consent) {
    const auto force = force_channel(section);
    const auto plan = plan_for(table, options.amplitude_m_s2);
    if (const std::string reason = check::reason_against(table, plan, force); !reason.empty())
        throw InputError(reason + "; nothing has moved");
    experiment::Calibration calibration;
    calibration.serial_number = serial_number(options, table.link.device());
    calibration.author = options.author;
    calibration.method = fmt::format("topple table identify, Topple {}", host::version());
    consent(identification::describe(plan));
    const Identification found =
        check::identify(table, plan, force, [](const std::string& motion) { text::tell("topple: {}\n", motion); });
    calibration.date = host::iso_time_now();
    text::print_out("{}", identification::describe(found, table.machine));
    if (!options.csv.empty()) files::write_file(options.csv, identification::lines_csv(found), Overwrite::refuse);
    if (!options.figure.empty()) draw_identification(section.description.name, found, options.figure);
    if (!options.write.empty()) write_machine(section, found, calibration, options.write);
}

}  // namespace topple::hil::cli
