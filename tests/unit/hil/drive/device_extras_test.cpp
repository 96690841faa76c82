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

TEST_CASE("A machine file that was calibrated on another table is told, and no other") {
    firmware_iface::DeviceInfo device;
    device.serial_number = "18";
    hil::experiment::Experiment experiment;
    experiment.table.machine = "ours.toml";
    CHECK(hil::drive::calibration_warning(experiment, device).empty());
    experiment.table.calibration = {"2026-03-01", "A. Author", "17", ""};
    CHECK_THAT(hil::drive::calibration_warning(experiment, device),
               ContainsSubstring("ours.toml") && ContainsSubstring("serial number 17, but this one is 18"));
    device.simulated = true;
    CHECK(hil::drive::calibration_warning(experiment, device).empty());
    device.simulated = false;
    device.serial_number = "17";
    CHECK(hil::drive::calibration_warning(experiment, device).empty());
    device.serial_number.clear();  // does not say
    CHECK(hil::drive::calibration_warning(experiment, device).empty());
}
