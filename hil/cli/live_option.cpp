#include "hil/cli/live_option.hpp"

#include <filesystem>

#include "firmware_iface/transport/tcp.hpp"
#include "hil/live/run_channels.hpp"
#include "hil/page/assets.hpp"
#include "hil/plan/test_json.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using text::tell;

constexpr auto kGoodbyeMax = std::chrono::milliseconds(1500);

std::string shown_test(const drive::WatchedTest& test) {
    const auto axes = test.plan.axes();
    plan::ShownTest shown;
    shown.axes = axes;
    shown.prediction_json = test.prediction_json;
    shown.device = test.uri;
    shown.is_simulated = test.device.simulated;
    if (test.uri.starts_with("replay:")) shown.replay_of = test.uri.substr(7);
    shown.log_time_anchor_ns = test.log_time_anchor_ns;
    return plan::test_json(test.experiment, shown);
}

run_log::RecordObserver observer_of(live::LiveServer& server) {
    return [&server](const run_log::LoggedRecord& record) {
        server.publish(record.channel - 1u, {record.log_time_ns, record.data});
    };
}

/// Throws CLI::ValidationError for what is no address, as when FILE stands where it could be.
std::string sound_address(const std::string& address) {
    try {
        firmware_iface::parse_tcp_address(address, "127.0.0.1");
    } catch (const std::exception& error) {
        const bool is_file = std::filesystem::exists(address);
        throw CLI::ValidationError(is_file ? "--live took \"" + address + "\" as HOST:PORT: write the file first"
                                           : std::string("--live ") + error.what());
    }
    return address;
}

}  // namespace

void add_live_option(CLI::App& command, LiveChoice& choice) {
    command
        .add_option_function<std::string>(
            "--live",
            [&choice](const std::string& address) {
                choice.is_given = true;
                if (!address.empty()) choice.address = sound_address(address);
            },
            "Show it while it runs, to browsers, Foxglove, PlotJuggler and `topple show` (docs/live.md); default: "
            "127.0.0.1:8765, for this computer only")
        ->expected(0, 1)
        ->default_str(kLiveAddress)
        ->type_name("[HOST:PORT]");
}

void warn_of_watchers(const LiveChoice& choice) {
    if (!firmware_iface::is_loopback(firmware_iface::parse_tcp_address(choice.address, "127.0.0.1")))
        tell("topple: --live {}: anyone who can reach this address can watch; nobody can command anything\n",
             choice.address);
}

LiveShow::LiveShow(const LiveChoice& choice, const std::string& name) {
    if (!choice.is_given) return;
    live::LiveServerOptions options;
    options.address = choice.address;
    options.name = "Topple: " + name;
    options.channels = live::run_channels();
    options.documents = page::assets();
    server_ = std::make_unique<live::LiveServer>(std::move(options));
    tell("live: {}  or in a second terminal: topple show {}\n", server_->url(),
         server_->url().substr(7, server_->url().size() - 8));
    warn_of_watchers(choice);
}

LiveShow::~LiveShow() {
    if (!server_) return;
    server_->finish(kGoodbyeMax);
    const live::LiveStatistics statistics = server_->statistics();
    if (statistics.clients_dropped + statistics.refused > 0)
        tell("live: {} watched; {} dropped, {} refused, the last: {}\n", statistics.clients_served,
             statistics.clients_dropped, statistics.refused, statistics.last_drop);
}

void LiveShow::watch(drive::DriveOptions& options) {
    if (!server_) return;
    if (!options.pace) options.pace = 1.0;
    options.watch = [server = server_.get()](const drive::WatchedTest& test) -> run_log::RecordObserver {
        server->begin_run();
        server->set_document({"/test.json", "application/json", shown_test(test)});
        return observer_of(*server);
    };
}

void LiveShow::watch(drive::OpeningOptions& options, const experiment::Experiment& experiment,
                     const std::string& device_uri, const std::string& doing) {
    if (!server_) return;
    if (!options.pace) options.pace = 1.0;
    plan::ShownTest shown;
    shown.device = device_uri;
    shown.is_simulated = device_uri == "sim:";
    server_->set_document({"/test.json", "application/json", plan::test_json(experiment, shown)});
    server_->announce(doing);
    options.observer = observer_of(*server_);
}

void LiveShow::announce(const std::string& words) {
    if (server_) server_->announce(words);
}

}  // namespace topple::hil::cli
