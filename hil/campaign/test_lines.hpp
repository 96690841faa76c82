// Tests as lines of tests.csv, and back.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "hil/campaign/test_record.hpp"

namespace topple::hil::campaign {

/// What tests.csv must be.
struct TestTableForm {
    std::string file;  ///< for messages
    std::vector<std::string> keys;
    std::size_t specimens = 1;
};

/// Whole lines, header first; a test of several specimens may lack its last ones at the end of the text. A test that
/// stands there twice comes twice. Throws InputError naming file and line.
std::vector<TestRecord> read_test_lines(std::string_view text, const TestTableForm& form);

}  // namespace topple::hil::campaign
