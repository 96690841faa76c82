// topple emulate: the simulated table of an experiment on a real wire.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "firmware_iface/transport/tcp.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/signals.hpp"
#include "hil/emulated_board/serve.hpp"
#include "hil/sim_table/emulate.hpp"

namespace topple::hil::cli {
namespace {

struct EmulateArguments {
    std::string file, faults;
    sim_table::EmulateOptions options;
    bool firmware = false;
};

void run_emulate(EmulateArguments arguments) {
    if (!arguments.faults.empty()) arguments.options.faults = sim_table::read_fault_script(arguments.faults);
    arguments.options.pty = arguments.options.listen.empty();
    const experiment::Experiment experiment = experiment::read_experiment(arguments.file);
    experiment::require_drivable(experiment);
    if (arguments.firmware)
        return emulated_board::serve(experiment, arguments.options, stop_on_signals(), reset_on_signal());
    sim_table::emulate(experiment, arguments.options, stop_on_signals());
}

}  // namespace

void add_emulate(CLI::App& app) {
    CLI::App* command = app.add_subcommand("emulate", "Offer the simulated table with FILE's specimens on a real wire");
    const auto arguments = std::make_shared<EmulateArguments>();
    bool* const pty = &arguments->options.pty;
    command->add_option("FILE", arguments->file, "Experiment file (TOML)")->required()->type_name("FILE");
    CLI::Option* terminal = command->add_flag("--pty", *pty, "On a pseudo-terminal, at 921600 baud (default)");
    command->add_option("--listen", arguments->options.listen, "On a TCP port; PORT alone means 127.0.0.1:PORT")
        ->type_name("HOST:PORT")
        ->check(readable([](const std::string& text) { firmware_iface::parse_tcp_address(text, "127.0.0.1"); }))
        ->excludes(terminal);
    command->add_flag("--allow-remote", arguments->options.allow_remote,
                      "Allow an address that other computers can reach (there is no password)");
    command->add_flag("--unhomed{false}", arguments->options.start_homed,
                      "Start unhomed, as after power-up: `topple table home` is needed first");
    command->add_flag("--as-real{false}", arguments->options.reports_simulated,
                      "Report the table as real, to rehearse the consent that a real one needs");
    command->add_option("--faults", arguments->faults, "What fails, and when (docs/fault_scripts.md)")
        ->type_name("FILE");
    command->add_flag("--firmware", arguments->firmware,
                      "The reference firmware on an emulated microcontroller (QEMU) instead of the simulated table; "
                      "SIGUSR1 is its reset button (docs/firmware.md)");
    command->footer(
        "Prints the URI to give to --device and serves one host after another until Ctrl-C. Example:\n"
        "  topple emulate docs/examples/b6l_sine.toml --pty\n"
        "  topple run docs/examples/b6l_sine.toml --device serial:/dev/pts/5");
    command->callback([arguments] { run_emulate(*arguments); });
}

}  // namespace topple::hil::cli
