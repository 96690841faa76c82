// Files of ground motion for the tests of their readers.
#pragma once

#include <filesystem>
#include <string>

#include "hil/files/errors.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "tests/support/temporary_folder.hpp"

namespace topple::tests {

/// One of tests/data/ground_motion.
inline hil::ground_motion::Record sample(const std::string& name, const hil::ground_motion::Stated& stated = {}) {
    return hil::ground_motion::read_record(std::filesystem::path(TOPPLE_SOURCE_DIR) / "tests/data/ground_motion" / name,
                                           "auto", stated);
}

/// Any bytes.
inline hil::ground_motion::Record reading_of(const std::string& bytes, const hil::ground_motion::Stated& stated = {}) {
    const TemporaryFolder folder;
    return hil::ground_motion::read_record(folder.write("record.dat", bytes), "auto", stated);
}

/// Why they are refused; empty if they are not.
inline std::string refusal_of(const std::string& bytes, const hil::ground_motion::Stated& stated = {}) {
    try {
        const auto record = reading_of(bytes, stated);
        for (const auto& channel : record.channels) hil::ground_motion::require_usable(record, channel);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return {};
}

inline bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

}  // namespace topple::tests
