#include "hil/drive/device_extras.hpp"

#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;

namespace {
std::string refusal(const hil::experiment::Experiment& experiment, const firmware_iface::DeviceInfo& device) {
    try {
        hil::drive::require_extras(experiment, device);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return {};
}
}  // namespace

TEST_CASE("a device without trigger output or with too few inputs is refused for the experiment that wants them") {
    firmware_iface::DeviceInfo device;
    device.device = "plain";
    hil::experiment::Experiment experiment;
    CHECK(refusal(experiment, device).empty());
    experiment.table.trigger = true;
    CHECK_THAT(refusal(experiment, device),
               ContainsSubstring("\"plain\" has no trigger output") && ContainsSubstring("nothing has moved"));
    device.has_trigger = true;
    CHECK(refusal(experiment, device).empty());
    experiment.table.aux.resize(3);
    device.aux_channel_count = 2;
    CHECK_THAT(refusal(experiment, device),
               ContainsSubstring("lists 3 [[aux]] channels") && ContainsSubstring("has 2"));
    device.aux_channel_count = 4;
    CHECK(refusal(experiment, device).empty());
}
