#include "hil/cli/command_line.hpp"

#include <fcntl.h>
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <sstream>
#include <string>
#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cluster/started_by.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/nearest_word.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

enum ExitCode : int { done = 0, output_failed = 1, bad_input = 2, device_failed = 3, no_outcome = 4 };

using AddCommand = void (*)(CLI::App&);
constexpr AddCommand kCommands[] = {
    add_predict, add_plan,    add_map,    add_fit,  add_emulate, add_devices, add_run,  add_table,
    add_check,   add_recover, add_export, add_mark, add_import,  add_compare, add_show,
};

/// A standard stream that the caller closed becomes /dev/null, read only: its number can then never be given to a log
/// or a port, and what is written to it still fails.
void keep_standard_streams() {
    for (const int stream : {0, 1, 2})
        if (::fcntl(stream, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) < 0) return;
}

void say(const std::string& message) { text::tell("topple: {}\n", message); }

/// CLI11's own words, except for a command that does not exist.
int refuse_arguments(const CLI::App& app, const CLI::ParseError& error, const std::string& first_word) {
    std::vector<std::string> names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    const bool is_command = std::find(names.begin(), names.end(), first_word) != names.end();
    if (first_word.empty() || first_word.starts_with('-') || is_command) {
        std::ostringstream words;
        app.exit(error, words, words);
        text::tell_text(words.str());
        return bad_input;
    }
    const std::string near = text::nearest_word(first_word, names);
    say(fmt::format("no command \"{}\"{}; the commands are: {}", first_word,
                    near.empty() ? "" : fmt::format(": did you mean \"{}\"?", near), fmt::join(names, ", ")));
    return bad_input;
}

/// A command that its ranks do not share would be done by each of them: two tables would move.
bool is_shared_by_ranks(const std::string& first_word) {
    return first_word.empty() || first_word.starts_with('-') || first_word == "map" || first_word == "import";
}

/// One rank says why and fails; the others do nothing. mpirun ends a job at the first failure, so theirs would silence
/// it.
int refuse_ranks(const std::string& command) {
    if (cluster::rank_of_this_process() > 0) return done;
    say(
        fmt::format("{}: each of the {} ranks of mpirun would do all of it; mpirun shares out `map` of a file with "
                    "[fragility] and `import` of a table only (docs/cluster.md)",
                    command, cluster::rank_count()));
    return bad_input;
}

int parse_and_run(CLI::App& app, int argc, const char* const* argv) {
    if (const std::string unfinished = unfinished_option(argc, argv); !unfinished.empty()) {
        say(fmt::format("{}: the value is empty", unfinished));
        return bad_input;
    }
    if (const std::string command = argc > 1 ? argv[1] : ""; !is_shared_by_ranks(command) && cluster::rank_count() > 1)
        return refuse_ranks(command);
    try {
        app.parse(argc, argv);
        return done;
    } catch (const CLI::Success& request) {  // --help, --version
        std::ostringstream words;
        app.exit(request, words, words);
        text::print_text(words.str());
        return done;
    } catch (const CLI::ParseError& error) {
        return refuse_arguments(app, error, argc > 1 ? argv[1] : "");
    } catch (const files::InputError& error) {
        say(error.what());
        return bad_input;
    } catch (const firmware_iface::AddressError& error) {
        say(error.what());
        return bad_input;
    } catch (const firmware_iface::DeviceError& error) {
        say(error.what());
        return device_failed;
    } catch (const files::NoOutcomeError& error) {
        say(error.what());
        return no_outcome;
    } catch (const std::exception& error) {  // OutputError, and what nobody foresaw
        say(error.what());
        return output_failed;
    }
}

}  // namespace

void add_commands(CLI::App& app) {
    for (const AddCommand add : kCommands) add(app);
    require_values(app);
}

void describe_program(CLI::App& app, const std::string& version) {
    app.name("topple");
    app.description("Predicts, drives, logs and compares shaking-table tests of rocking blocks.");
    app.set_version_flag("--version", version, "Print version, commit, compiler, protocol and features, and exit");
    app.require_subcommand(1);
    app.footer("`topple COMMAND --help` explains a command. Example:\n  topple predict docs/examples/b6l_sine.toml");
    add_commands(app);
}

int run_command_line(int argc, const char* const* argv, const BuildIdentity& build) {
    keep_standard_streams();
    std::signal(SIGPIPE, SIG_IGN);  // a closed reader is a failed write, not a death
    std::signal(SIGXFSZ, SIG_IGN);  // so is a file that has grown to its limit
    CLI::App app;
    describe_program(app, version_text(build));
    const int code = parse_and_run(app, argc, argv);
    if (std::fflush(stdout) != 0 || std::ferror(stdout)) {
        say("standard output could not be written");
        return code == done ? output_failed : code;
    }
    return code;
}

}  // namespace topple::hil::cli
