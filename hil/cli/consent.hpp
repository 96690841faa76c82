// Nothing moves on a real table until a person at a terminal has said so.
#pragma once

#include <functional>
#include <string>

#include "firmware_iface/table_link.hpp"
#include "hil/drive/drive_experiment.hpp"

namespace topple::hil::cli {

struct ConsentRules {
    bool yes = false;    ///< --yes: the operator has consented on the command line
    bool prompt = true;  ///< [table] prompt: ask again before each further motion
};

/// Asks for each motion of one session with a real table; a simulated one needs no consent.
class Consent {
  public:
    Consent(const firmware_iface::DeviceInfo& device, std::string where, ConsentRules rules);

    /// Throws InputError if consent is needed and there is no terminal to ask at.
    void require_somebody() const;
    /// Shows device, limits and `motion` on stderr and waits until the operator types `move`; what was typed
    /// before the question was shown does not count.
    /// Throws InputError as require_somebody(), and if the answer is anything else.
    /// `abandoned` is asked five times a second whether the question still matters.
    void ask(const std::string& motion, const std::function<bool()>& abandoned);

    bool asks_once() const noexcept { return !rules_.prompt; }

  private:
    bool needed() const noexcept;

    firmware_iface::DeviceInfo device_;
    std::string where_;
    ConsentRules rules_;
    bool given_once_ = false;
};

/// The same as a run asks it.
drive::OperatorConsent operator_consent(const firmware_iface::DeviceInfo& device, const std::string& where,
                                        ConsentRules rules);

}  // namespace topple::hil::cli
