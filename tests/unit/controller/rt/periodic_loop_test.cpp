#include "controller/rt/periodic_loop.hpp"

#include <string>
#include <thread>
#include <vector>

#include <cstdint>

#include "controller/rt/thread_setup.hpp"
#include "tests/support/catch.hpp"

using namespace std::chrono_literals;
using topple::controller::CycleStart;
using topple::controller::PeriodicLoop;
using topple::firmware_iface::Clock;
using topple::firmware_iface::Nanoseconds;

namespace {

/// A clock that wakes late by a given time and lets the test pass time as work.
class LateClock final : public Clock {
  public:
    Nanoseconds now() const noexcept override { return now_; }
    void sleep_until(Nanoseconds deadline) override {
        if (deadline > now_) now_ = deadline + wake_late;
    }
    bool is_virtual() const noexcept override { return true; }
    void work(Nanoseconds duration) { now_ += duration; }
    Nanoseconds wake_late{0};

  private:
    Nanoseconds now_{5'000'000'000};
};

}  // namespace

TEST_CASE("cycles keep to the grid of the first deadline however late each one wakes") {
    LateClock clock;
    clock.wake_late = 300us;
    PeriodicLoop loop(clock, 2ms);
    for (std::uint64_t k = 1; k <= 100; ++k) {
        const CycleStart start = loop.wait();
        clock.work(500us);
        CHECK(start.cycle == k);
        CHECK(start.deadline_ns == 5'000'000'000 + static_cast<std::int64_t>(k) * 2'000'000);
        CHECK(start.wake_late_ns == 300'000);
        CHECK(start.cycles_missed == 0);
        CHECK(loop.busy_ns() == 500'000);
    }
}

TEST_CASE("what is done before the first cycle is no missed deadline") {
    LateClock clock;
    PeriodicLoop loop(clock, 2ms);
    clock.work(37ms);
    loop.restart();
    const CycleStart first = loop.wait();
    CHECK(first.cycle == 1);
    CHECK(first.cycles_missed == 0);
    CHECK(first.deadline_ns == 5'000'000'000 + 39'000'000);
}

TEST_CASE("a cycle overrun by less than a period makes the next one late, nothing else") {
    LateClock clock;
    PeriodicLoop loop(clock, 2ms);
    loop.wait();
    clock.work(3ms);
    const CycleStart late = loop.wait();
    CHECK(late.cycle == 2);
    CHECK(late.wake_late_ns == 1'000'000);
    CHECK(late.cycles_missed == 0);
    clock.work(100us);
    CHECK(loop.wait().wake_late_ns == 0);
}

TEST_CASE("missed deadlines are counted and skipped, not run in a burst") {
    LateClock clock;
    PeriodicLoop loop(clock, 2ms);
    loop.wait();
    clock.work(9500us);  // past the deadlines at 2, 4, 6 and 8 ms
    const CycleStart after = loop.wait();
    CHECK(after.cycles_missed == 3);
    CHECK(after.cycle == 5);
    CHECK(after.wake_late_ns == 1'500'000);
    clock.work(100us);
    const CycleStart next = loop.wait();
    CHECK(next.cycle == 6);
    CHECK(next.wake_late_ns == 0);
    CHECK(next.cycles_missed == 0);
    CHECK(loop.cycles_missed() == 3);
    CHECK(next.deadline_ns == 5'000'000'000 + 6 * 2'000'000);
}

TEST_CASE("thread set-up never fails and says what was obtained") {
    const auto setup = topple::controller::set_up_thread({.priority = 1});
    topple::controller::restore_thread();
    CHECK(setup.fifo == setup.fifo_refusal.empty());
    CHECK(setup.processors >= 1);
    CHECK(setup.text().find(setup.fifo ? "SCHED_FIFO priority 1" : "refused") != std::string::npos);
    CHECK((setup.memory_locked || !setup.lock_refusal.empty()));
}

TEST_CASE("a thread that asks for one processor runs on this one only, or says why not") {
    const std::vector<int> allowed = topple::controller::allowed_processors();
    REQUIRE(!allowed.empty());
    const int last = allowed.back();
    std::vector<int> used;
    topple::controller::ThreadSetup granted, refused;
    std::thread([&] {
        refused = topple::controller::set_up_thread({.priority = 1, .processor = 100'000});
        granted = topple::controller::set_up_thread({.priority = 1, .processor = last});
        used = topple::controller::allowed_processors();
        topple::controller::restore_thread();
    }).join();
    CHECK(used == std::vector<int>{last});
    CHECK(granted.processors == 1);
    CHECK(granted.processor_refusal.empty());
    CHECK(granted.text().find("asked for SCHED_FIFO priority 1, locked memory, processor " + std::to_string(last)) ==
          0);
    CHECK(granted.text().find(", this processor only") != std::string::npos);
    CHECK(refused.processors == static_cast<int>(allowed.size()));
    CHECK(refused.text().find("(processor 100000 refused: ") != std::string::npos);
    CHECK(topple::controller::allowed_processors() == allowed);  // of other threads nothing has changed
}
