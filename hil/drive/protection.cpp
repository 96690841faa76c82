#include "hil/drive/protection.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "controller/feasibility.hpp"

namespace topple::hil::drive {
namespace {

constexpr std::size_t kMembersTried = 50;     // for every ending
constexpr std::size_t kMembersCertain = 400;  // for the best few of them
constexpr std::size_t kBest = 4;

/// Most likely to stand first.
std::vector<std::size_t> best_first(const std::vector<double>& standing) {
    std::vector<std::size_t> order(standing.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return standing[a] > standing[b]; });
    return order;
}

}  // namespace

firmware_iface::Wording wording_of(const ChosenEnding& chosen) noexcept {
    using firmware_iface::NumberForm;
    firmware_iface::Wording text("P(standing) ");
    text.add(100.0 * chosen.standing_before, NumberForm::three_digits).add(" % -> ");
    text.add(100.0 * chosen.standing_after, NumberForm::three_digits).add(" %: ");
    if (chosen.ending.push_m_s2 != 0.0)
        text.add("pushed with ")
            .add(chosen.ending.push_m_s2, NumberForm::two_decimals)
            .add(" m/s2 for ")
            .add(1e3 * chosen.ending.push_s, NumberForm::three_digits)
            .add(" ms, then ");
    return text.add("braked with ").add(chosen.ending.deceleration_m_s2, NumberForm::two_decimals).add(" m/s2");
}

std::optional<ChosenEnding> Protection::choose(const LiveForecast& forecast, std::uint64_t motion_start_us) const {
    if (forecast.overturning_probability() <= settings_.overturning_above) return std::nullopt;
    const double period_s = 1e-6 * settings_.period_us;
    const double now_s = 1e-6 * static_cast<double>(forecast.newest_us() - motion_start_us);
    const double switch_s = std::ceil((now_s + kSwitchAfter_s) / period_s) * period_s;
    std::vector<controller::Ending> endings = controller::endings(settings_.planned, switch_s, settings_.machine);
    if (endings.empty()) return std::nullopt;

    const double before = forecast.standing_probability();
    std::vector<MotionAhead> motions;
    for (const controller::Ending& ending : endings) motions.emplace_back(ending.profile.motion);
    const std::vector<std::size_t> order = best_first(forecast.standing_along(motions, kMembersTried));
    std::vector<MotionAhead> best;
    for (std::size_t i = 0; i < std::min(kBest, order.size()); ++i) best.push_back(motions[order[i]]);
    const std::vector<double> standing = forecast.standing_along(best, kMembersCertain);
    const std::size_t first = best_first(standing).front();
    if (standing[first] - before < kLeastGain) return std::nullopt;

    ChosenEnding chosen{std::move(endings[order[first]]), switch_s, before, standing[first], {}};
    if (!controller::check_feasibility(chosen.ending.profile, settings_.machine, settings_.payload_kg).feasible())
        return std::nullopt;
    chosen.setpoints = controller::setpoints(chosen.ending.profile, motion_start_us, settings_.period_us);
    return chosen;
}

}  // namespace topple::hil::drive
