// Round trip, losses, latency and clock of the wire between this computer and the table.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hil/check/check.hpp"
#include "hil/check/checked_table.hpp"

namespace topple::hil::check {

/// Feedback of a table that is only listened to.
struct ObservedFeedback {
    std::vector<firmware_iface::Feedback> feedback;  ///< in order of arrival
    std::vector<std::int64_t> arrival_ns;            ///< host's clock, one per feedback
    firmware_iface::LinkStatistics before, after;    ///< counters of the link at both ends
};

/// Listens for `duration_s` of the host's clock. Throws DeviceError if the stream closes, nothing comes for a
/// second, or the operator stops it.
ObservedFeedback observe(const CheckedTable& table, double duration_s);

/// Questions to a table and their answers.
struct RoundTrips {
    std::vector<double> answered_ms;  ///< duration, of the host's clock, in steps of the ms in which the link looks
    int asked = 0, lost = 0;          ///< lost: no answer within 200 ms
};

/// Asks `count` commands that change nothing (disarm, while not armed), one after the other; fewer if 25 of them get no
/// answer. Throws DeviceError if the stream closes, none is answered, or the operator stops it.
RoundTrips ask(const CheckedTable& table, int count);

CheckResult judge_answers(const RoundTrips& trips);
CheckResult judge_protocol(const firmware_iface::DeviceInfo& device);
/// `trips_ms` must not be empty.
std::vector<CheckResult> judge_round_trips(const std::vector<double>& trips_ms, double period_ms);
/// FTDI adapters hold bytes back; `port` as TableLink::description() gives it. Skipped for other ports.
CheckResult check_latency_timer(const std::string& port);

struct LinkFindings {
    std::vector<CheckResult> results;
    std::vector<LatencyBin> latency;
};
/// Loss, damage, rate, latency, jumps and skew of the clock. At least two feedbacks; `round_trip_ms` of the
/// wire, > 0.
LinkFindings judge_feedback(const ObservedFeedback& observed, std::uint32_t period_us, double round_trip_ms);

}  // namespace topple::hil::check
