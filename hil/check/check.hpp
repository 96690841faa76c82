// What `topple check` finds: named checks with a number, a limit, a verdict and what to do about it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::check {

enum class Verdict {
    pass,
    warn,     ///< works, but less well than it should: worth a look before a test
    fail,     ///< do not test with this table
    skipped,  ///< was not possible; `advice` says why
};
std::string_view name(Verdict verdict) noexcept;  ///< "pass", ...

/// How the number is compared with the limit.
enum class Bound {
    none,
    at_most,
    at_least,
    magnitude_at_most,  ///< either sign
    equal,
};
std::string_view name(Bound bound) noexcept;  ///< "none", "at_most", ...

/// One check. Names are stable and listed in docs/check.md; the part before the dot is the group.
struct CheckResult {
    std::string name;              ///< "link.round_trip_p99"
    std::optional<double> number;  ///< what was found, in `unit`; none where words say it, or skipped
    std::string unit;              ///< "ms", "um", "counts/m"; empty for pure numbers
    Bound bound = Bound::none;
    std::optional<double> limit;  ///< in `unit`: the one that was exceeded, or the first that would be
    Verdict verdict = Verdict::pass;
    std::string found;   ///< in words, beside or instead of the number; may be empty
    std::string advice;  ///< what to do; empty if pass
};

/// What is judged. NaN never passes.
struct Quantity {
    std::string name;
    double number = 0.0;
    std::string unit;
};

/// The two limits of a check: beyond `warn` it warns, beyond `fail` it fails. `fail` left out: it only warns.
struct Limits {
    double warn = 0.0;
    std::optional<double> fail{};
};

/// A check with one limit, which must not be exceeded.
inline Limits hard(double limit) { return {limit, limit}; }

CheckResult judge_at_most(const Quantity& what, const Limits& limits, std::string advice);
CheckResult judge_at_least(const Quantity& what, const Limits& limits, std::string advice);
CheckResult judge_magnitude(const Quantity& what, const Limits& limits, std::string advice);
/// `tolerance`: largest relative difference; `expected` is not 0 unless the tolerance is.
CheckResult judge_equal(const Quantity& what, double expected, const Limits& tolerance, std::string advice);
CheckResult skipped_check(std::string name, std::string why);
/// A check whose answer is a word; `advice` is dropped if it passes.
CheckResult worded_check(std::string name, Verdict verdict, std::string found, std::string advice);

/// How many frames came so much later than the fastest.
struct LatencyBin {
    double from_ms = 0.0;
    std::optional<double> to_ms;  ///< none: the last bin, open above
    std::uint64_t count = 0;
};

struct CheckCounts {
    std::size_t pass = 0, warn = 0, fail = 0, skipped = 0;
    /// fail if any failed, else warn if any warned, else pass.
    Verdict verdict() const noexcept;
};
CheckCounts count(const std::vector<CheckResult>& results) noexcept;

}  // namespace topple::hil::check
