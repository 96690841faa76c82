#include "hil/check/check.hpp"

#include <cmath>

#include "hil/check/check_output.hpp"
#include "hil/check/computer.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::check;
using Catch::Matchers::ContainsSubstring;

TEST_CASE("A number passes up to its first limit, warns up to the second and fails beyond") {
    const auto at = [](double number) { return judge_at_most({"x", number, "ms"}, {2.0, 40.0}, "do this"); };
    CHECK(at(2.0).verdict == Verdict::pass);
    CHECK(at(2.0).advice.empty());
    CHECK(at(2.1).verdict == Verdict::warn);
    CHECK(at(2.1).advice == "do this");
    CHECK(at(2.1).limit == 2.0);
    CHECK(at(40.1).verdict == Verdict::fail);
    CHECK(at(40.1).limit == 40.0);
}

TEST_CASE("Without a second limit a check only warns, with one alone it fails at once") {
    CHECK(judge_at_most({"x", 1e9, ""}, {2.0}, "").verdict == Verdict::warn);
    CHECK(judge_at_most({"x", 2.1, ""}, hard(2.0), "").verdict == Verdict::fail);
}

TEST_CASE("Lower limits, magnitudes and expected values are held both ways") {
    CHECK(judge_at_least({"x", 1.0, ""}, {1.0}, "").verdict == Verdict::pass);
    CHECK(judge_at_least({"x", 0.9, ""}, {1.0}, "").verdict == Verdict::warn);
    CHECK(judge_magnitude({"x", -0.6, ""}, hard(0.5), "").verdict == Verdict::fail);
    CHECK(judge_magnitude({"x", -0.4, ""}, hard(0.5), "").verdict == Verdict::pass);
    CHECK(judge_equal({"x", -1.0, ""}, 1.0, hard(0.0), "").verdict == Verdict::fail);
    CHECK(judge_equal({"x", 0.96, ""}, 1.0, {0.05, 0.25}, "").verdict == Verdict::pass);
    CHECK(judge_equal({"x", 1.1, ""}, 1.0, {0.05, 0.25}, "").verdict == Verdict::warn);
    CHECK(judge_equal({"x", 0.7, ""}, 1.0, {0.05, 0.25}, "").verdict == Verdict::fail);
    CHECK(judge_equal({"x", 0.7, ""}, 1.0, {0.05, 0.25}, "").limit == 1.0);
}

TEST_CASE("What is not a number never passes, also where a check otherwise only warns") {
    const double nan = std::nan("");
    CHECK(judge_at_most({"x", nan, ""}, {2.0}, "").verdict == Verdict::fail);
    CHECK(judge_at_least({"x", nan, ""}, {2.0}, "").verdict == Verdict::fail);
    CHECK(judge_equal({"x", nan, ""}, 1.0, {2.0}, "").verdict == Verdict::fail);
    CHECK_THAT(check_json({{}, {judge_at_most({"x", nan, ""}, {2.0}, "")}, {}, false}, "sim:", "m"),
               ContainsSubstring("\"number\": null"));
}

TEST_CASE("The worst verdict is the whole's, and what was skipped does not count") {
    const auto with = [](Verdict verdict) {
        return count({worded_check("a", Verdict::pass, "", ""), worded_check("b", verdict, "", ""),
                      skipped_check("c", "why")})
            .verdict();
    };
    CHECK(with(Verdict::pass) == Verdict::pass);
    CHECK(with(Verdict::warn) == Verdict::warn);
    CHECK(with(Verdict::fail) == Verdict::fail);
}

TEST_CASE("A line gives verdict, name, number, limit and what to do") {
    const std::string line = check_line(judge_at_most({"link.round_trip_p99", 18.25, "ms"}, {4.0}, "set the timer"));
    CHECK_THAT(line, ContainsSubstring("warn") && ContainsSubstring("link.round_trip_p99") &&
                         ContainsSubstring("18.2 ms, at most 4 ms") && ContainsSubstring("-> set the timer"));
}

TEST_CASE("Quantiles are ranks: the median of three is the second, 99 % of a hundred the 99th, all the last") {
    CHECK(quantile(std::vector<int>{3, 1, 2}, 0.5) == 2);
    std::vector<int> hundred;
    for (int i = 1; i <= 100; ++i) hundred.push_back(101 - i);
    CHECK(quantile(hundred, 0.99) == 99);
    CHECK(quantile(hundred, 1.0) == 100);
    CHECK(quantile(hundred, 0.0) == 1);
}

TEST_CASE("A timer with one long stall warns of the stall alone") {
    std::vector<std::int64_t> late_ns(1000, 60'000);
    late_ns[500] = 25'000'000;
    const auto results = judge_timer(late_ns, {});
    REQUIRE(results.size() == 3);
    CHECK(results[0].verdict == Verdict::pass);
    CHECK(results[1].verdict == Verdict::pass);
    CHECK(results[2].verdict == Verdict::warn);
    CHECK(*results[2].number == Approx(25.0));
}

TEST_CASE("Rights that were refused warn with the system's reason") {
    controller::ThreadSetup refused;
    refused.fifo_refusal = "Operation not permitted";
    const auto without = judge_rights(refused);
    CHECK(without[0].verdict == Verdict::warn);
    CHECK_THAT(without[0].found, ContainsSubstring("Operation not permitted"));
    CHECK(without[1].verdict == Verdict::warn);
    controller::ThreadSetup granted;
    granted.fifo = granted.memory_locked = granted.future_locked = true;
    granted.priority = 60;
    const auto with = judge_rights(granted);
    CHECK(with[0].verdict == Verdict::pass);
    CHECK(with[1].verdict == Verdict::pass);
}

TEST_CASE("One processor that saves energy is enough for a warning, a computer that does not report it is skipped") {
    CHECK(judge_governors({"performance", "performance"}).verdict == Verdict::pass);
    CHECK(judge_governors({"performance", "powersave"}).verdict == Verdict::warn);
    CHECK(judge_governors({}).verdict == Verdict::skipped);
}
