#include "hil/cli/consent.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <iostream>
#include <memory>

#include "hil/cli/terminal_question.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::cli {
namespace {

using files::InputError;
using text::one_line;
using text::tell;

constexpr int kLookPeriod_ms = 200;

}  // namespace

Consent::Consent(const firmware_iface::DeviceInfo& device, std::string where, ConsentRules rules)
    : device_(device), where_(std::move(where)), rules_(rules) {}

bool Consent::needed() const noexcept { return !device_.simulated && !rules_.yes && (rules_.prompt || !given_once_); }

void Consent::require_somebody() const {
    if (needed() && (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)))
        throw InputError(
            fmt::format("{} is a real table and nobody can be asked for consent here (no terminal): "
                        "give --yes if the motion may start without a person's consent",
                        where_));
}

void Consent::ask(const std::string& motion, const std::function<bool()>& abandoned) {
    if (!needed()) return;
    require_somebody();
    tell("\n{} \"{}\" (serial number {}) is a REAL table.\n", where_, one_line(device_.device),
         one_line(device_.serial_number));
    for (const auto& axis : device_.axes)
        tell("  axis {}: stroke ±{:.3f} m, {:.2f} m/s, {:.1f} m/s2, stops at {:.1f} m/s2\n", one_line(axis.name),
             axis.stroke_m, axis.velocity_max_m_s, axis.acceleration_max_m_s2, axis.stop_deceleration_m_s2);
    forget_type_ahead();
    tell("  next motion: {}\nHands and cables clear, emergency stop in reach? Type move to start: ", motion);
    for (pollfd input{STDIN_FILENO, POLLIN, 0}; ::poll(&input, 1, kLookPeriod_ms) <= 0;)
        if (abandoned()) throw InputError("the question was withdrawn before it was answered: nothing has moved");
    std::string answer;
    if (!std::getline(std::cin, answer) || answer != "move")
        throw InputError("the operator did not consent: nothing has moved");
    given_once_ = true;
}

drive::OperatorConsent operator_consent(const firmware_iface::DeviceInfo& device, const std::string& where,
                                        ConsentRules rules) {
    const auto consent = std::make_shared<Consent>(device, where, rules);
    return {.require_somebody = [consent] { consent->require_somebody(); },
            .ask = [consent](const std::string& motion,
                             const std::function<bool()>& abandoned) { consent->ask(motion, abandoned); },
            .asks_once = consent->asks_once()};
}

}  // namespace topple::hil::cli
