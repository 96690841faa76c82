#include "hil/live/request_origin.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <boost/asio/ip/address.hpp>

namespace topple::hil::live {
namespace {

constexpr std::array<std::string_view, 3> kKnownOrigins{"file://", "https://app.foxglove.dev",
                                                        "https://studio.foxglove.dev"};

std::string lower(std::string_view text) {
    std::string result(text);
    std::transform(result.begin(), result.end(), result.begin(), [](unsigned char letter) {
        return static_cast<char>(letter >= 'A' && letter <= 'Z' ? letter + 32 : letter);
    });
    return result;
}

/// Without the port and without the brackets of an IPv6 address.
std::string host_of(std::string_view authority) {
    if (authority.starts_with('[')) {
        const auto end = authority.find(']');
        return end == std::string_view::npos ? std::string() : lower(authority.substr(1, end - 1));
    }
    return lower(authority.substr(0, authority.find(':')));
}

std::optional<boost::asio::ip::address> address_of(const std::string& host) {
    boost::system::error_code error;
    const auto address = boost::asio::ip::make_address(host, error);
    if (error) return std::nullopt;
    return address;
}

std::string computer_name() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0) return {};
    return lower(name.data());
}

}  // namespace

bool is_own_host(std::string_view host_header, std::string_view own_host) {
    const std::string host = host_of(host_header);
    if (host.empty()) return false;
    return host == "localhost" || address_of(host) || host == lower(own_host) || host == computer_name();
}

bool is_allowed_origin(const std::optional<std::string>& origin, std::string_view host_header) {
    if (!origin) return true;
    const std::string from = lower(*origin);
    if (std::find(kKnownOrigins.begin(), kKnownOrigins.end(), from) != kKnownOrigins.end()) return true;
    const auto scheme_end = from.find("://");
    if (scheme_end == std::string::npos) return false;
    const std::string authority = from.substr(scheme_end + 3);
    if (from == "http://" + lower(host_header)) return true;
    const std::string host = host_of(authority);
    const auto address = address_of(host);
    return host == "localhost" || (address && address->is_loopback());
}

}  // namespace topple::hil::live
