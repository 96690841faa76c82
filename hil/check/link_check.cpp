#include "hil/check/link_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <span>

#include "hil/check/computer.hpp"
#include "hil/check/latency.hpp"
#include "hil/drive/clock_rate.hpp"

namespace topple::hil::check {
namespace {

using drive::kClockSkewMax;
using firmware_iface::DeviceError;
using firmware_iface::Feedback;
using firmware_iface::Nanoseconds;

constexpr std::chrono::microseconds kLook{250};  // how often the link is looked at while listening
constexpr std::chrono::seconds kSilenceMax{1};
constexpr std::chrono::milliseconds kAnswerMax{200};  // five look-aheads: a link that is only slow is shown as slow
constexpr int kAnswersLostMax = 25;                   // 5 s of waiting; far more than fails
const char* const kCheckWire = "check cable, connectors, shielding and cable length";

// Where the limits come from: docs/check.md.
constexpr double kLatencyMax_ms = 0.5 * kLookAhead_ms;
constexpr double kLostRatio = 0.01;                  // of the frames: fails
constexpr double kRateWarn = 5e-3, kRateFail = 0.2;  // relative
constexpr double kSkewMax_ppm = 200.0;               // two poor crystals; kClockSkewMax fails
constexpr double kLatencyTimerMax_ms = 1.0;
constexpr double kStandstillMax_ms = 100.0;  // of the clock, while frames come

// Keeps what a link reads, with the time at which it was read.
struct Listener {
    ObservedFeedback& observed;
    std::int64_t now_ns = 0;
    static void take(void* self, const Feedback& feedback) noexcept {
        auto& listener = *static_cast<Listener*>(self);
        auto& observed = listener.observed;
        if (observed.feedback.size() == observed.feedback.capacity()) return;  // sized for all that can come
        observed.feedback.push_back(feedback);
        observed.arrival_ns.push_back(listener.now_ns);
    }
};

void ignore(void*, const Feedback&) noexcept {}

// Of the three thirds of the time the one that is least wrong: a simulated table loses time while its computer is busy,
// a wrong clock is wrong in each. NaN if nothing arrived over time.
double rough_skew(const ObservedFeedback& observed) {
    constexpr std::size_t kParts = 3;
    std::vector<drive::ClockReading> readings;
    for (std::size_t i = 0; i < observed.feedback.size(); ++i)
        readings.push_back({observed.feedback[i].device_time_us, Nanoseconds(observed.arrival_ns[i])});
    double least = std::nan("");
    for (std::size_t part = 0; part < kParts; ++part) {
        const std::size_t first = readings.size() * part / kParts, end = readings.size() * (part + 1) / kParts;
        if (end < first + 2 || !(readings[end - 1].host > readings[first].host)) continue;
        const double skew = drive::clock_skew(std::span(readings).subspan(first, end - first));
        if (std::isnan(least) || std::abs(skew) < std::abs(least)) least = skew;
    }
    return least;
}

// The longest time for which frames came and their device time did not advance.
double standstill_ms(const ObservedFeedback& observed) {
    std::uint64_t newest_us = observed.feedback.front().device_time_us;
    std::int64_t since_ns = observed.arrival_ns.front(), longest_ns = 0;
    for (std::size_t i = 1; i < observed.feedback.size(); ++i) {
        if (observed.feedback[i].device_time_us > newest_us) {
            newest_us = observed.feedback[i].device_time_us;
            since_ns = observed.arrival_ns[i];
        }
        longest_ns = std::max(longest_ns, observed.arrival_ns[i] - since_ns);
    }
    return 1e-6 * static_cast<double>(longest_ns);
}

CheckResult judge_skew(const LatencyFindings& latency, double rough) {
    if (std::abs(rough) > kClockSkewMax) {
        CheckResult wrong = judge_magnitude({"link.clock_skew", 1e6 * rough, "ppm"}, hard(1e6 * kClockSkewMax),
                                            drive::clock_skew_text(rough));
        wrong.found = "no test is possible";
        return wrong;
    }
    if (!latency.skew_ppm) return skipped_check("link.clock_skew", "listening time too short");
    CheckResult result =
        judge_magnitude({"link.clock_skew", *latency.skew_ppm, "ppm"}, {kSkewMax_ppm, 1e6 * kClockSkewMax},
                        "one of the two clocks is far off; the data are in device time, so times of a camera or "
                        "another logger must be aligned separately");
    result.found = fmt::format("±{:.0f}", latency.skew_bound_ppm);
    if (latency.skew_bound_ppm > kSkewMax_ppm && std::abs(*latency.skew_ppm) - latency.skew_bound_ppm <= kSkewMax_ppm) {
        result.verdict = Verdict::skipped;
        result.advice = fmt::format("known to ±{:.0f} ppm only: listen longer (--listen-s 60)", latency.skew_bound_ppm);
    }
    return result;
}

std::vector<CheckResult> judge_losses(const ObservedFeedback& observed, std::uint32_t period_us) {
    const auto grown = [&](std::uint64_t firmware_iface::LinkStatistics::*counter) {
        return static_cast<double>(observed.after.*counter - observed.before.*counter);
    };
    const auto frames = static_cast<double>(observed.feedback.size());
    const auto device_us = observed.feedback.back().device_time_us - observed.feedback.front().device_time_us;
    const double expected = static_cast<double>(device_us) / period_us + 1.0;
    const double host_s = static_cast<double>(observed.arrival_ns.back() - observed.arrival_ns.front()) * 1e-9;
    const Limits few{0.0, kLostRatio * expected};
    const double crc_errors = grown(&firmware_iface::LinkStatistics::crc_errors);
    const double malformed = grown(&firmware_iface::LinkStatistics::malformed);
    std::vector<CheckResult> results{
        judge_at_most({"link.frames_lost", std::max(0.0, expected - frames), ""}, few, kCheckWire),
        judge_at_most({"link.crc_errors", crc_errors + malformed, ""}, few, kCheckWire),
        judge_at_most({"link.frames_stale", grown(&firmware_iface::LinkStatistics::frames_stale), ""}, {0.0},
                      "the table still sends frames of an earlier session: connect again"),
        judge_equal({"link.feedback_rate", host_s > 0.0 ? (frames - 1.0) / host_s : std::nan(""), "Hz"},
                    1e6 / period_us, {kRateWarn, kRateFail},
                    "the table does not keep the rate that it declares, or the line is too slow for that rate")};
    results[0].found = fmt::format("of {:.0f}, {:.0f} gaps in the sequence", expected,
                                   grown(&firmware_iface::LinkStatistics::sequence_gaps));
    results[1].found = fmt::format("{:.0f} by the checksum, {:.0f} by stuffing or length", crc_errors, malformed);
    return results;
}

std::vector<CheckResult> judge_arrivals(const ObservedFeedback& observed, const LatencyFindings& latency,
                                        std::uint32_t period_us) {
    const std::string late =
        "close programs that keep the computer busy; see computer.timer_late_p99 and link.latency_timer";
    const double p99_ms = quantile(latency.late_ms, 0.99), worst_ms = quantile(latency.late_ms, 1.0);
    return {
        judge_at_most({"link.latency_p99", p99_ms, "ms"}, {1e-3 * period_us}, late),
        judge_at_most({"link.latency_max", worst_ms, "ms"}, {kLatencyMax_ms}, late),
        judge_at_most({"link.clock_jumps", static_cast<double>(latency.clock_jumps), ""}, {0.0},
                      "the table's clock jumps or stands still at times: check the controller's power supply and load"),
        judge_at_most(
            {"link.clock_standstill", standstill_ms(observed), "ms"}, hard(kStandstillMax_ms),
            "frames arrive but their time stands still or goes back: the table's firmware is at fault, no test is "
            "possible"),
        judge_skew(latency, rough_skew(observed))};
}

}  // namespace

ObservedFeedback observe(const CheckedTable& table, double duration_s) {
    ObservedFeedback observed;
    const auto expected = duration_s * 1e6 / table.link.device().feedback_period_us;
    observed.feedback.reserve(static_cast<std::size_t>(1.2 * expected) + 1000);
    observed.arrival_ns.reserve(observed.feedback.capacity());
    Listener listener{observed};
    const controller::RealTime real_time(table.clock);
    table.link.poll(&ignore, nullptr);
    observed.before = table.link.statistics();
    Nanoseconds now = table.clock.now(), heard = now;
    const Nanoseconds end = now + Nanoseconds(static_cast<std::int64_t>(duration_s * 1e9));
    while (now < end) {
        table.clock.sleep_until(now + kLook);
        now = table.clock.now();
        listener.now_ns = now.count();
        const std::size_t had = observed.feedback.size();
        table.link.poll(&Listener::take, &listener);
        table.link.flush();
        if (observed.feedback.size() > had) heard = now;
        table.require_going();
        if (const auto defect = table.link.feedback_defect(); defect != firmware_iface::FeedbackDefect::none)
            throw DeviceError(fmt::format("{}: {}", table.link.description(), explanation(defect)));
        if (table.link.status() != firmware_iface::StreamStatus::open)
            throw DeviceError("connection to " + table.link.description() + " lost: check power and cable");
        if (now - heard > kSilenceMax)
            throw DeviceError("no feedback from " + table.link.description() + " for 1 s: is the table still on?");
    }
    observed.after = table.link.statistics();
    return observed;
}

RoundTrips ask(const CheckedTable& table, int count) {
    const controller::RealTime real_time(table.clock);
    RoundTrips trips;
    while (trips.asked < count && trips.lost < kAnswersLostMax) {
        table.require_going();
        const Nanoseconds asked = table.clock.now();
        ++trips.asked;
        try {
            table.link.disarm(kAnswerMax);
            trips.answered_ms.push_back(static_cast<double>((table.clock.now() - asked).count()) * 1e-6);
        } catch (const DeviceError&) {
            if (table.link.status() != firmware_iface::StreamStatus::open) throw;
            ++trips.lost;
        }
    }
    if (trips.answered_ms.empty())
        throw DeviceError(fmt::format("{} answers hello but none of {} commands: they do not arrive, or it is busy",
                                      table.link.description(), trips.asked));
    return trips;
}

CheckResult judge_answers(const RoundTrips& trips) {
    CheckResult result = judge_at_most({"link.answers_lost", static_cast<double>(trips.lost), ""},
                                       {0.0, kLostRatio * trips.asked}, kCheckWire);
    result.found = fmt::format("of {}{}", trips.asked, trips.lost < kAnswersLostMax ? "" : ", then the check gave up");
    return result;
}

CheckResult judge_protocol(const firmware_iface::DeviceInfo& device) {
    CheckResult result = judge_equal({"link.protocol", static_cast<double>(device.protocol_version), ""},
                                     firmware_iface::kProtocolVersion, hard(0.0),
                                     "update the older of program and firmware (docs/protocol.md)");
    result.found = fmt::format("{} (serial number {}, firmware {}){}", device.device, device.serial_number,
                               device.firmware_version, device.simulated ? ", simulated" : "");
    return result;
}

std::vector<CheckResult> judge_round_trips(const std::vector<double>& trips_ms, double period_ms) {
    const std::string advice =
        "a stop arrives this late: set the adapter's latency timer to 1 ms (link.latency_timer), use "
        "a port of the computer itself and no hub, close programs that keep the computer busy";
    return {
        judge_at_most({"link.round_trip_median", quantile(trips_ms, 0.5), "ms"}, {period_ms, kLookAhead_ms}, advice),
        judge_at_most({"link.round_trip_p99", quantile(trips_ms, 0.99), "ms"}, {2.0 * period_ms}, advice),
        judge_at_most({"link.round_trip_max", quantile(trips_ms, 1.0), "ms"}, {kLookAhead_ms}, advice)};
}

CheckResult check_latency_timer(const std::string& port) {
    const std::string name = "link.latency_timer";
    const auto at = port.find("ttyUSB");
    if (at == std::string::npos) return skipped_check(name, "not a port of an FTDI adapter");
    auto end = at + std::string("ttyUSB").size();
    while (end < port.size() && std::isdigit(static_cast<unsigned char>(port[end]))) ++end;
    const std::string file = "/sys/class/tty/" + port.substr(at, end - at) + "/device/latency_timer";
    double timer_ms = 0.0;
    if (!(std::ifstream(file) >> timer_ms)) return skipped_check(name, "this adapter has no latency timer");
    return judge_at_most({name, timer_ms, "ms"}, {kLatencyTimerMax_ms},
                         fmt::format("the adapter holds bytes back: `echo 1 | sudo tee {}`", file));
}

LinkFindings judge_feedback(const ObservedFeedback& observed, std::uint32_t period_us, double round_trip_ms) {
    std::vector<std::uint64_t> device_time_us;
    for (const Feedback& f : observed.feedback) device_time_us.push_back(f.device_time_us);
    const LatencyFindings latency = find_latency(device_time_us, observed.arrival_ns, 1e-3 * round_trip_ms,
                                                 std::chrono::duration<double>(kLook).count());
    LinkFindings found;
    found.results = judge_losses(observed, period_us);
    for (CheckResult& result : judge_arrivals(observed, latency, period_us)) found.results.push_back(std::move(result));
    found.latency = latency_histogram(latency.late_ms);
    return found;
}

}  // namespace topple::hil::check
