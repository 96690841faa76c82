#include "tests/soak/process_memory.hpp"

#include <algorithm>
#include <cstdio>

namespace topple::tests {

std::size_t anonymous_memory_kb(pid_t process) {
    char path[64], line[256];
    std::snprintf(path, sizeof path, "/proc/%d/status", static_cast<int>(process));
    std::FILE* const file = std::fopen(path, "r");
    if (file == nullptr) return 0;
    std::size_t kb = 0;
    while (std::fgets(line, sizeof line, file) != nullptr)
        if (std::sscanf(line, "RssAnon: %zu", &kb) == 1) break;
    std::fclose(file);
    return kb;
}

double MemoryWatch::growth_kb() const {
    const std::size_t warm = readings_kb_.size() / 10, third = (readings_kb_.size() - warm) / 3;
    if (third == 0) return 0.0;
    const auto begin = readings_kb_.begin() + static_cast<std::ptrdiff_t>(warm);
    const auto early = *std::max_element(begin, begin + static_cast<std::ptrdiff_t>(third));
    const auto late = *std::max_element(readings_kb_.end() - static_cast<std::ptrdiff_t>(third), readings_kb_.end());
    return static_cast<double>(late) - static_cast<double>(early);
}

}  // namespace topple::tests
