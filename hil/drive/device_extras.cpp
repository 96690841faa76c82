#include "hil/drive/device_extras.hpp"

#include <fmt/format.h>

#include "firmware_iface/samples.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::drive {

static_assert(experiment::kAuxListedMax == firmware_iface::kAuxChannelsMax);

void require_extras(const experiment::Experiment& experiment, const firmware_iface::DeviceInfo& device) {
    const std::string name = text::one_line(device.device);
    if (experiment.table.trigger && !device.has_trigger)
        throw files::InputError(
            fmt::format("{}: [table] trigger = true, but the device \"{}\" has no trigger output: set it to false, and "
                        "synchronise the camera by other means; nothing has moved",
                        experiment.source.string(), name));
    const std::size_t listed = experiment.table.aux.size();
    if (listed > device.aux_channel_count)
        throw files::InputError(
            fmt::format("machine \"{}\": lists {} [[aux]] channels, but the device \"{}\" has {}: list no more than "
                        "these, in the order of its inputs; nothing has moved",
                        experiment.table.machine, listed, name, device.aux_channel_count));
}

std::string calibration_warning(const experiment::Experiment& experiment, const firmware_iface::DeviceInfo& device) {
    const auto& calibration = experiment.table.calibration;
    if (!calibration || device.simulated || device.serial_number.empty() ||
        calibration->serial_number == device.serial_number)
        return {};
    return fmt::format(
        "machine \"{}\" was calibrated on the table with serial number {}, but this one is {}: use the "
        "machine file of this table, or calibrate it",
        experiment.table.machine, text::one_line(calibration->serial_number), text::one_line(device.serial_number));
}

}  // namespace topple::hil::drive
