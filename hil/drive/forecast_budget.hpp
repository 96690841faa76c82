// How many members of an ensemble the time allows, by what the last ones cost.
#pragma once

#include <cstddef>

namespace topple::hil::drive {

class ForecastBudget {
  public:
    /// `seconds` for one forecast and the measurements that it has to follow before; never fewer than `least` members.
    ForecastBudget(double seconds, std::size_t least, std::size_t first_ahead)
        : seconds_(seconds), least_(least), ahead_(first_ahead) {}

    /// Members to run ahead in the next forecast.
    std::size_t ahead() const noexcept { return ahead_; }
    /// What the last forecast cost. Returns how many of `members` can go on being carried along.
    std::size_t spent(double following_s, double running_ahead_s, std::size_t run_ahead, std::size_t members) noexcept;

  private:
    double seconds_;
    std::size_t least_, ahead_;
    double each_s_ = 0.0;  // running one member ahead, smoothed
};

}  // namespace topple::hil::drive
