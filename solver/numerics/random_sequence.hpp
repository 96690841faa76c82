// A small generator of random numbers whose every seed gives a good sequence.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

namespace topple::solver {

/// SplitMix64 (Steele, Lea, Flood 2014).
class SplitMix64 {
  public:
    explicit SplitMix64(std::uint64_t state) noexcept : state_(state) {}

    std::uint64_t next() noexcept {
        state_ += 0x9E3779B97F4A7C15ull;
        std::uint64_t mixed = state_;
        mixed = (mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9ull;
        mixed = (mixed ^ (mixed >> 27)) * 0x94D049BB133111EBull;
        return mixed ^ (mixed >> 31);
    }

    /// Uniform in (0, 1): 53 bits, the middle of each cell.
    double uniform() noexcept { return (static_cast<double>(next() >> 11) + 0.5) * 0x1.0p-53; }

  private:
    std::uint64_t state_;
};

/// Two independent standard normal draws (Box-Muller), cut at +-4.
inline std::array<double, 2> normal_pair(SplitMix64& random) noexcept {
    constexpr double kCut = 4.0;
    const double radius = std::sqrt(-2 * std::log(random.uniform()));
    const double angle_rad = 2 * std::numbers::pi * random.uniform();
    return {std::clamp(radius * std::cos(angle_rad), -kCut, kCut),
            std::clamp(radius * std::sin(angle_rad), -kCut, kCut)};
}

}  // namespace topple::solver
