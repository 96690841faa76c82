// Pseudo-random numbers that are the same on every platform: integers by splitmix64, normals by plain addition.
#pragma once

#include <cstdint>

namespace topple::hil::sim_table {

/// splitmix64 (Steele, Lea, Flood 2014). Streams of one seed are independent of each other.
class Noise {
  public:
    Noise(std::uint64_t seed, std::uint64_t stream) noexcept : state_(seed) {
        state_ = next() ^ (stream * 0x9E3779B97F4A7C15ULL);
        next();
    }
    std::uint64_t next() noexcept {
        std::uint64_t z = (state_ += 0x9E3779B97F4A7C15ULL);
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ULL;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EBULL;
        return z ^ (z >> 31);
    }
    double uniform() noexcept { return static_cast<double>(next() >> 11) * 0x1.0p-53; }  ///< [0, 1)
    /// Mean 0, variance 1: twelve uniforms less six (Irwin-Hall). Never beyond 6 sigma; no library function whose
    /// last digit differs between platforms takes part.
    double normal() noexcept {
        double sum = -6.0;
        for (int i = 0; i < 12; ++i) sum += uniform();
        return sum;
    }

  private:
    std::uint64_t state_;
};

}  // namespace topple::hil::sim_table
