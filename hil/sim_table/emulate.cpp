#include "hil/sim_table/emulate.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <stdexcept>
#include <utility>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/served/turn_away.hpp"
#include "firmware_iface/transport/paced.hpp"
#include "firmware_iface/transport/tcp.hpp"
#include "hil/files/errors.hpp"
#include "hil/sim_table/chosen_mechanics.hpp"
#include "hil/sim_table/simulated_table.hpp"
#include "hil/sim_table/truth.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::sim_table {

std::unique_ptr<firmware_iface::Listener> make_listener(const EmulateOptions& options) {
    if (options.pty) return firmware_iface::listen_pty();
    if (!options.allow_remote && !is_loopback(firmware_iface::parse_tcp_address(options.listen, "127.0.0.1")))
        throw files::InputError(
            fmt::format("--listen {}: other computers could move this table without a password; "
                        "use 127.0.0.1, or --allow-remote if this is intended",
                        options.listen));
    return firmware_iface::listen_tcp(options.listen);
}

namespace {

using experiment::Experiment;
using firmware_iface::MonotonicClock;

// Feedback of a period leaves at most this much late; finer only costs processor time.
constexpr std::chrono::microseconds kCycle{500};
constexpr std::chrono::milliseconds kStandStill{8};

std::unique_ptr<SimulatedTable> make_table(const Experiment& experiment, const EmulateOptions& wanted) {
    SimulatedTableOptions options;
    options.seed = experiment.simulation.seed;
    options.mechanics = preset_of(experiment.simulation.table);
    options.gravity_m_s2 = experiment.gravity_m_s2;
    options.plane_angle_rad = experiment.plane_angle_rad;
    options.aux_channel_count = experiment.table.aux.size();
    options.clock_skew_ppm = wanted.clock_skew_ppm;
    options.start_homed = wanted.start_homed;
    options.reports_simulated = wanted.reports_simulated;
    options.faults = wanted.faults;
    if (wanted.faults) require_axes(*wanted.faults, experiment.table.description.axis_count());
    try {
        return std::make_unique<SimulatedTable>(experiment.table.description,
                                                true_specimens(experiment, truth(experiment)), options, nullptr);
    } catch (const std::invalid_argument& refused) {
        throw files::InputError(
            fmt::format("the simulated specimen (with its hidden differences) is refused: {}", refused.what()));
    }
}

/// The hosts of one simulated table, one after the other.
class Service {
  public:
    Service(const Experiment& experiment, const EmulateOptions& options)
        : options_(options), listener_(make_listener(options)), table_(make_table(experiment, options)) {
        if (!options_.on_ready)
            options_.on_ready = [](const std::string& uri) {
                text::print_out("{}\n", uri);
                std::fflush(stdout);
            };
        if (!options_.say) options_.say = [](const std::string& line) { text::tell("topple: {}\n", line); };
    }

    void run(const std::atomic<bool>& stop) {
        options_.on_ready(listener_->uri());
        auto deadline = clock_.now(), last = deadline, table_time = deadline;
        while (!stop.load()) {
            deadline = std::max(deadline + kCycle, clock_.now() - kCycle);  // late cycles are not made up for
            clock_.sleep_until(deadline);
            auto host = listener_->accept();
            if (host && phase_ == Phase::waiting)
                greet(std::move(host));
            else if (host)
                turn_away_.take(std::move(host));
            // Held up for longer than this, the table's whole world stands still: a busy computer is not a fault
            // of the host or of the table.
            const auto now = clock_.now();
            table_time += std::min(now - last, firmware_iface::Nanoseconds(kStandStill));
            last = now;
            table_->advance_to(table_time);
            watch(table_time);
            if (auto further = listener_->further())
                turn_away_.take(std::move(further));  // who has left has been seen by now
            turn_away_.serve(table_->session(), table_->core().now_us());
            if (table_->faults() != nullptr)
                for (const std::string& fault : table_->faults()->news())
                    options_.say(fmt::format("fault begins: {}", fault));
        }
    }

  private:
    enum class Phase {
        waiting,   ///< nobody there
        serving,   ///< a host is connected
        stopping,  ///< the host has gone, the platen may still move
    };

    void greet(std::unique_ptr<firmware_iface::ByteStream> host) {
        options_.say(fmt::format("host connected ({})", host->description()));
        table_->connect(options_.pty ? firmware_iface::paced(std::move(host), clock_) : std::move(host));
        phase_ = Phase::serving;
        session_ = 0;
        silent_since_.reset();
    }

    // On TCP anything can connect; a terminal is its first opener's, as a cable is.
    bool says_nothing(firmware_iface::Nanoseconds table_time) {
        if (options_.pty || session_ != 0) return false;
        if (!silent_since_) silent_since_ = table_time;
        return table_time - *silent_since_ > options_.hello_within;
    }

    void watch(firmware_iface::Nanoseconds table_time) {
        const std::uint32_t session = table_->session().id();
        if (phase_ == Phase::serving && session_ != 0 && session != 0 && session != session_)
            put_back("next host on the same wire");  // faster back than a hang-up could be seen
        if (session != 0) session_ = session;
        if (phase_ == Phase::serving && says_nothing(table_time)) {
            options_.say("the host has not said hello and is disconnected");
            table_->disconnect();
            phase_ = Phase::waiting;
            return;
        }
        const bool silent = phase_ == Phase::serving && session_ != 0 && table_->session().let_go();
        if (silent) let_go_of_silent();
        if (phase_ == Phase::serving && (table_->session().hung_up() || (silent && !options_.pty))) {
            table_->disconnect();
            phase_ = Phase::stopping;
            return;  // the core hears of it in the next cycle
        }
        if (phase_ != Phase::stopping || may_move(table_->core().state())) return;
        phase_ = Phase::waiting;
        put_back("host disconnected");
    }

    // A terminal stays its opener's: a new hello there begins anew.
    void let_go_of_silent() {
        options_.say("the host has sent nothing for 5 s and is disconnected");
        session_ = 0;
        if (options_.pty) put_back("host silent");
    }

    void put_back(const char* why) {
        table_->stand_specimens_up();
        const auto fault = table_->core().fault();
        options_.say(fmt::format("{}; platen at {:.1f} mm, specimens put back to their initial state{}", why,
                                 1e3 * table_->plant().position_m(),
                                 fault == firmware_iface::FaultCode::none
                                     ? std::string()
                                     : fmt::format("; fault {} stays latched until cleared", name(fault))));
    }

    EmulateOptions options_;
    MonotonicClock clock_;  // outlives the paced stream in the table
    std::unique_ptr<firmware_iface::Listener> listener_;
    std::unique_ptr<SimulatedTable> table_;
    firmware_iface::TurnAway turn_away_;
    Phase phase_ = Phase::waiting;
    std::uint32_t session_ = 0;                                // last seen on this wire
    std::optional<firmware_iface::Nanoseconds> silent_since_;  // table's time: no hello on this wire yet
};

}  // namespace

void emulate(const Experiment& experiment, const EmulateOptions& options, const std::atomic<bool>& stop) {
    Service(experiment, options).run(stop);
}

}  // namespace topple::hil::sim_table
