#include "hil/cli/show_live.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string>
#include <string_view>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/transport/tcp.hpp"
#include "hil/cli/live_text.hpp"
#include "hil/cli/signals.hpp"
#include "hil/live/live_client.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using live::Received;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr std::string_view kGoodbye = "the server has ended";  // of a server that ends properly
constexpr milliseconds kOnTerminal{200}, kElsewhere{1000};     // between two lines

/// `words`: the reason that came with the end of the connection.
std::string ending_text(const std::string& words) {
    if (words == kGoodbye) return "the test's program has ended";
    return "the connection to the test's program has ended" + (words.empty() ? "" : ": " + words);
}

/// Lines on standard output; on a terminal the newest state is written over the one before.
class Screen {
  public:
    void event(const std::string& words) {
        leave_line();
        text::print_out("{}\n", words);
        std::fflush(stdout);
    }
    void state(const std::string& line) {
        if (line.empty() || steady_clock::now() - last_ < period_) return;
        last_ = steady_clock::now();
        if (!terminal_) return event(line);
        text::tell_over(line);
        on_line_ = true;
    }
    void leave_line() {
        if (on_line_) text::tell("\n");
        on_line_ = false;
    }

  private:
    bool terminal_ = ::isatty(STDOUT_FILENO) != 0 && ::isatty(STDERR_FILENO) != 0;
    milliseconds period_ = terminal_ ? kOnTerminal : kElsewhere;
    bool on_line_ = false;
    steady_clock::time_point last_{};
};

}  // namespace

bool is_live_address(const std::string& text) {
    std::error_code ignored;
    if (std::filesystem::exists(text, ignored)) return false;
    try {
        firmware_iface::parse_tcp_address(text, "127.0.0.1");
        return true;
    } catch (const firmware_iface::AddressError&) {
        return false;
    }
}

void show_live(const std::string& address) {
    const auto& interrupted = stop_on_signals();
    live::LiveClient client(address);
    Screen screen;
    screen.event(client.server_name());
    LiveText shown;
    while (!interrupted) {
        const Received received = client.receive(milliseconds(100));
        if (received.kind == Received::Kind::ended) {
            screen.leave_line();
            text::tell("topple: {}\n", ending_text(received.words));
            return;
        }
        if (received.kind == Received::Kind::words) screen.event(received.words);
        if (received.kind == Received::Kind::message) {
            const std::string event = shown.take(received.topic, received.data);
            if (!event.empty()) screen.event(event);
        }
        screen.state(shown.line());
    }
    screen.leave_line();
}

}  // namespace topple::hil::cli
