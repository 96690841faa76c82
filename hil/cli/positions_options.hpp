// Options of the commands that take a camera's positions of the blocks in a basin.
#pragma once

#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "hil/conclude/positions_file.hpp"

namespace topple::hil::cli {

struct PositionsOptions {
    std::string file, sync_s;
    std::optional<double> start_s;
    double rate_hz = 0.0;  // 0: the file has times
    bool in_basin = false;
};

/// Two times "RISE,FALL", the rise before the fall. Throws InputError naming `option`.
std::vector<double> parse_edges_s(const std::string& option, const std::string& text);

void add_positions_options(CLI::App& command, PositionsOptions& options);

/// Empty without --positions. Throws InputError if another of the options is given without it, or two that exclude
/// each other.
std::optional<conclude::PositionsRequest> positions_request(const PositionsOptions& options);

}  // namespace topple::hil::cli
