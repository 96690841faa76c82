#include "hil/files/first_difference.hpp"

#include <fmt/format.h>

#include <sstream>

namespace topple::hil::files {

std::string first_difference(const std::string& then, const std::string& now) {
    std::istringstream before(then), after(now);
    for (std::size_t number = 1;; ++number) {
        std::string a, b;
        const bool has_a = static_cast<bool>(std::getline(before, a));
        const bool has_b = static_cast<bool>(std::getline(after, b));
        if (!has_a && !has_b) return {};
        if (a != b || has_a != has_b) return fmt::format("line {}: \"{}\" is now \"{}\"", number, a, b);
    }
}

}  // namespace topple::hil::files
