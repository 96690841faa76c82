// The smallest pictures that are ones: 3 x 2 pixels.
#pragma once

#include <string>

namespace topple::tests {

inline std::string small_png() {
    // Signature, IHDR (3 x 2, grey), IDAT (two rows of zeros), IEND.
    static const unsigned char bytes[] = {
        0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a, 0,    0,    0,    13,   'I',  'H',  'D',  'R',  0,
        0,    0,   3,   0,   0,    0,    2,    8,    0,    0,    0,    0,    0xb8, 0x1f, 0x39, 0xc6, 0,
        0,    0,   11,  'I', 'D',  'A',  'T',  0x78, 0x9c, 0x63, 0x60, 0x80, 0x03, 0x00, 0x00, 0x08, 0x00,
        0x01, 0,   0,   0,   0,    0,    0,    0,    0,    'I',  'E',  'N',  'D',  0xae, 0x42, 0x60, 0x82};
    return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

inline std::string small_jpeg() {
    // SOI, APP0 (JFIF), SOF0 (3 x 2, grey), SOS without data, EOI.
    static const unsigned char bytes[] = {
        0xff, 0xd8, 0xff, 0xe0, 0, 16, 'J', 'F', 'I',  'F', 0,    1,    1, 0, 0, 1, 0, 1, 0,  0, 0xff, 0xc0, 0,
        11,   8,    0,    2,    0, 3,  1,   1,   0x11, 0,   0xff, 0xda, 0, 8, 1, 1, 0, 0, 63, 0, 0xff, 0xd9};
    return {reinterpret_cast<const char*>(bytes), sizeof bytes};
}

}  // namespace topple::tests
