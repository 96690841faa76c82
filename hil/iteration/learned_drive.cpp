#include "hil/iteration/learned_drive.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "hil/experiment/axis_motions.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::iteration {
namespace {

using experiment::Experiment;
using experiment::IteratePayload;
using experiment::SimulatedMechanics;

const char* name_of(SimulatedMechanics mechanics) {
    switch (mechanics) {
        case SimulatedMechanics::ideal: return "ideal";
        case SimulatedMechanics::stage: return "stage";
        case SimulatedMechanics::worn: return "worn";
    }
    return "?";
}

// A simulated table's mechanics are not in the machine file, and yet another table.
std::string machine_text(const Experiment& experiment, const firmware_iface::DeviceInfo& device) {
    return fmt::format("{}\ndevice {} serial {} configuration {:016x} {}\n", experiment.table.machine_text,
                       device.device, device.serial_number, device.configuration_hash,
                       device.simulated ? name_of(experiment.simulation.table) : "real");
}

std::string waveform_text(std::span<const controller::Profile> targets, double rate_hz) {
    const auto period_us = static_cast<std::uint32_t>(1e6 / rate_hz + 0.5);
    std::string text = fmt::format("period {} us\n", period_us);
    for (const firmware_iface::Setpoint& knot : controller::setpoints(targets, 0, period_us)) {
        text += fmt::format("{}", knot.device_time_us);
        for (std::size_t i = 0; i < targets.size(); ++i)
            text += fmt::format(" {} {} {}", knot.axes[i].position_m, knot.axes[i].velocity_m_s,
                                knot.axes[i].acceleration_m_s2);
        text += "\n";
    }
    return text;
}

std::string payload_text(const Experiment& experiment) {
    if (experiment.specimens.empty() || experiment.table.iterate_payload == IteratePayload::bare)
        return "nothing (bare platen)";
    if (experiment.table.iterate_payload == IteratePayload::dummy)
        return fmt::format("a dummy mass of {} kg", experiment::payload_kg(experiment));
    std::string text = "the specimens:";
    for (std::size_t i = 0; i < experiment.specimens.size(); ++i) {
        for (const solver::Block& block : experiment.specimens[i].blocks)
            text += fmt::format(" {} x {} m {} kg", block.width_m, block.height_m, block.mass_kg);
        if (const double angle_rad = experiment::plane_angle_rad(experiment, i); angle_rad != 0.0)
            text += fmt::format(" in the plane at {} rad", angle_rad);
    }
    return text;
}

}  // namespace

DriveIdentity identity_of(const Experiment& experiment, std::span<const controller::Profile> targets,
                          const firmware_iface::DeviceInfo& device) {
    DriveIdentity identity;
    identity.payload = payload_text(experiment);
    identity.machine_sha256 = files::sha256_hex(machine_text(experiment, device));
    identity.waveform_sha256 = files::sha256_hex(waveform_text(targets, experiment.table.description.feedback_rate_hz));
    identity.payload_sha256 = files::sha256_hex(identity.payload);
    return identity;
}

std::string difference(const DriveIdentity& wanted, const DriveIdentity& stored) {
    std::string text;
    const auto compare = [&text](const std::string& a, const std::string& b, const std::string& what) {
        if (a != b) text += (text.empty() ? "" : ", ") + what;
    };
    compare(wanted.machine_sha256, stored.machine_sha256, "the machine file or the table");
    compare(wanted.waveform_sha256, stored.waveform_sha256, "the waveform");
    compare(wanted.payload_sha256, stored.payload_sha256,
            fmt::format("what stands on the platen ({}; it was learned with {})", wanted.payload, stored.payload));
    return text;
}

bool LearnedDrive::is_corrected() const noexcept {
    return std::any_of(axes.begin(), axes.end(), [](const LearnedAxis& axis) { return !axis.correction.empty(); });
}

std::filesystem::path drive_store(const Experiment& experiment) {
    return experiment.source.parent_path() / (experiment.source.stem().string() + ".learned_drive.json");
}

}  // namespace topple::hil::iteration
