#include "hil/check/check.hpp"

#include <cmath>
#include <utility>

namespace topple::hil::check {
namespace {

// `within(limit)` says whether the number keeps a limit.
template <class Within>
CheckResult judge(const Quantity& what, const Limits& limits, std::string advice, Within within) {
    CheckResult result;
    result.name = what.name;
    result.number = what.number;
    result.unit = what.unit;
    const bool failed = limits.fail && !within(*limits.fail);
    result.limit = failed ? *limits.fail : limits.warn;
    if (failed || !std::isfinite(what.number))
        result.verdict = Verdict::fail;
    else if (!within(limits.warn))
        result.verdict = Verdict::warn;
    if (result.verdict != Verdict::pass) result.advice = std::move(advice);
    return result;
}

}  // namespace

std::string_view name(Verdict verdict) noexcept {
    switch (verdict) {
        case Verdict::pass: return "pass";
        case Verdict::warn: return "warn";
        case Verdict::fail: return "fail";
        case Verdict::skipped: return "skipped";
    }
    return "?";
}

std::string_view name(Bound bound) noexcept {
    switch (bound) {
        case Bound::none: return "none";
        case Bound::at_most: return "at_most";
        case Bound::at_least: return "at_least";
        case Bound::magnitude_at_most: return "magnitude_at_most";
        case Bound::equal: return "equal";
    }
    return "?";
}

CheckResult judge_at_most(const Quantity& what, const Limits& limits, std::string advice) {
    CheckResult result = judge(what, limits, std::move(advice), [&](double limit) { return what.number <= limit; });
    result.bound = Bound::at_most;
    return result;
}

CheckResult judge_at_least(const Quantity& what, const Limits& limits, std::string advice) {
    CheckResult result = judge(what, limits, std::move(advice), [&](double limit) { return what.number >= limit; });
    result.bound = Bound::at_least;
    return result;
}

CheckResult judge_magnitude(const Quantity& what, const Limits& limits, std::string advice) {
    CheckResult result =
        judge(what, limits, std::move(advice), [&](double limit) { return std::abs(what.number) <= limit; });
    result.bound = Bound::magnitude_at_most;
    return result;
}

CheckResult judge_equal(const Quantity& what, double expected, const Limits& tolerance, std::string advice) {
    CheckResult result = judge(what, tolerance, std::move(advice), [&](double ratio) {
        return std::abs(what.number - expected) <= ratio * std::abs(expected);
    });
    result.bound = Bound::equal;
    result.limit = expected;
    return result;
}

CheckResult skipped_check(std::string name, std::string why) {
    return worded_check(std::move(name), Verdict::skipped, "", std::move(why));
}

CheckResult worded_check(std::string name, Verdict verdict, std::string found, std::string advice) {
    CheckResult result;
    result.name = std::move(name);
    result.verdict = verdict;
    result.found = std::move(found);
    if (verdict != Verdict::pass) result.advice = std::move(advice);
    return result;
}

Verdict CheckCounts::verdict() const noexcept {
    if (fail > 0) return Verdict::fail;
    return warn > 0 ? Verdict::warn : Verdict::pass;
}

CheckCounts count(const std::vector<CheckResult>& results) noexcept {
    CheckCounts counts;
    for (const CheckResult& result : results) {
        switch (result.verdict) {
            case Verdict::pass: ++counts.pass; break;
            case Verdict::warn: ++counts.warn; break;
            case Verdict::fail: ++counts.fail; break;
            case Verdict::skipped: ++counts.skipped; break;
        }
    }
    return counts;
}

}  // namespace topple::hil::check
