// The main of every test program: Catch2's own, and seed and number of runs for its random tests.
#if __has_include(<catch2/catch_all.hpp>)
#include <catch2/catch_all.hpp>
namespace clara = Catch::Clara;
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
namespace clara = Catch::clara;
#endif

#include <iostream>

#include "tests/support/random_runs.hpp"

int main(int argc, char** argv) {
    auto& options = topple::tests::random_options();
    Catch::Session session;
    session.cli(session.cli() |
                clara::Opt([&](std::uint64_t seed) { options.seed = seed; },
                           "number")["--seed"]("seed of every random test, in place of its own") |
                clara::Opt([&](int factor) { options.runs_factor = factor; },
                           "factor")["--runs"]("so many times the runs of every random test, 1 to 10000"));
    if (const int code = session.applyCommandLine(argc, argv); code != 0) return code;
    if (const int factor = options.runs_factor.value_or(1); factor < 1 || factor > 10'000) {
        std::cerr << "--runs must be 1 to 10000, not " << factor << '\n';
        return 1;
    }
    return session.run();
}
