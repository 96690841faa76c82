#include "hil/drive/flight_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "controller/estimator.hpp"
#include "firmware_iface/fault.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/run_folder.hpp"

namespace topple::hil::drive {
namespace {

using Out = std::back_insert_iterator<std::string>;
constexpr const char* kAxisNames[] = {"x", "y"};
static_assert(std::size(kAxisNames) == firmware_iface::kAxesMax);

void header(Out out, std::size_t axes, std::size_t rotations) {
    fmt::format_to(out, "device_time_us,host_time_ns,wake_late_ns,feedback_received_count");
    for (std::size_t i = 0; i < axes; ++i)
        fmt::format_to(out,
                       ",encoder_{0}_count,position_{0}_m,setpoint_position_{0}_m,setpoint_velocity_{0}_m_s,"
                       "setpoint_acceleration_{0}_m_s2",
                       kAxisNames[i]);
    fmt::format_to(out, ",accelerometer_x_m_s2,accelerometer_y_m_s2");
    for (std::size_t i = 0; i < rotations; ++i) fmt::format_to(out, ",rotation_{}_rad", i);
    fmt::format_to(out,
                   ",state,fault_code,queue_level,motion_done,supervisor,stop_reason,setpoints_sent_count,"
                   "sent_device_time_us");
    for (std::size_t i = 0; i < axes; ++i)
        fmt::format_to(out, ",sent_position_{0}_m,sent_velocity_{0}_m_s,sent_acceleration_{0}_m_s2", kAxisNames[i]);
    fmt::format_to(out, "\n");
}

void optional_cell(Out out, const std::optional<double>& value) {
    if (value)
        fmt::format_to(out, ",{}", *value);
    else
        fmt::format_to(out, ",");
}

void measured_cells(Out out, const firmware_iface::Feedback& feedback, std::size_t axes, std::size_t rotations,
                    const firmware_iface::MachineDescription& machine) {
    for (std::size_t i = 0; i < axes; ++i) {
        const auto& axis = feedback.axes[i];
        fmt::format_to(
            out, ",{},{},{},{},{}", axis.encoder_count,
            controller::encoder_position_m(i == 1 && machine.y ? axis_of(machine, i) : machine, axis.encoder_count),
            axis.setpoint_position_m, axis.setpoint_velocity_m_s, axis.setpoint_acceleration_m_s2);
    }
    optional_cell(out, feedback.acceleration_x_m_s2);
    optional_cell(out, feedback.acceleration_y_m_s2);
    for (std::size_t i = 0; i < rotations; ++i)
        optional_cell(out, i < feedback.rotation_count ? std::optional(feedback.rotation_rad[i]) : std::nullopt);
}

void sent_cells(Out out, const FlightRow& row, std::size_t axes) {
    fmt::format_to(out, ",{}", row.setpoints_sent_count);
    if (row.setpoint.device_time_us == 0) {  // nothing has been sent: empty, not zero
        fmt::format_to(out, ",{}", std::string(3 * axes, ','));
        return;
    }
    fmt::format_to(out, ",{}", row.setpoint.device_time_us);
    for (std::size_t i = 0; i < axes; ++i) {
        const auto& axis = row.setpoint.axes[i];
        fmt::format_to(out, ",{},{},{}", axis.position_m, axis.velocity_m_s, axis.acceleration_m_s2);
    }
}

std::string flight_csv(const FlightIncident& incident, const firmware_iface::MachineDescription& machine) {
    std::size_t axes = 1, rotations = 0;
    for (const FlightRow& row : incident.rows) {
        axes = std::max(axes, std::min(row.feedback.axis_count, firmware_iface::kAxesMax));
        rotations = std::max(rotations, std::min(row.feedback.rotation_count, firmware_iface::kRotationSensorsMax));
    }
    std::string text;
    const Out out(text);
    header(out, axes, rotations);
    for (const FlightRow& row : incident.rows) {
        const auto& feedback = row.feedback;
        fmt::format_to(out, "{},{},{},{}", feedback.device_time_us, row.host_time_ns, row.wake_late_ns,
                       row.feedback_received_count);
        measured_cells(out, feedback, axes, rotations, machine);
        fmt::format_to(out, ",{},{},{},{},{},{}", name(feedback.state), feedback.fault_code, feedback.queue_level,
                       feedback.motion_done ? 1 : 0, row.supervised ? name(row.supervisor) : "",
                       row.supervised ? name(row.reason) : "");
        sent_cells(out, row, axes);
        fmt::format_to(out, "\n");
    }
    return text;
}

std::string flight_file_name(const FlightIncident& incident) {
    const bool by_device = incident.reason == controller::StopReason::device_fault && incident.fault_code != 0;
    return fmt::format(
        "flight_{}_{}.csv", incident.device_time_us,
        by_device ? name(static_cast<firmware_iface::FaultCode>(incident.fault_code)) : name(incident.reason));
}

}  // namespace

FlightFiles write_flight_files(const std::filesystem::path& folder, std::span<const FlightIncident> incidents,
                               const firmware_iface::MachineDescription& machine) {
    FlightFiles files;
    for (const FlightIncident& incident : incidents) {
        try {
            const std::string file = flight_file_name(incident);
            files::write_durably(folder / file, flight_csv(incident, machine));
            files.names.push_back(file);
        } catch (const files::OutputError& error) {
            files.failure = error.what();
        }
    }
    return files;
}

}  // namespace topple::hil::drive
