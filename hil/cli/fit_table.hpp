// topple fit TABLE --experiment FILE: what the outcomes of many tests teach.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace CLI {
class App;
}

namespace topple::hil::cli {

/// Those of a table alone.
struct FitTableOptions {
    std::string experiment, parameters, learn_from = "classes";
    std::size_t members = 200, draws_per_test = 16, folds = 0;
    double lapse = 0.05;
};

/// Those that learning from runs has too.
struct FitTableWork {
    std::string prior, out;
    std::optional<std::uint64_t> draws;
    std::uint64_t seed = 1;
    unsigned threads = 0;
    bool json = false;
};

void add_fit_table_options(CLI::App& command, FitTableOptions& options);
/// Throws InputError, OutputError.
void run_fit_table(const std::string& table, const FitTableOptions& options, const FitTableWork& work);

}  // namespace topple::hil::cli
