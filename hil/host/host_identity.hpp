// Who works at which computer, in which time zone: for the record of a test, never for its logic.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace topple::hil::host {

struct HostIdentity {
    std::string user;       ///< login name; empty if unknown
    std::string computer;   ///< host name
    std::string time_zone;  ///< "CET (UTC+01:00)"
    long utc_offset_s = 0;  ///< now, east positive
};

HostIdentity host_identity();
/// The same as entries of a log's metadata: user, computer, time_zone, utc_offset_s.
std::map<std::string, std::string> host_metadata();

/// "2026-03-01T14:02:11+01:00"
std::string iso_time(std::int64_t unix_s, long utc_offset_s);
/// Of now, on this computer.
std::string iso_time_now();

/// "2026-03-01T13:02:11.123Z"
std::string utc_time(std::int64_t unix_ms);
std::string utc_time_now();
/// Of such a text; empty for any other.
std::optional<std::int64_t> unix_ms_of(const std::string& utc_time);

}  // namespace topple::hil::host
