#include "firmware_iface/wording.hpp"

#include <array>
#include <cerrno>
#include <cstdio>

#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;

namespace {

std::string printed(const char* format, double number) {
    std::array<char, 400> text;
    std::snprintf(text.data(), text.size(), format, number);
    return text.data();
}

}  // namespace

TEST_CASE("a wording reads as what was noted, with numbers as printf writes them") {
    for (const double number : {0.0, -0.0, 0.108, -0.1234567, 2.005, 1e-9, 123456.0, -9e8, 1e300}) {
        CHECK(Wording().add(number, NumberForm::three_digits).text() == printed("%.3g", number));
        CHECK(Wording().add(number, NumberForm::two_decimals).text() == printed("%.2f", number));
        CHECK(Wording().add(number, NumberForm::signed_one_decimal).text() == printed("%+.1f", number));
    }
    CHECK(Wording().add(ENOSPC, NumberForm::system_error).text() == "No space left on device");
    Wording inner("b ");
    inner.add(1.5, NumberForm::two_decimals);
    CHECK(Wording("a ").add(inner).add(" c").text() == "a b 1.50 c");
    CHECK(Wording().empty());
    CHECK(Wording().text().empty());
    CHECK(Wording("").empty());
}

TEST_CASE("what is more than a wording holds is left out") {
    Wording wording;
    for (std::size_t i = 0; i < Wording::kPiecesMax + 3; ++i) wording.add("x");
    CHECK(wording.add(wording).text() == std::string(Wording::kPiecesMax, 'x'));
}

TEST_CASE("a wording is cut at a character and never inside one") {
    const Wording wording = Wording("ab").add("\u00e4\u00f6").add("c");  // 2 + 4 + 1 bytes
    const std::array<std::size_t, 8> written{0, 1, 2, 2, 4, 4, 6, 7};
    std::array<char, 8> into;
    for (std::size_t room = 0; room < written.size(); ++room)
        CHECK(wording.write(std::span(into).first(room)) == written[room]);
    CHECK(std::string(into.data(), 7) == wording.text());
}
