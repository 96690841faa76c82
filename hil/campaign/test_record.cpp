#include "hil/campaign/test_record.hpp"

#include <fmt/format.h>

namespace topple::hil::campaign {

std::string_view name(TestStatus status) noexcept {
    switch (status) {
        case TestStatus::done: return "done";
        case TestStatus::discarded: return "discarded";
        case TestStatus::interrupted: return "interrupted";
        case TestStatus::refused: return "refused";
    }
    return "?";
}

std::optional<TestStatus> status_named(std::string_view text) noexcept {
    for (const TestStatus status :
         {TestStatus::done, TestStatus::discarded, TestStatus::interrupted, TestStatus::refused})
        if (name(status) == text) return status;
    return std::nullopt;
}

std::optional<bool> overturned(const TestRecord& test, std::size_t specimen) noexcept {
    if (!test.counts() || specimen >= test.specimens.size() || !test.specimens[specimen].outcome) return std::nullopt;
    return solver::is_overturning(test.specimens[specimen].outcome);
}

std::string run_name(std::uint64_t number) { return fmt::format("runs/{:04}", number); }

}  // namespace topple::hil::campaign
