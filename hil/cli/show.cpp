// topple show: finished runs and campaigns in the browser; a test that runs elsewhere as text.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdio>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "firmware_iface/transport/tcp.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/live_option.hpp"
#include "hil/cli/show_live.hpp"
#include "hil/cli/signals.hpp"
#include "hil/page/shown_runs.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

constexpr auto kLookEvery = std::chrono::milliseconds(100);
constexpr auto kGoodbyeMax = std::chrono::milliseconds(1500);

struct ShowOptions {
    std::vector<std::string> runs;
    LiveChoice live;
};

void show_finished(const ShowOptions& options) {
    const std::atomic<bool>& ended = stop_on_signals();
    page::ShownRuns shown = page::shown_runs({options.runs.begin(), options.runs.end()});
    for (const std::string& remark : shown.remarks) text::tell("topple: {}\n", remark);
    live::LiveServerOptions server_options;
    server_options.address = options.live.address;
    server_options.channels = std::move(shown.channels);
    server_options.documents = std::move(shown.documents);
    live::LiveServer server(std::move(server_options));
    warn_of_watchers(options.live);
    text::print_out("{}\n", server.url());
    std::fflush(stdout);  // whoever reads it through a pipe waits for it
    text::tell("{} {} at this address; end with Ctrl-C\n", shown.run_count, shown.run_count == 1 ? "run" : "runs");
    while (!ended) std::this_thread::sleep_for(kLookEvery);
    server.finish(kGoodbyeMax);
}

}  // namespace

void add_show(CLI::App& app) {
    CLI::App* command =
        app.add_subcommand("show", "Show finished runs in the browser, or a test that runs elsewhere as text");
    const auto options = std::make_shared<ShowOptions>();
    command
        ->add_option("RUN", options->runs,
                     "Run folders, their run.mcap, or the folder of a campaign; or HOST:PORT of a test that another "
                     "topple runs with --live")
        ->required()
        ->type_name("RUN ... | HOST:PORT");
    command->add_option("--live", options->live.address, "Where finished runs are shown")
        ->type_name("HOST:PORT")
        ->check(readable([](const std::string& text) { firmware_iface::parse_tcp_address(text, "127.0.0.1"); }))
        ->capture_default_str();
    command->footer(
        "Examples:\n  topple show runs/20240607T101500Z_b6l\n  topple show runs/a runs/b --live 127.0.0.1:9000\n"
        "  topple show 127.0.0.1:8765");
    command->callback([options] {
        if (options->runs.size() == 1 && is_live_address(options->runs.front()))
            show_live(options->runs.front());
        else
            show_finished(*options);
    });
}

}  // namespace topple::hil::cli
