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

}  // namespace topple::hil::drive
