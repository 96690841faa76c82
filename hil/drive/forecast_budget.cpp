#include "hil/drive/forecast_budget.hpp"

#include <algorithm>

namespace topple::hil::drive {

std::size_t ForecastBudget::spent(double following_s, double running_ahead_s, std::size_t run_ahead,
                                  std::size_t members) noexcept {
    constexpr double kNew = 0.3;             // share of the newest in the smoothed cost: a thread may be interrupted
    constexpr double kFollowingShare = 0.5;  // of the time: the rest is for running ahead
    const auto fitting = [this, members](double count) {
        return static_cast<std::size_t>(std::clamp(count, double(std::min(least_, members)), double(members)));
    };
    const double each_s = running_ahead_s / static_cast<double>(std::max<std::size_t>(run_ahead, 1));
    each_s_ = each_s_ == 0.0 ? each_s : (1.0 - kNew) * each_s_ + kNew * each_s;
    const double following_max_s = kFollowingShare * seconds_;
    ahead_ = fitting(std::max(0.0, seconds_ - std::min(following_s, following_max_s)) / std::max(each_s_, 1e-9));
    if (following_s <= following_max_s) return members;
    return fitting(static_cast<double>(members) * following_max_s / following_s);
}

}  // namespace topple::hil::drive
