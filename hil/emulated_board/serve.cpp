#include "hil/emulated_board/serve.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <utility>

#include "firmware_iface/clock.hpp"
#include "firmware_iface/fault.hpp"
#include "firmware_iface/served/turn_away.hpp"
#include "firmware_iface/transport/paced.hpp"
#include "hil/emulated_board/emulator.hpp"
#include "hil/emulated_board/page_of.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::emulated_board {
namespace {

using firmware_iface::ByteStream;
using sim_table::EmulateOptions;

constexpr std::chrono::microseconds kCycle{500};

void require_possible(const EmulateOptions& options) {
    if (options.faults)
        throw files::InputError("--faults: only the simulated table has fault scripts; omit --firmware");
    if (!options.reports_simulated) throw files::InputError("--as-real: only without --firmware");
}

ParameterPage page_for(const experiment::Experiment& experiment, const EmulateOptions& options) {
    require_possible(options);
    ParameterPage page = page_of(experiment);
    page.homed = options.start_homed ? 1 : 0;
    return page;
}

/// Bytes on their way in one direction.
class Pipe {
  public:
    template <class From, class To>
    void carry(From&& from, To&& to) {
        end_ += from(std::span(bytes_).subspan(end_));
        const std::size_t sent = to(std::span<const std::byte>(bytes_).first(end_));
        std::copy(bytes_.begin() + static_cast<std::ptrdiff_t>(sent),
                  bytes_.begin() + static_cast<std::ptrdiff_t>(end_), bytes_.begin());
        end_ -= sent;
    }
    void clear() noexcept { end_ = 0; }

  private:
    std::array<std::byte, 16384> bytes_{};
    std::size_t end_ = 0;
};

/// The wire between the board and one host after the other. A UART does not know whether anybody is there: what the
/// board says to nobody is lost, and that a host has gone it finds out by itself.
class Wire {
  public:
    Wire(const ParameterPage& page, const EmulateOptions& options, const firmware_iface::MachineDescription& machine)
        : options_(options),
          listener_(sim_table::make_listener(options)),
          board_(firmware_image(), page),
          nobody_core_({}),
          nobody_(nobody_core_, describe(machine, {})) {
        if (!options_.on_ready)
            options_.on_ready = [](const std::string& uri) {
                text::print_out("{}\n", uri);
                std::fflush(stdout);
            };
        if (!options_.say) options_.say = [](const std::string& line) { text::tell("topple: {}\n", line); };
    }

    void run(const std::atomic<bool>& stop, std::atomic<bool>& reset) {
        options_.on_ready(listener_->uri());
        auto deadline = clock_.now();
        while (!stop.load()) {
            deadline = std::max(deadline + kCycle, clock_.now() - kCycle);
            clock_.sleep_until(deadline);
            if (!board_.runs()) throw firmware_iface::DeviceError("--firmware: QEMU has ended");
            if (reset.exchange(false)) {
                options_.say("the board is reset");
                board_.reset();
            }
            carry();
            meet_hosts();  // who has left has been seen by now
        }
        if (const auto used = board_.stack_used_bytes())
            options_.say(fmt::format("the firmware's stack: {} of {} bytes used", *used, kStackBytes));
    }

  private:
    void meet_hosts() {
        if (host_ && host_->status() != firmware_iface::StreamStatus::open) {
            options_.say("host disconnected");
            host_.reset();
        }
        auto host = listener_->accept();
        if (host && !host_) {
            options_.say(fmt::format("host connected ({})", host->description()));
            host_ = options_.pty ? firmware_iface::paced(std::move(host), clock_) : std::move(host);
            to_board_.clear();
            to_host_.clear();
        } else if (host) {
            guests_.take(std::move(host));
        }
        if (auto further = listener_->further()) guests_.take(std::move(further));
        guests_.serve(nobody_, static_cast<std::uint64_t>(clock_.now().count() / 1000));
    }

    void carry() {
        to_host_.carry([this](auto room) { return board_.read_some(room); },
                       [this](auto bytes) { return host_ ? host_->write_some(bytes) : bytes.size(); });
        if (!host_) return;
        to_board_.carry([this](auto room) { return host_->read_some(room); },
                        [this](auto bytes) { return board_.write_some(bytes); });
    }

    EmulateOptions options_;
    firmware_iface::MonotonicClock clock_;  // outlives the paced stream
    std::unique_ptr<firmware_iface::Listener> listener_;
    Emulator board_;
    std::unique_ptr<ByteStream> host_;
    Pipe to_board_, to_host_;
    // What a host hears that comes while another one is there.
    firmware_iface::DeviceCore nobody_core_;
    firmware_iface::DeviceSession nobody_;
    firmware_iface::TurnAway guests_;
};

}  // namespace

void serve(const experiment::Experiment& experiment, const EmulateOptions& options, const std::atomic<bool>& stop,
           std::atomic<bool>& reset) {
    Wire(page_for(experiment, options), options, experiment.table.description).run(stop, reset);
}

}  // namespace topple::hil::emulated_board
