// The commands of `topple`, one file each: how to add one is written here.
#pragma once

namespace CLI {
class App;
}

namespace topple::hil::cli {

// Each function adds one subcommand with its options and a callback that does the work. The callback reports
// failure by throwing: InputError (exit 2), DeviceError (exit 3), NoOutcomeError (exit 4), OutputError or anything else
// (exit 1). A new command: its own file cli/<command>.cpp, a line here, a line in kCommands of command_line.cpp, a
// section in docs/commands.md, an example line as the footer of its --help. Numbers among its options:
// cli/arguments.hpp.
void add_predict(CLI::App& app);
void add_plan(CLI::App& app);
void add_map(CLI::App& app);
void add_fit(CLI::App& app);
void add_emulate(CLI::App& app);
void add_devices(CLI::App& app);
void add_run(CLI::App& app);
void add_table(CLI::App& app);
void add_check(CLI::App& app);
void add_recover(CLI::App& app);
void add_export(CLI::App& app);
void add_mark(CLI::App& app);
void add_import(CLI::App& app);
void add_compare(CLI::App& app);
void add_show(CLI::App& app);

/// All of them, with what every option must keep.
void add_commands(CLI::App& app);

}  // namespace topple::hil::cli
