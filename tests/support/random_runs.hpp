// Seed and number of runs of a random test: its own, unless the command line says --seed or --runs.
#pragma once

#include <cstdint>
#include <optional>

#include "tests/support/catch.hpp"

namespace topple::tests {

// From the command line of a test program (catch_main.cpp).
struct RandomOptions {
    std::optional<std::uint64_t> seed;  // in place of every test's own
    std::optional<int> runs_factor;     // 1 or more: so many times every test's own number of runs
};
RandomOptions& random_options();

// Lives as long as the random part of a test. A failure meanwhile prints seed and count; they are also printed on
// standard output at once where the command line gave either.
class RandomRuns {
  public:
    // One draw that is not repeated, whatever --runs says.
    explicit RandomRuns(std::uint64_t own_seed);
    RandomRuns(std::uint64_t own_seed, int own_count);

    std::uint64_t seed() const { return seed_; }
    // A stream of its own for every case or part of a test: number 0 has seed().
    std::uint64_t seed(int stream) const { return seed_ + static_cast<std::uint64_t>(stream); }
    int count() const { return count_; }
    // A number that belongs to the test's own count, for as many runs as there are.
    int scaled(int number) const { return number * factor_; }

  private:
    RandomRuns(std::uint64_t own_seed, int own_count, int factor);

    std::uint64_t seed_;
    int factor_, count_;
    Catch::ScopedMessage message_;
};

}  // namespace topple::tests
