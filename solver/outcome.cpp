#include "solver/outcome.hpp"

namespace topple::solver {

std::string_view name(Outcome outcome) noexcept {
    switch (outcome) {
        case Outcome::translation: return "translation";
        case Outcome::sliding: return "sliding";
        case Outcome::rocking: return "rocking";
        case Outcome::overturning: return "overturning";
        case Outcome::partial_overturning: return "partial_overturning";
        case Outcome::total_overturning: return "total_overturning";
    }
    return "?";
}

std::string_view name(Side side) noexcept { return side == Side::left ? "left" : "right"; }

std::string_view name(Support support) noexcept {
    switch (support) {
        case Support::full: return "full";
        case Support::left: return "left";
        case Support::right: return "right";
        case Support::none: return "none";
    }
    return "?";
}

std::string_view name(std::optional<Outcome> outcome) noexcept { return outcome ? name(*outcome) : "failed"; }

unsigned outcome_code(std::optional<Outcome> outcome) noexcept {
    return outcome ? static_cast<unsigned>(*outcome) : kFailedCode;
}

std::optional<Outcome> outcome_of_code(unsigned code) noexcept {
    if (code > static_cast<unsigned>(Outcome::total_overturning)) return std::nullopt;
    return static_cast<Outcome>(code);
}

bool is_overturning(std::optional<Outcome> outcome) noexcept {
    return outcome == Outcome::overturning || outcome == Outcome::partial_overturning ||
           outcome == Outcome::total_overturning;
}

std::string_view name(SolverStatus status) noexcept {
    switch (status) {
        case SolverStatus::ok: return "ok";
        case SolverStatus::event_budget_spent: return "event budget spent";
        case SolverStatus::step_too_small: return "step too small";
        case SolverStatus::not_finite: return "not finite";
        case SolverStatus::undecided: return "undecided";
        case SolverStatus::contacts_not_solved: return "contacts not solved";
    }
    return "?";
}

std::string_view name(Breach breach) noexcept {
    switch (breach) {
        case Breach::pull: return "pull";
        case Breach::jump: return "jump";
        case Breach::slip: return "slip";
    }
    return "?";
}

}  // namespace topple::solver
