#include "firmware_iface/samples.hpp"

namespace topple::firmware_iface {

std::string_view name(DeviceState state) noexcept {
    switch (state) {
        case DeviceState::idle: return "idle";
        case DeviceState::homing: return "homing";
        case DeviceState::ready: return "ready";
        case DeviceState::armed: return "armed";
        case DeviceState::running: return "running";
        case DeviceState::stopping: return "stopping";
        case DeviceState::faulted: return "faulted";
        case DeviceState::estop: return "estop";
    }
    return "?";
}

}  // namespace topple::firmware_iface
