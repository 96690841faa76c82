// Resident memory of processes over time: does it stay flat?
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <vector>

namespace topple::tests {

/// Resident anonymous memory (heap and stacks), kB; 0 if there is no such process.
std::size_t anonymous_memory_kb(pid_t process);

/// One reading per second.
class MemoryWatch {
  public:
    /// Reserves room, so that watching takes no memory itself.
    MemoryWatch(pid_t process, double duration_s) : process_(process) {
        readings_kb_.reserve(static_cast<std::size_t>(2.0 * duration_s) + 1000);
    }
    void read() { readings_kb_.push_back(anonymous_memory_kb(process_)); }
    /// After the warm-up (a tenth of the readings): greatest one of the last third minus greatest one of the first.
    double growth_kb() const;
    std::size_t last_kb() const { return readings_kb_.empty() ? 0 : readings_kb_.back(); }

  private:
    pid_t process_;
    std::vector<std::size_t> readings_kb_;
};

}  // namespace topple::tests
