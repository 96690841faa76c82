#include "hil/check/link_check.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>

#include "hil/check/latency.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple;
using namespace topple::hil::check;

namespace {

// 10 s at 500 Hz of a device clock that is `skew_ppm` fast; every 7th frame is late by 1.5 ms.
ObservedFeedback observed(double skew_ppm) {
    ObservedFeedback all;
    for (int i = 0; i < 5000; ++i) {
        firmware_iface::Feedback f;
        f.device_time_us = 1'000'000 + 2000u * static_cast<unsigned>(i);
        all.feedback.push_back(f);
        const double host_ns = 2e6 * i / (1.0 + skew_ppm * 1e-6) + (i % 7 == 3 ? 1.5e6 : 0.0);
        all.arrival_ns.push_back(500'000'000 + std::llround(host_ns));
    }
    return all;
}

const CheckResult& named(const std::vector<CheckResult>& results, const std::string& name) {
    for (const CheckResult& result : results)
        if (result.name == name) return result;
    throw std::runtime_error("no check " + name);
}

}  // namespace

TEST_CASE("The skew of the clocks is found below the latency's scatter") {
    for (const double skew_ppm : {-250.0, 0.0, 40.0, 250.0}) {
        const auto found = judge_feedback(observed(skew_ppm), 2000, 1.0);
        const CheckResult& skew = named(found.results, "link.clock_skew");
        CHECK(*skew.number == Approx(skew_ppm).margin(0.5));  // rounding of the times; the scatter alone would be 50
        CHECK(skew.verdict == (std::abs(skew_ppm) > 200.0 ? Verdict::warn : Verdict::pass));
    }
}

TEST_CASE("A skew that is known less well than its limit is no pass, but one that is certainly beyond it still warns") {
    const auto judged = [](double skew_ppm) {
        ObservedFeedback all = observed(skew_ppm);
        all.feedback.resize(1000);
        all.arrival_ns.resize(1000);
        return named(judge_feedback(all, 2000, 1.0).results, "link.clock_skew");
    };
    for (const double skew_ppm : {0.0, 40.0, 300.0}) {
        const CheckResult skew = judged(skew_ppm);
        CHECK(skew.verdict == Verdict::skipped);
        CHECK_THAT(skew.advice, Catch::Matchers::ContainsSubstring("listen longer (--listen-s 60)"));
    }
    CHECK(judged(3000.0).verdict == Verdict::warn);
}

TEST_CASE("A clock that is wrong by a factor, or stands still, fails, and loses no frames that there are not") {
    for (const double factor : {0.0, 0.5, 0.94, 1.06, 2.0, 10.0}) {
        INFO("factor " << factor);
        ObservedFeedback all = observed(0.0);
        for (auto& f : all.feedback)
            f.device_time_us =
                1'000'000 + static_cast<std::uint64_t>(factor * static_cast<double>(f.device_time_us - 1'000'000));
        const auto found = judge_feedback(all, 2000, 1.0);
        const CheckResult& skew = named(found.results, "link.clock_skew");
        CHECK(skew.verdict == Verdict::fail);
        CHECK(*skew.number == Approx(1e6 * (factor - 1.0)).margin(3e3));
        CHECK(*skew.limit == Approx(50'000.0));
        CHECK(*named(found.results, "link.frames_lost").number >= 0.0);
    }
    for (const double skew_ppm : {-40'000.0, 40'000.0})
        CHECK(named(judge_feedback(observed(skew_ppm), 2000, 1.0).results, "link.clock_skew").verdict == Verdict::warn);
}

TEST_CASE("A clock that stops while frames still come fails, however late it stops") {
    for (const std::size_t last : {700u, 4900u}) {
        ObservedFeedback all = observed(0.0);
        for (std::size_t i = last; i < all.feedback.size(); ++i)
            all.feedback[i].device_time_us = all.feedback[last].device_time_us;
        const auto found = judge_feedback(all, 2000, 1.0);
        const CheckResult& stands = named(found.results, "link.clock_standstill");
        CHECK(stands.verdict == Verdict::fail);
        CHECK(*stands.number == Approx(2.0 * (4999.0 - static_cast<double>(last))).margin(2.0));
    }
    CHECK(named(judge_feedback(observed(0.0), 2000, 1.0).results, "link.clock_standstill").verdict == Verdict::pass);
}

TEST_CASE("Latency counts from the fastest frame, and the histogram holds every frame") {
    const auto found = judge_feedback(observed(40.0), 2000, 1.0);
    CHECK(*named(found.results, "link.latency_p99").number == Approx(1.5).margin(0.01));
    CHECK(*named(found.results, "link.latency_max").number == Approx(1.5).margin(0.01));
    const auto total = std::accumulate(found.latency.begin(), found.latency.end(), std::uint64_t{0},
                                       [](std::uint64_t sum, const LatencyBin& bin) { return sum + bin.count; });
    CHECK(total == 5000);
    for (const LatencyBin& bin : found.latency)
        if (bin.from_ms == 1.0) CHECK(bin.count == 714);
    CHECK_FALSE(found.latency.back().to_ms.has_value());
}

TEST_CASE("Frames missing in device time are lost, few of them warn and many fail") {
    auto few = observed(0.0);
    few.feedback.erase(few.feedback.begin() + 100);
    few.arrival_ns.erase(few.arrival_ns.begin() + 100);
    const auto warned = judge_feedback(few, 2000, 1.0);
    CHECK(*named(warned.results, "link.frames_lost").number == Approx(1.0));
    CHECK(named(warned.results, "link.frames_lost").verdict == Verdict::warn);
    auto many = observed(0.0);
    many.feedback.erase(many.feedback.begin() + 100, many.feedback.begin() + 200);
    many.arrival_ns.erase(many.arrival_ns.begin() + 100, many.arrival_ns.begin() + 200);
    CHECK(named(judge_feedback(many, 2000, 1.0).results, "link.frames_lost").verdict == Verdict::fail);
}

TEST_CASE("Damaged and stale frames are taken from the link's counters while it was listened to") {
    auto all = observed(0.0);
    all.before.crc_errors = 5;
    all.after.crc_errors = 7;
    all.before.malformed = 1;
    all.after.malformed = 4;
    all.before.frames_stale = all.after.frames_stale = 9;
    const auto found = judge_feedback(all, 2000, 1.0);
    CHECK(named(found.results, "link.crc_errors").number == 5.0);
    CHECK(named(found.results, "link.crc_errors").verdict == Verdict::warn);
    CHECK(named(found.results, "link.frames_stale").verdict == Verdict::pass);
}

TEST_CASE("A table that sends at half its declared rate fails") {
    const auto found = judge_feedback(observed(0.0), 1000, 1.0);
    CHECK(named(found.results, "link.feedback_rate").verdict == Verdict::fail);
    CHECK(named(judge_feedback(observed(0.0), 2000, 1.0).results, "link.feedback_rate").verdict == Verdict::pass);
}

TEST_CASE("A round trip above one period warns, a median above the look-ahead fails") {
    const std::vector<double> usual(500, 1.1), ftdi(500, 16.5), hopeless(500, 45.0);
    CHECK(judge_round_trips(usual, 2.0)[0].verdict == Verdict::pass);
    CHECK(judge_round_trips(ftdi, 2.0)[0].verdict == Verdict::warn);
    CHECK(judge_round_trips(hopeless, 2.0)[0].verdict == Verdict::fail);
}

namespace {

// A device of which some commands get no answer.
struct Asked {
    test::Bench bench;
    std::atomic<bool> stop{false};
    firmware_iface::MachineDescription machine;
    Asked() { bench.link.connect(); }
    template <class Lost>
    RoundTrips ask(int count, Lost lost) {
        bench.device.on_command = [this, lost](const auto&) { bench.device.mute = lost(bench.device.commands.size()); };
        return hil::check::ask({bench.link, bench.clock, machine, stop}, count);
    }
};

}  // namespace

TEST_CASE("An answer that is lost is counted, not waited for, and the others are still timed") {
    Asked asked;
    const auto before = asked.bench.clock.now();
    const RoundTrips trips = asked.ask(200, [](std::size_t nth) { return nth == 7; });
    CHECK(trips.lost == 1);
    CHECK(trips.answered_ms.size() == 199);
    CHECK(*std::max_element(trips.answered_ms.begin(), trips.answered_ms.end()) < 10.0);
    CHECK(asked.bench.clock.now() - before < std::chrono::seconds(1));
    CHECK(judge_answers(trips).verdict == Verdict::warn);
    CHECK(judge_answers(Asked().ask(200, [](std::size_t) { return false; })).verdict == Verdict::pass);
    CHECK(judge_answers(Asked().ask(200, [](std::size_t nth) { return nth % 50 == 0; })).verdict == Verdict::fail);
}

TEST_CASE("A table that leaves too many questions open is asked no further") {
    const RoundTrips trips = Asked().ask(500, [](std::size_t nth) { return nth > 10; });
    CHECK(trips.asked == 35);
    CHECK(trips.lost == 25);
    CHECK(judge_answers(trips).verdict == Verdict::fail);
    CHECK_THROWS_AS(Asked().ask(500, [](std::size_t) { return true; }), firmware_iface::DeviceError);
}

TEST_CASE("A connection that closes between two questions ends them") {
    Asked asked;
    CHECK_THROWS_AS(asked.ask(500,
                              [&](std::size_t nth) {
                                  if (nth == 5) asked.bench.device.stream->close();
                                  return nth == 5;
                              }),
                    firmware_iface::DeviceError);
    CHECK(asked.bench.device.commands.size() == 5);
}

TEST_CASE("Only a port of an FTDI adapter has a latency timer to set") {
    CHECK(check_latency_timer("tcp:127.0.0.1:4500").verdict == Verdict::skipped);
    CHECK(check_latency_timer("serial:/dev/ttyUSB987").verdict == Verdict::skipped);
}
