#include "hil/cli/positions_options.hpp"

#include <string_view>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/number_text.hpp"

namespace topple::hil::cli {

std::vector<double> parse_edges_s(const std::string& option, const std::string& text) {
    const std::size_t comma = text.find(',');
    const auto rise_s = text::parse_number(std::string_view(text).substr(0, comma));
    const auto fall_s =
        comma == std::string::npos ? std::nullopt : text::parse_number(std::string_view(text).substr(comma + 1));
    if (!rise_s || !fall_s || !(*rise_s < *fall_s))
        throw files::InputError(option + " \"" + text +
                                "\"; allowed: two camera times, the rise before the fall, e.g. 1.2,9.7");
    return {*rise_s, *fall_s};
}

void add_positions_options(CLI::App& command, PositionsOptions& options) {
    command
        .add_option("--positions", options.file,
                    "Blocks of an assembly as a camera saw them: time_s, position_0_m, ... (mm, cm too)")
        ->type_name("CSV");
    command.add_option("--positions-start", options.start_s, "Camera time at which the excitation began")
        ->transform(any_number())
        ->type_name("S");
    command
        .add_option("--positions-sync", options.sync_s,
                    "Camera times at which the table's trigger output rose and fell: offset and rate of its clock")
        ->check(readable([](const std::string& text) { parse_edges_s("--positions-sync", text); }))
        ->type_name("RISE,FALL");
    command.add_option("--positions-rate", options.rate_hz, "Frame rate of a file without time")
        ->transform(number_above_zero())
        ->type_name("HZ");
    command.add_flag("--in-basin", options.in_basin,
                     "The camera moves with the basin: positions are from its left wall");
}

std::optional<conclude::PositionsRequest> positions_request(const PositionsOptions& options) {
    if (options.file.empty()) {
        if (options.start_s || !options.sync_s.empty() || options.rate_hz != 0.0 || options.in_basin)
            throw files::InputError(
                "--positions-start, --positions-sync, --positions-rate and --in-basin go with --positions CSV");
        return std::nullopt;
    }
    conclude::PositionsRequest request;
    request.file = options.file;
    if (options.rate_hz != 0.0) request.rate_hz = options.rate_hz;
    request.setup.start_s = options.start_s.value_or(0.0);
    request.setup.in_basin = options.in_basin;
    if (options.sync_s.empty()) return request;
    if (options.start_s)
        throw files::InputError("--positions-sync: not together with --positions-start: give one of them");
    request.setup.sync_s = parse_edges_s("--positions-sync", options.sync_s);
    return request;
}

}  // namespace topple::hil::cli
