#include "hil/experiment/toml_text.hpp"

#include <fmt/format.h>

namespace topple::hil::experiment {

std::string toml_string(std::string_view text) {
    constexpr unsigned char kDelete = 0x7f;
    std::string quoted = "\"";
    for (const char letter : text) {
        const auto code = static_cast<unsigned char>(letter);
        if (letter == '"' || letter == '\\')
            quoted += {'\\', letter};
        else if (code < ' ' || code == kDelete)
            quoted += fmt::format("\\u{:04X}", static_cast<unsigned>(code));
        else
            quoted += letter;
    }
    return quoted + '"';
}

}  // namespace topple::hil::experiment
