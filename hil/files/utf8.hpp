// One character as the bytes of UTF-8.
#pragma once

#include <string>

namespace topple::hil::files {

/// Of a Unicode scalar value below 0x110000.
inline void append_utf8(std::string& text, char32_t code) {
    const auto put = [&](char32_t bits) { text += static_cast<char>(bits); };
    if (code < 0x80) return put(code);
    if (code < 0x800) return put(0xC0 | code >> 6), put(0x80 | (code & 0x3F));
    if (code < 0x10000) return put(0xE0 | code >> 12), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
    put(0xF0 | code >> 18), put(0x80 | (code >> 12 & 0x3F)), put(0x80 | (code >> 6 & 0x3F)), put(0x80 | (code & 0x3F));
}

}  // namespace topple::hil::files
