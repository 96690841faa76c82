// topple table: home, move, stop, clear, state, tilt and identify, by hand.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "controller/feasibility.hpp"
#include "firmware_iface/transport/latency.hpp"
#include "hil/check/motion_check.hpp"
#include "hil/check/recorded_motion.hpp"
#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/cli/consent.hpp"
#include "hil/cli/live_option.hpp"
#include "hil/cli/signals.hpp"
#include "hil/cli/table_identify.hpp"
#include "hil/cli/table_tilt.hpp"
#include "hil/drive/by_hand.hpp"
#include "hil/drive/clock_rate.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/identification/excitation.hpp"
#include "hil/text/rounded.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using text::print_out;
using text::tell;

struct TableOptions {
    std::string device = "sim:";
    std::string machine = "quanser-st-iii";
    double position_m = 0.0;
    std::optional<double> position_y_m;
    double tilt_s = 10.0;
    bool yes = false;
    std::string command;  // "move", ...
    LiveChoice live;
    std::string file;  // of an experiment: its machine and, unless it is given, its device
    bool device_given = false;
    IdentifyOptions identify;
};

// A connected table. Whether machine file and table belong together matters where something moves, not for a stop.
struct Connected {
    experiment::Experiment experiment;  // of an empty table
    LiveShow live;
    drive::OpenedTable table;

    explicit Connected(const TableOptions& options) : live(options.live, "table " + options.command) {
        std::string device_uri = options.device;
        if (options.file.empty()) {
            experiment.table = experiment::read_machine(options.machine, std::filesystem::current_path());
        } else {
            experiment = experiment::read_experiment(options.file);
            experiment.specimens.clear();
            if (!options.device_given) device_uri = experiment.table.device;
        }
        std::random_device source;
        drive::OpeningOptions opening;
        live.watch(opening, experiment, device_uri, "topple table " + options.command);
        table = drive::open_table(device_uri, experiment, {source() | 1u, "topple table"}, opening);
        const auto& device = table.link->connect();
        const std::string warning =
            firmware_iface::latency_warning(table.link->description(), table.link->statistics().round_trip,
                                            std::chrono::microseconds(device.feedback_period_us));
        if (!warning.empty()) tell("topple: {}\n", warning);
    }
    firmware_iface::MachineDescription machine() const {
        return drive::effective_machine(experiment.table.description, table.link->device());
    }
    /// Before anything moves.
    void ask(const TableOptions& options, const std::string& motion) const {
        drive::require_true_clock(*table.link, *table.clock, stop_on_signals());
        Consent(table.link->device(), table.link->description(), {options.yes, true}).ask(motion, [this] {
            table.link->flush();  // a silent host is disconnected
            return stop_on_signals().load();
        });
    }
};

void say_state(Connected& connected) {
    const auto& machine = connected.experiment.table.description;
    const std::string difference = controller::mismatch(machine, connected.table.link->device());
    if (!difference.empty()) tell("topple: {} is not the machine file of this table: {}\n", machine.name, difference);
    print_out("{}", drive::describe_state(*connected.table.link, machine));
}

// Counts that were lost since the table was homed last show only now.
void say_shift(const std::vector<firmware_iface::Feedback>& homing, bool known_before) {
    const std::array shift_m{check::reference_shift_m(homing)};
    const check::CheckResult shift = check::judge_homings(shift_m, known_before).front();
    if (shift.verdict == check::Verdict::skipped) return;
    if (std::isnan(*shift.number)) {
        print_out("reference found; the shift against the previous reference is not known\n");
        return;
    }
    print_out("reference {:+.0f} um from its previous position\n", text::rounded(*shift.number, 0));
    if (shift.verdict != check::Verdict::pass)
        tell("topple: the reference has shifted by more than {:.0f} um: {}\n", *shift.limit, shift.advice);
}

void run_home(const TableOptions& options) {
    Connected connected(options);
    const auto machine = connected.machine();
    connected.ask(options,
                  "homing, a slow search for the reference over the whole stroke. No specimen may stand on it");
    const auto before = connected.table.link->wait_feedback().state;
    const auto homing =
        check::record_homing({*connected.table.link, *connected.table.clock, machine, stop_on_signals()});
    say_shift(homing, before == firmware_iface::DeviceState::ready || before == firmware_iface::DeviceState::armed);
    say_state(connected);
}

void run_move(const TableOptions& options) {
    Connected connected(options);
    const auto machine = connected.machine();
    drive::require_within_stroke(machine, options.position_m, options.position_y_m);
    const drive::PositioningLimits gentle;
    connected.ask(
        options,
        fmt::format("a move to {:+.4f} m{} with up to {} m/s and {} m/s2, whatever stands on the platen",
                    options.position_m, options.position_y_m ? fmt::format(", y {:+.4f} m", *options.position_y_m) : "",
                    gentle.velocity_m_s, gentle.acceleration_m_s2));
    drive::move_table(*connected.table.link, *connected.table.clock, machine, options.position_m, stop_on_signals(),
                      options.position_y_m);
    say_state(connected);
}

void run_stop(const TableOptions& options) {
    Connected connected(options);
    drive::stop_table(*connected.table.link, *connected.table.clock);
    say_state(connected);
}

void run_clear(const TableOptions& options) {
    Connected connected(options);
    const auto code = static_cast<firmware_iface::FaultCode>(connected.table.link->wait_feedback().fault_code);
    drive::clear_table(*connected.table.link);
    print_out("{}\n", code == firmware_iface::FaultCode::none ? "no fault was latched"
                                                              : fmt::format("cleared: {}", name(code)));
    say_state(connected);
}

void run_state(const TableOptions& options) {
    Connected connected(options);
    say_state(connected);
}

void run_tilt(const TableOptions& options) {
    Connected connected(options);
    const auto machine = connected.machine();
    measure_and_print_tilt({*connected.table.link, *connected.table.clock, machine, stop_on_signals()}, options.tilt_s,
                           connected.experiment.gravity_m_s2);
}

void run_identify(const TableOptions& options) {
    require_identify_options(options.identify);
    Connected connected(options);
    const auto machine = connected.machine();
    identify_and_print({*connected.table.link, *connected.table.clock, machine, stop_on_signals()},
                       connected.experiment.table, options.identify,
                       [&](const std::string& motions) { connected.ask(options, motions); });
}

void add_identify_options(CLI::App& command, TableOptions& options) {
    command.add_option("FILE", options.file, "Experiment file whose machine, device and simulated table are meant")
        ->type_name("FILE")
        ->excludes("--machine");
    IdentifyOptions& identify = options.identify;
    identify.amplitude_m_s2 = identification::kAmplitudeUsual_m_s2;
    command.add_option("--amplitude", identify.amplitude_m_s2, "Peak acceleration of the multisine")
        ->transform(number_above_zero())
        ->type_name("M/S2")
        ->capture_default_str();
    command.add_option("--write", identify.write, "Write a new machine file with what was found")
        ->type_name("NAME.toml");
    command.add_option("--author", identify.author, "Who answers for it; needed with --write")->type_name("PERSON");
    command.add_option("--serial", identify.serial, "Serial number of the table; default: as the table reports it")
        ->type_name("TEXT");
    command.add_option("--figure", identify.figure, "Draw the frequency responses to this .svg or .png file")
        ->type_name("OUT.svg|OUT.png");
    command.add_option("--csv", identify.csv, "Write the frequency responses to this file")->type_name("OUT.csv");
}

}  // namespace

void add_table(CLI::App& app) {
    CLI::App* command = app.add_subcommand("table", "Home, move, stop, clear or inspect a table by hand");
    command->require_subcommand(1);
    const auto options = std::make_shared<TableOptions>();
    const auto add = [&](const char* name, const char* description, void (*action)(const TableOptions&), bool moves) {
        CLI::App* sub = command->add_subcommand(name, description);
        sub->add_option("--device", options->device, "sim: | serial:... | tcp:HOST:PORT")
            ->type_name("URI")
            ->capture_default_str();
        sub->add_option("--machine", options->machine, "Built-in machine description or a machine file")
            ->type_name("NAME|FILE")
            ->capture_default_str();
        add_live_option(*sub, options->live);
        if (moves) sub->add_flag("--yes", options->yes, "Consent on the command line to the motion of a real table");
        sub->callback([options, action, sub] {
            options->device_given = sub->count("--device") > 0;
            options->command = sub->get_name();
            action(*options);
        });
        return sub;
    };
    add("home", "Find the reference; no specimen may stand on the platen", run_home, true);
    CLI::App* move = add("move", "Move gently (0.05 m/s, 0.5 m/s2) to a position", run_move, true);
    move->add_option("X_M", options->position_m, "Position in m, 0 = mid stroke")
        ->required()
        ->transform(any_number())
        ->type_name("M");
    move->add_option("Y_M", options->position_y_m, "The same of axis y; left out: it stays where it is")
        ->transform(any_number())
        ->type_name("M");
    add("stop", "Stop a motion of this session; a stop is latched until cleared", run_stop, false);
    add("clear", "Clear a latched fault after its cause has been removed", run_clear, false);
    add("state", "State, position, fault and limits", run_state, false);
    add("tilt", "Measure the tilt of the seat with an accelerometer that you turn on it; nothing moves", run_tilt,
        false)
        ->add_option("--seconds", options->tilt_s, "Length of each of the two readings")
        ->transform(number_between(1.0, 600.0))
        ->type_name("S")
        ->capture_default_str();
    CLI::App* identify =
        add("identify", "Shake the empty table; find its response, mass, friction and gains", run_identify, true);
    add_identify_options(*identify, *options);
    command->footer("Example:\n  topple table state --device serial:/dev/ttyACM0");
}

}  // namespace topple::hil::cli
