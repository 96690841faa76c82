#include "hil/host/host_identity.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <pwd.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <vector>

namespace topple::hil::host {
namespace {

std::string offset_text(long utc_offset_s) {
    const long minutes = std::labs(utc_offset_s) / 60;
    return fmt::format("{}{:02}:{:02}", utc_offset_s < 0 ? '-' : '+', minutes / 60, minutes % 60);
}

std::string login_name() {
    std::vector<char> room(16384);
    passwd entry{};
    passwd* found = nullptr;
    if (::getpwuid_r(::geteuid(), &entry, room.data(), room.size(), &found) == 0 && found != nullptr)
        return found->pw_name;
    const char* user = std::getenv("USER");
    return user != nullptr ? user : "";
}

std::string host_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? name.data() : "";
}

}  // namespace

HostIdentity host_identity() {
    const std::time_t now = std::time(nullptr);
    std::tm local{};
    ::localtime_r(&now, &local);
    HostIdentity host{login_name(), host_name(), {}, local.tm_gmtoff};
    host.time_zone =
        fmt::format("{} (UTC{})", local.tm_zone != nullptr ? local.tm_zone : "local", offset_text(local.tm_gmtoff));
    return host;
}

std::map<std::string, std::string> host_metadata() {
    const HostIdentity host = host_identity();
    return {{"user", host.user},
            {"computer", host.computer},
            {"time_zone", host.time_zone},
            {"utc_offset_s", fmt::format("{}", host.utc_offset_s)}};
}

std::string iso_time(std::int64_t unix_s, long utc_offset_s) {
    const auto shifted = static_cast<std::time_t>(unix_s + utc_offset_s);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}{}", fmt::gmtime(shifted), offset_text(utc_offset_s));
}

std::string iso_time_now() { return iso_time(std::time(nullptr), host_identity().utc_offset_s); }

std::string utc_time(std::int64_t unix_ms) {
    const std::int64_t unix_s = unix_ms / 1000;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:03}Z", fmt::gmtime(static_cast<std::time_t>(unix_s)),
                       unix_ms - 1000 * unix_s);
}

std::string utc_time_now() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return utc_time(std::chrono::duration_cast<std::chrono::milliseconds>(now).count());
}

std::optional<std::int64_t> unix_ms_of(const std::string& utc_time) {
    std::tm parts{};
    const char* rest = ::strptime(utc_time.c_str(), "%Y-%m-%dT%H:%M:%S.", &parts);
    int milliseconds = 0;
    if (rest == nullptr || std::from_chars(rest, rest + 3, milliseconds).ptr != rest + 3) return std::nullopt;
    const std::int64_t unix_ms = 1000 * static_cast<std::int64_t>(::timegm(&parts)) + milliseconds;
    if (host::utc_time(unix_ms) != utc_time) return std::nullopt;  // 31 February, a sign, anything behind the Z
    return unix_ms;
}

}  // namespace topple::hil::host
