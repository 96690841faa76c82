// docs/protocol.md says which command each state accepts: the page against the device core itself.
#include <cstdint>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"

using namespace topple::firmware_iface;
using topple::test::DeviceBench;

namespace {

std::string trimmed(const std::string& text) {
    const auto first = text.find_first_not_of(" `"), last = text.find_last_not_of(" `");
    return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

std::vector<std::string> cells(const std::string& line) {
    std::vector<std::string> all;
    std::istringstream in(line.substr(1));
    for (std::string cell; std::getline(in, cell, '|');) all.push_back(trimmed(cell));
    return all;
}

/// The page's table of states: its rows, and before them its head.
std::vector<std::vector<std::string>> table_of_states() {
    std::ifstream page(TOPPLE_SOURCE_DIR "/docs/protocol.md");
    std::vector<std::vector<std::string>> rows;
    bool inside = false;
    for (std::string line; std::getline(page, line);) {
        inside = inside || line.starts_with("| number | state |");
        if (inside && !line.starts_with("|")) break;
        if (inside && !line.starts_with("|---")) rows.push_back(cells(line));
    }
    return rows;
}

/// A device in `state`; homed wherever that is possible.
std::unique_ptr<DeviceBench> bench_in(DeviceState state) {
    const bool homed = state != DeviceState::idle && state != DeviceState::homing;
    auto bench = std::make_unique<DeviceBench>(homed);
    switch (state) {
        case DeviceState::idle:
        case DeviceState::ready: break;
        case DeviceState::homing:
            bench->core.home();
            bench->run(0.1);  // under way
            break;
        case DeviceState::armed: bench->core.arm(77); break;
        case DeviceState::running:
        case DeviceState::stopping:
            bench->start_swing(0.1, 2.0, 0.4);
            bench->run(0.1);
            if (state == DeviceState::stopping) bench->core.request_stop();
            break;
        case DeviceState::faulted:
            bench->core.request_stop();
            bench->run(0.01);
            break;
        case DeviceState::estop: bench->measurement.estop_pressed = true; break;
    }
    bench->tick();
    REQUIRE(bench->core.state() == state);
    return bench;
}

/// What comes of `command`: the refusal's name, or the state that the next cycle shows.
std::string answer(DeviceBench& bench, const std::string& command) {
    DeviceCore& core = bench.core;
    RefusalCode refusal = RefusalCode::none;
    if (command == "HOME") refusal = core.home();
    if (command == "ARM") refusal = core.arm(77);
    if (command == "DISARM") refusal = core.disarm();
    if (command == "CLEAR") refusal = core.clear();
    if (command == "STOP") core.request_stop();
    if (command == "START" || command == "setpoints") {
        const std::uint64_t first_us = bench.now_us + 10'000;
        const double at_m = core.setpoint().position_m;
        const auto before = core.feedback().queue_level;
        if (command == "START" && core.state() == DeviceState::armed) {
            core.push(DeviceBench::setpoint(first_us, at_m));
            core.push(DeviceBench::setpoint(first_us + 20'000, at_m, 0.0, 0.0, true));
        }
        if (command == "START") refusal = core.start(first_us, false);
        if (command == "setpoints") {
            const bool runs = core.state() == DeviceState::running;
            const auto s =
                runs ? bench.swing(bench.now_us, 0.0, at_m, 0.0, 1.0) : DeviceBench::setpoint(first_us, at_m);
            core.push(runs ? DeviceBench::setpoint(first_us + 600'000, s.axes[0].position_m) : s);
            return core.feedback().queue_level > before ? "taken" : "ignored";
        }
    }
    if (refusal != RefusalCode::none) return std::string(name(refusal));
    bench.tick();
    return std::string(name(core.state()));
}

}  // namespace

TEST_CASE("The page on the protocol says of every state its number, name, and what each command does there") {
    const auto rows = table_of_states();
    REQUIRE(rows.size() == 9);
    const auto& head = rows.front();
    REQUIRE(head == std::vector<std::string>{"number", "state", "HOME", "ARM", "DISARM", "START", "STOP", "CLEAR",
                                             "setpoints"});
    for (std::size_t row = 1; row < rows.size(); ++row) {
        const auto state = static_cast<DeviceState>(row - 1);
        CHECK(rows[row].at(0) == std::to_string(row - 1));
        CHECK(rows[row].at(1) == name(state));
        for (std::size_t column = 2; column < head.size(); ++column) {
            INFO(head[column] << " in state " << name(state));
            CHECK(rows[row].at(column) == answer(*bench_in(state), head[column]));
        }
    }
}
