#include "hil/cli/rotation_options.hpp"

#include <fmt/format.h>

#include <string_view>

#include "hil/cli/arguments.hpp"
#include "hil/cli/positions_options.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::cli {
namespace {

/// "P1,P2,P3": no name may be empty.
std::vector<std::string> names_in(const std::string& text) {
    std::vector<std::string> names;
    for (std::size_t start = 0;;) {
        const std::size_t comma = text.find(',', start);
        names.push_back(text.substr(start, comma == std::string::npos ? comma : comma - start));
        if (names.back().empty())
            throw files::InputError("\"" + text +
                                    "\"; allowed: names of points, or of one rigid body, with commas "
                                    "between them");
        if (comma == std::string::npos) return names;
        start = comma + 1;
    }
}

void require_none(const RotationOptions& o) {
    if (!o.start_s && o.sync_s.empty() && o.unit.empty() && o.plane.empty() && o.decimal.empty() && o.rate_hz == 0.0 &&
        o.sign == 0 && o.blocks.empty() && !o.correlate)
        return;
    throw files::InputError(
        "--rotation-start, --rotation-sync, --rotation-correlate, --rotation-rate, --rotation-unit, "
        "--rotation-decimal, "
        "--rotation-plane, --rotation-sign and --rotation-block go with --rotation CSV");
}

}  // namespace

void add_rotation_options(CLI::App& command, RotationOptions& options) {
    command
        .add_option("--rotation", options.file,
                    "Blocks that rock: rotations, points (GOM) or an export of Motive (docs/camera.md)")
        ->type_name("CSV");
    command.add_option("--rotation-start", options.start_s, "Time in the rotation file at which the excitation began")
        ->transform(any_number())
        ->type_name("S");
    command
        .add_option("--rotation-sync", options.sync_s,
                    "Times in the file at which the table's trigger output rose and fell: offset and rate of its clock")
        ->check(readable([](const std::string& text) { parse_edges_s("--rotation-sync", text); }))
        ->type_name("RISE,FALL");
    command.add_flag("--rotation-correlate", options.correlate,
                     "Find the camera's clock by what the blocks did: sensor, else prediction");
    command.add_option("--rotation-rate", options.rate_hz, "Frame rate of a rotation file without time")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command.add_option("--rotation-unit", options.unit, "Unit of columns that state none")
        ->check(one_of({"m", "cm", "mm", "um", "rad", "mrad", "deg"}))
        ->type_name("m|cm|mm|um|rad|mrad|deg");
    command.add_option("--rotation-decimal", options.decimal, "Decimal sign of the file's numbers")
        ->check(one_of({".", ","}))
        ->type_name(".|,");
    command.add_option("--rotation-plane", options.plane, "Axes of the file that point to the right and up, e.g. x,z")
        ->check(readable([](const std::string& text) { camera::require_plane(text); }))
        ->type_name("RIGHT,UP");
    command.add_option("--rotation-sign", options.sign, "1 or -1: applied to every rotation")
        ->check(one_of({"1", "-1"}))
        ->type_name("1|-1");
    command
        .add_option("--rotation-block", options.blocks,
                    "Points (or the rigid body) of one block; once per block, from the bottom up")
        ->check(readable([](const std::string& text) { names_in(text); }))
        ->allow_extra_args(false)  // else the run folder after it would be one
        ->type_name("NAME,...");
}

camera::ReadOptions read_options(const RotationOptions& options) {
    camera::ReadOptions how;
    if (options.rate_hz != 0.0) how.rate_hz = options.rate_hz;
    if (!options.decimal.empty()) how.decimal = options.decimal.front();
    how.unit = options.unit;
    how.plane = options.plane;
    if (options.sign != 0) how.sign = options.sign;
    for (const std::string& names : options.blocks) how.bodies.push_back(names_in(names));
    return how;
}

std::optional<conclude::RotationRequest> rotation_request(const RotationOptions& options) {
    if (options.file.empty()) {
        require_none(options);
        return std::nullopt;
    }
    const int clocks = (options.start_s ? 1 : 0) + (options.sync_s.empty() ? 0 : 1) + (options.correlate ? 1 : 0);
    if (clocks > 1)
        throw files::InputError("--rotation-start, --rotation-sync, --rotation-correlate: give one of them");
    conclude::RotationRequest request;
    request.file = options.file;
    request.how = read_options(options);
    request.setup.start_s = options.start_s;
    if (!options.sync_s.empty()) request.setup.sync_s = parse_edges_s("--rotation-sync", options.sync_s);
    request.setup.correlate = options.correlate;
    request.setup.sign_is_known = request.how.sign.has_value();
    return request;
}

}  // namespace topple::hil::cli
