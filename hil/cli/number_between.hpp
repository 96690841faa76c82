// A range for numbers on the command line that nan does not pass, as it does CLI::Range.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace topple::hil {

/// Ends included.
inline CLI::Validator number_between(double low, double high) {
    const std::string allowed = fmt::format("[{} - {}]", low, high);
    return CLI::Validator(
        [=](std::string& text) {
            double value = 0.0;
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return std::string();
            return fmt::format("{} is not in range {}", text, allowed);
        },
        "FLOAT in " + allowed);
}

}  // namespace topple::hil
