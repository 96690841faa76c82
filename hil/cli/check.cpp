// topple check: are this computer, the link and the table fit for a test?
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <random>
#include <string>

#include "firmware_iface/fault.hpp"
#include "hil/check/check_output.hpp"
#include "hil/check/computer.hpp"
#include "hil/check/run_checks.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/consent.hpp"
#include "hil/cli/device_hint.hpp"
#include "hil/cli/signals.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using check::CheckResult;
using experiment::Experiment;
using firmware_iface::DeviceError;

struct CheckOptions {
    std::string file, device, machine = "quanser-st-iii";
    double listen_s = 10.0;
    int homings = 3;
    bool move = false, yes = false, json = false;
};

/// The table of the file or of --machine, with nothing on it.
Experiment empty_table(const CheckOptions& options) {
    Experiment experiment;
    if (options.file.empty()) {
        experiment.table = experiment::read_machine(options.machine, std::filesystem::current_path());
        return experiment;
    }
    const Experiment read = experiment::read_experiment(options.file);
    experiment.name = read.name;
    experiment.table = read.table;
    experiment.simulation.seed = read.simulation.seed;
    return experiment;
}

class Check {
  public:
    explicit Check(const CheckOptions& options)
        : options_(options),
          experiment_(empty_table(options)),
          uri_(options.device.empty() ? experiment_.table.device : options.device) {}

    void run() {
        const std::atomic<bool>& stop_requested = stop_on_signals();
        text::tell("topple: checking this computer, 2 s of its timer\n");
        for (CheckResult& result : check::check_computer(std::filesystem::current_path(), stop_requested)) {
            show(result);
            report_.results.push_back(std::move(result));
        }
        check_device(stop_requested);
        if (options_.json)
            text::print_out("{}", check::check_json(report_, uri_, experiment_.table.description.name));
        else
            text::print_out("{}{}", check::latency_line(report_), check::summary_line(report_));
        std::fflush(stdout);
        report_ending();
    }

  private:
    void show(const CheckResult& result) const {
        if (options_.json) return;
        text::print_text(check::check_line(result));
        std::fflush(stdout);
    }

    void check_device(const std::atomic<bool>& stop_requested) {
        drive::OpenedTable table;
        try {
            std::random_device source;
            table = drive::open_table(uri_, experiment_, {source() | 1u, "topple check"});
            table.link->connect();
        } catch (const firmware_iface::AddressError&) {
            throw;  // a bad argument is nothing that was checked
        } catch (const DeviceError& error) {
            report_.results.push_back(check::worded_check("link.device", check::Verdict::fail, uri_, error.what()));
            return show(report_.results.back());
        }
        Consent consent(table.link->device(), table.link->description(), {options_.yes, false});
        if (options_.move) consent.require_somebody();
        check::TableCheckOptions checks;
        checks.listen_s = options_.listen_s;
        checks.move = options_.move;
        checks.homings = options_.homings;
        checks.consent = [&](const std::string& motions) {
            consent.ask(motions, [&] {
                table.link->flush();  // a silent host is disconnected
                return stop_requested.load();
            });
        };
        checks.on_result = [this](const CheckResult& result) { show(hinted(result)); };
        checks.on_progress = [](const std::string& text) { text::tell("topple: {}\n", text); };
        check::check_table({*table.link, *table.clock, experiment_.table.description, stop_requested}, checks, report_);
        for (CheckResult& result : report_.results) result = hinted(std::move(result));
    }
    CheckResult hinted(CheckResult result) const {
        result.advice = with_device(std::move(result.advice), uri_);
        return result;
    }

    void report_ending() const {
        std::string failed;
        for (const CheckResult& result : report_.results)
            if (result.verdict == check::Verdict::fail) failed += (failed.empty() ? "" : ", ") + result.name;
        if (!failed.empty()) throw DeviceError("not ready for a test: " + failed);
    }

    const CheckOptions& options_;
    Experiment experiment_;
    std::string uri_;
    check::CheckReport report_;
};

}  // namespace

void add_check(CLI::App& app) {
    CLI::App* command = app.add_subcommand("check", "Check whether computer, link and table are ready for a test");
    const auto options = std::make_shared<CheckOptions>();
    CLI::Option* file =
        command->add_option("FILE", options->file, "Experiment file: its [table] is checked, as if nothing stood on it")
            ->type_name("FILE");
    command
        ->add_option("--device", options->device, "sim: | serial:... | tcp:HOST:PORT; default: [table] device, or sim:")
        ->type_name("URI");
    command->add_option("--machine", options->machine, "Built-in machine description or a machine file")
        ->type_name("NAME|FILE")
        ->capture_default_str()
        ->excludes(file);
    command->add_flag("--move", options->move, "Also move the table gently; no specimen may stand on it");
    command->add_option("--homings", options->homings, "With --move: number of searches for the reference")
        ->capture_default_str()
        ->transform(whole_number(0, 100))
        ->type_name("N");
    command->add_option("--listen-s", options->listen_s, "How long to listen to feedback, in s")
        ->capture_default_str()
        ->transform(number_between(1.0, 3600.0))
        ->type_name("S");
    command->add_flag("--yes", options->yes, "Consent on the command line to the motions of a real table");
    command->add_flag("--json", options->json, "Print topple.check/1 instead of text");
    command->footer(
        "Without --move nothing moves. Ctrl-C during a motion is a controlled stop.\nExample:\n"
        "  topple check --device serial:/dev/ttyACM0 --move");
    command->callback([options] { Check(*options).run(); });
}

}  // namespace topple::hil::cli
