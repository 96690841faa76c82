#include "hil/text/visible_text.hpp"

#include <fmt/format.h>

#include <string>

#include "hil/files/gnuplot.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/report/html.hpp"
#include "hil/text/rounded.hpp"
#include "tests/support/catch.hpp"

using namespace topple;
using hil::text::visible;

TEST_CASE("what acts on a terminal is shown by its number, everything else as it is") {
    CHECK(visible("plain, Umläute, θ/α ± m/s², 日本, \ttab\nnext") == "plain, Umläute, θ/α ± m/s², 日本, \ttab\nnext");
    CHECK(visible("\x1b[31mred\x1b[0m\x07\x7f") == "\\u001b[31mred\\u001b[0m\\u0007\\u007f");
    CHECK(visible("\xc2\x9b"
                  "31m") == "\\u009b31m");  // CSI as one C1 control
    CHECK(visible("a\xe2\x80\xae"
                  "b\xe2\x81\xa6") == "a\\u202eb\\u2066");  // right to left; isolate
    CHECK(visible("\xef\xbb\xbf\xef\xbf\xbe") == "\\ufeff\\ufffe");
    CHECK(visible("\xf3\xa0\x81\x81") == "\\udb40\\udc41");  // a tag, above the basic plane
    CHECK(visible(std::string("a\0b", 3)) == "a\\u0000b");
    CHECK(visible("dos\r\nline\rover") == "dos\nline\\u000dover");
}

TEST_CASE("bytes that are no UTF-8 are shown one by one") {
    CHECK(visible("\xff\xfe") == "\\xff\\xfe");
    CHECK(visible("Gr\xf6\xdf"
                  "e") ==
          "Gr\\xf6\\xdf"
          "e");                                                               // Latin-1
    CHECK(visible("\xc0\xaf \xe0\x80\xaf") == "\\xc0\\xaf \\xe0\\x80\\xaf");  // overlong
    CHECK(visible("\xed\xa0\x80") == "\\xed\\xa0\\x80");                      // half of a pair
    CHECK(visible("\xf4\x90\x80\x80") == "\\xf4\\x90\\x80\\x80");             // above 10FFFF
    CHECK(visible("cut \xe2\x82") == "cut \\xe2\\x82");
    CHECK(visible("") == "");
}

TEST_CASE("every sequence of two and three bytes becomes text without control characters") {
    std::string bytes(3, ' ');
    for (int first = 0x80; first < 256; ++first)
        for (int second = 0; second < 256; ++second) {
            bytes[0] = static_cast<char>(first);
            bytes[1] = static_cast<char>(second);
            const std::string shown = hil::text::one_line(bytes);
            CHECK(visible(shown) == shown);  // nothing is left to do
            for (const char c : shown)
                if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f)
                    FAIL("control character after " << first << " " << second);
        }
}

TEST_CASE("a name stays on one line") { CHECK(hil::text::one_line("a\nb\tc") == "a\\nb\\tc"); }

TEST_CASE("a text for gnuplot is one single-quoted string, whatever it holds") {
    CHECK(hil::files::gnuplot_text("x `touch PWNED`") == "'x `touch PWNED`'");
    CHECK(hil::files::gnuplot_text("it's \"q\"") == "'it’s \"q\"'");
    CHECK(hil::files::gnuplot_text("'; system('x'); '") == "'’; system(’x’); ’'");
    CHECK(hil::files::gnuplot_text("a\nplot x\\") == "'a\\nplot x\\'");
    CHECK(hil::files::gnuplot_text("\x1b\xff") == "'\\u001b\\xff'");
}

TEST_CASE("HTML and XML get no character that they forbid") {
    CHECK(hil::report::escape_html("<b a='1'>&\"\x1b\xff\xef\xbf\xbe\xe2\x80\xae") ==
          "&lt;b a=&#39;1&#39;&gt;&amp;&quot;\\u001b\\xff\\ufffe\\u202e");
}

TEST_CASE("umlauts and other scripts survive in a folder's name, signs do not") {
    CHECK(hil::text::folder_word("Rütteltest Größe 1/2", 80) == "Rütteltest_Größe_1_2");
    CHECK(hil::text::folder_word("../x `y`\xe2\x80\xae\xff日本", 80) == "___x__y___日本");
    CHECK(hil::text::folder_word("aüü", 4) == "aü");  // never half a character
    CHECK(hil::files::default_run_folder("Müller").filename().string().ends_with("_Müller"));
}

TEST_CASE("a unit reads alike on a whole page, and a file is shown as it is") {
    CHECK(hil::report::html_words("at most 3 m/s2 < 4 m/s2") == "at most 3 m/s² &lt; 4 m/s²");
    CHECK(hil::report::escape_html("3 m/s2") == "3 m/s2");
}

TEST_CASE("a small negative number does not print as minus zero") {
    CHECK(fmt::format("{:+.1f}", hil::text::rounded(-0.04, 1)) == "+0.0");
    CHECK(fmt::format("{:.1f}", hil::text::rounded(-0.06, 1)) == "-0.1");
    CHECK(fmt::format("{:+.0f}", hil::text::rounded(-0.5, 0)) == "+0");
    CHECK(fmt::format("{:.2f}", hil::text::rounded(-0.0, 2)) == "0.00");
}
