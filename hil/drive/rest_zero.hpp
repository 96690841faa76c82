// What the rotation sensors read while everything rests before the motion.
#pragma once

#include <array>
#include <cstddef>

#include "firmware_iface/samples.hpp"

namespace topple::hil::drive {

/// Mean of the last tenths of a second, per sensor.
class RestZero {
  public:
    void add(const std::array<double, firmware_iface::kRotationSensorsMax>& rotation_rad) noexcept {
        constexpr double kNewest = 1.0 / 64.0;
        count_ += count_ < 64 ? 1 : 0;
        const double share = count_ < 64 ? 1.0 / static_cast<double>(count_) : kNewest;
        for (std::size_t i = 0; i < zero_rad_.size(); ++i) zero_rad_[i] += share * (rotation_rad[i] - zero_rad_[i]);
    }
    bool known() const noexcept { return count_ > 0; }
    double operator[](std::size_t sensor) const noexcept { return zero_rad_[sensor]; }

  private:
    std::array<double, firmware_iface::kRotationSensorsMax> zero_rad_{};
    std::size_t count_ = 0;
};

}  // namespace topple::hil::drive
