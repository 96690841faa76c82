// Options of the commands that take rotations of blocks, of a camera or a sensor.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hil/conclude/rotation_file.hpp"

namespace topple::hil::cli {

struct RotationOptions {
    std::string file, sync_s, unit, plane;
    std::string decimal;
    std::optional<double> start_s;
    double rate_hz = 0.0;  // 0: the file has times
    int sign = 0;          // 0: not given
    std::vector<std::string> blocks;
    bool correlate = false;
};

void add_rotation_options(CLI::App& command, RotationOptions& options);

/// What the file leaves open. Throws InputError.
camera::ReadOptions read_options(const RotationOptions& options);
/// Empty without --rotation. Throws InputError if another of the options is given without it, or two that exclude
/// each other.
std::optional<conclude::RotationRequest> rotation_request(const RotationOptions& options);

}  // namespace topple::hil::cli
