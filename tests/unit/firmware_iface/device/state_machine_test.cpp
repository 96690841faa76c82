#include "firmware_iface/device/state_machine.hpp"

#include <array>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

TEST_CASE("Every state answers every event as the transition table says") {
    using S = DeviceState;
    using E = DeviceEvent;
    struct Row {
        E event;
        std::array<S, 8> to;  // from idle, homing, ready, armed, running, stopping, faulted, estop
    };
    const S i = S::idle, h = S::homing, r = S::ready, a = S::armed, m = S::running, s = S::stopping, f = S::faulted,
            e = S::estop;
    const std::array<S, 8> from{i, h, r, a, m, s, f, e};
    const Row table[] = {
        {E::home, {h, h, h, a, m, s, f, e}},
        {E::homed, {i, r, r, a, m, s, f, e}},
        {E::arm, {i, h, a, a, m, s, f, e}},
        {E::disarm, {i, h, r, r, m, s, f, e}},
        {E::start, {i, h, r, m, m, s, f, e}},
        {E::motion_done, {i, h, r, a, a, s, f, e}},
        {E::controlled_stop, {i, s, s, s, s, s, f, e}},
        {E::stop_ended, {i, h, r, a, m, f, f, e}},
        {E::drive_off, {f, f, f, f, f, f, f, e}},
        {E::emergency_stop, {e, e, e, e, e, e, e, e}},
        {E::emergency_release, {i, h, r, a, m, s, f, f}},
        {E::clear_homed, {i, h, r, a, m, s, r, e}},
        {E::clear_unhomed, {i, h, r, a, m, s, i, e}},
    };
    CHECK(std::size(table) == 13);
    for (const Row& row : table)
        for (std::size_t k = 0; k < from.size(); ++k) {
            INFO("event " << int(row.event) << " in state " << int(from[k]));
            CHECK(next(from[k], row.event) == row.to[k]);
        }
}

TEST_CASE("Only homing, running and stopping move the platen") {
    for (auto state : {DeviceState::homing, DeviceState::running, DeviceState::stopping}) CHECK(may_move(state));
    for (auto state :
         {DeviceState::idle, DeviceState::ready, DeviceState::armed, DeviceState::faulted, DeviceState::estop})
        CHECK_FALSE(may_move(state));
}
