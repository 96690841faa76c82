#include "hil/cli/table_tilt.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <string>

#include "hil/check/tilt_reading.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

constexpr int kLookPeriod_ms = 10;  // a silent host is disconnected

void wait_for_enter(const check::CheckedTable& table, const std::string& what) {
    text::tell("{}; hands off, then press Enter: ", what);
    for (pollfd input{STDIN_FILENO, POLLIN, 0}; ::poll(&input, 1, kLookPeriod_ms) <= 0;) {
        table.link.poll([](void*, const firmware_iface::Feedback&) {}, nullptr);  // of before the answer: not wanted
        table.link.flush();
        table.require_going();
    }
    std::string line;
    if (!std::getline(std::cin, line)) throw files::InputError("nobody answered: no tilt has been measured");
}

}  // namespace

void measure_and_print_tilt(const check::CheckedTable& table, double duration_s, double gravity_m_s2) {
    if (table.link.device().simulated)
        throw files::InputError(
            "the sensor of a simulated table cannot be turned, so it has no tilt to measure: name the real table with "
            "--device");
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        throw files::InputError(
            "the sensor must be turned by hand between two readings, and nobody can be asked here (no terminal): run "
            "it at a terminal beside the table");
    const auto ask = [&](const std::string& what) { wait_for_enter(table, what); };
    const check::Tilt tilt = check::measure_tilt(table, duration_s, gravity_m_s2, ask);
    text::print_out("{}", check::describe(tilt));
}

}  // namespace topple::hil::cli
