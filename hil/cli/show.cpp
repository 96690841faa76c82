// topple show: a test that runs elsewhere.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "hil/cli/commands.hpp"
#include "hil/cli/show_live.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::cli {

void add_show(CLI::App& app) {
    CLI::App* command = app.add_subcommand("show", "Watch a test that another topple runs with --live");
    const auto address = std::make_shared<std::string>();
    command->add_option("HOST:PORT", *address, "Where it is shown")->required()->type_name("HOST:PORT");
    command->footer("Example:\n  topple show 127.0.0.1:8765");
    command->callback([address] {
        if (!is_live_address(*address))
            throw files::InputError(*address + ": allowed: HOST:PORT of a test that runs with --live");
        show_live(*address);
    });
}

}  // namespace topple::hil::cli
