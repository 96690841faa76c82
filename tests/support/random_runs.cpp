#include "tests/support/random_runs.hpp"

#include <iostream>
#include <string>

namespace topple::tests {

namespace {

std::string described(std::uint64_t seed, int count) {
    return "seed " + std::to_string(seed) + ", count " + std::to_string(count);
}

}  // namespace

RandomOptions& random_options() {
    static RandomOptions options;
    return options;
}

RandomRuns::RandomRuns(std::uint64_t own_seed) : RandomRuns(own_seed, 1, 1) {}

RandomRuns::RandomRuns(std::uint64_t own_seed, int own_count)
    : RandomRuns(own_seed, own_count, random_options().runs_factor.value_or(1)) {}

RandomRuns::RandomRuns(std::uint64_t own_seed, int own_count, int factor)
    : seed_(random_options().seed.value_or(own_seed)),
      factor_(factor),
      count_(own_count * factor),
      message_(Catch::MessageBuilder("INFO", CATCH_INTERNAL_LINEINFO, Catch::ResultWas::Info)
               << "random: " << described(seed_, count_)) {
    if (random_options().seed || random_options().runs_factor)
        std::cout << "random: " << Catch::getResultCapture().getCurrentTestName() << ": " << described(seed_, count_)
                  << '\n';
}

}  // namespace topple::tests
