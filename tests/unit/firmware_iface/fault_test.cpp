#include "firmware_iface/fault.hpp"

#include <set>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

TEST_CASE("every fault and every refusal has its own name and a sentence") {
    std::set<std::string_view> names, sentences;
    for (std::uint32_t code = 0; code <= static_cast<std::uint32_t>(FaultCode::configuration_mismatch); ++code) {
        names.insert(name(static_cast<FaultCode>(code)));
        sentences.insert(explanation(static_cast<FaultCode>(code)));
        CHECK(explanation(static_cast<FaultCode>(code)).ends_with('.'));
    }
    CHECK(names.size() == 20);
    CHECK(sentences.size() == 20);
    names.clear();
    for (std::uint32_t code = 0; code <= static_cast<std::uint32_t>(RefusalCode::not_supported); ++code) {
        names.insert(name(static_cast<RefusalCode>(code)));
        CHECK(explanation(static_cast<RefusalCode>(code)).ends_with('.'));
    }
    CHECK(names.size() == 10);
}

TEST_CASE("a number of a newer device is not taken for a known fault") {
    CHECK(name(static_cast<FaultCode>(4711)) == "unknown_fault");
    CHECK(name(static_cast<RefusalCode>(4711)) == "unknown_refusal");
}
