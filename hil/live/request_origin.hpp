// Who may look, as far as a request says: pages of other sites are kept out.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace topple::hil::live {

/// Whether a request with this Host header means this server: an IP address, "localhost", this computer's name, or the
/// name on which the server was told to listen (`own_host`). Any other name may belong to a foreign page that has led
/// its visitors here. With or without a port.
bool is_own_host(std::string_view host_header, std::string_view own_host);

/// Whether a web socket may be opened by a page with this Origin header. Allowed: none (no browser), the page of this
/// very server (`host_header`), pages of this computer, file:// (desktop programs), Foxglove's own site. "null" is
/// refused: any page can make itself a nameless frame.
bool is_allowed_origin(const std::optional<std::string>& origin, std::string_view host_header);

}  // namespace topple::hil::live
