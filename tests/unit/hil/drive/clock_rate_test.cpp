// A table whose seconds are none does not move.
#include "hil/drive/clock_rate.hpp"

#include <cmath>

#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A device that sends every 2 ms of the host's time, stamped by its own clock.
struct WrongClock {
    Bench bench;
    std::atomic<bool> stop{false};
    std::function<double(double host_s)> device_s;

    explicit WrongClock(std::function<double(double)> stamp) : device_s(std::move(stamp)) {
        bench.clock.set_on_advance([this, next = Nanoseconds{0}](Nanoseconds now) mutable {
            bench.device.serve();
            for (; next <= now; next += 2ms)
                if (bench.device.session != 0)
                    bench.device.send_feedback(static_cast<std::uint64_t>(
                        std::llround(1e6 * (10.0 + device_s(std::chrono::duration<double>(next).count())))));
        });
        bench.link.connect();
    }
    std::string verdict() {
        return error_of([&] { hil::drive::require_true_clock(bench.link, bench.clock, stop); });
    }
};

std::string of_factor(double factor) {
    return WrongClock([=](double host_s) { return factor * host_s; }).verdict();
}

}  // namespace

TEST_CASE("a clock that is wrong by more than the limit is refused with figure, consequence and limit") {
    CHECK_THAT(of_factor(2.0), ContainsSubstring("100.0 % fast") && ContainsSubstring("4.00 times") &&
                                   ContainsSubstring("allowed: 5 %") && ContainsSubstring("Nothing has moved"));
    CHECK_THAT(of_factor(0.5), ContainsSubstring("50.0 % slow") && ContainsSubstring("0.25 times"));
    for (const double factor : {0.1, 0.9, 0.944, 1.056, 1.1, 3.0, 1000.0}) {
        INFO(factor);
        CHECK_THAT(of_factor(factor), ContainsSubstring("allowed: 5 %"));
    }
}

TEST_CASE("crystals, ceramic resonators and even poor oscillators pass") {
    for (const double factor : {0.956, 0.995, 1.0 - 1e-4, 1.0, 1.0 + 1e-4, 1.005, 1.044}) {
        INFO(factor);
        CHECK(of_factor(factor) == "no error");
    }
}

TEST_CASE("a clock that stands still or runs backwards is refused within some seconds") {
    for (const double factor : {0.0, -1.0}) {
        WrongClock clock([=](double host_s) { return factor * host_s; });
        CHECK_THAT(clock.verdict(), ContainsSubstring("stands still or runs backwards"));
        CHECK(clock.bench.clock.now() < 4s);
    }
}

TEST_CASE("a table that loses time for a while, as a simulated one on a busy computer, is given a second look") {
    CHECK(WrongClock([](double host_s) { return host_s - std::min(0.3, std::max(0.0, host_s - 0.4)); }).verdict() ==
          "no error");
}

TEST_CASE("an operator's stop ends the listening") {
    WrongClock clock([](double host_s) { return host_s; });
    clock.stop = true;
    CHECK_THAT(clock.verdict(), ContainsSubstring("stopped by the operator"));
}
