#include "hil/cli/device_hint.hpp"

#include <fmt/format.h>

namespace topple::hil::cli {

std::string with_device(std::string text, std::string_view uri) {
    if (uri == "sim:") return text;
    const std::string more = fmt::format(" --device {}", uri);
    for (std::size_t start = text.find('`'); start != std::string::npos; start = text.find('`', start + 1)) {
        const std::size_t end = text.find('`', start + 1);
        if (end == std::string::npos) break;
        const std::string command = text.substr(start + 1, end - start - 1);
        const bool is_ours =
            command.starts_with("topple table ") || command == "topple check" || command.starts_with("topple check ");
        const bool is_open = is_ours && command.find("--device") == std::string::npos;
        if (is_open) text.insert(end, more);
        start = end + (is_open ? more.size() : 0);
    }
    return text;
}

}  // namespace topple::hil::cli
