// Names that an experiment, a file or an argument may bring, through every command that draws or speaks.
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"
#include "tests/support/well_formed.hpp"

using namespace topple::tests;
namespace fs = std::filesystem;

namespace {

/// As they stand between the quotes of TOML.
const std::vector<std::string> kNames = {
    "x `touch PWNED`",
    "$(touch PWNED) | touch PWNED; touch PWNED",
    "'; system('touch PWNED'); '",
    "\\\"; system \\\"touch PWNED\\\"; \\\"",
    "two\\nlines\\nset output 'PWNED'",
    "back\\\\",
    "^_{x}@y&z~{a} %s %n @HOME # no comment",
    "<script>alert(1)</script>&amp; ]]> --> <!--",
    "\\u001b[31mred\\u001b]0;title\\u0007\\u009b2J\\u007f",
    "\\u202e rtl \\u2066\\ufffe\\u2028",
    "Größe θ 日本 \\U0001F600",
};

std::string experiment(const std::string& name) {
    return "name = \"" + name + "\"\n[notes]\noperator = \"" + name + "\"\n" +
           "[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
           "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";
}

/// No control character, and valid UTF-8: JSON's own reader judges that.
void require_harmless(const std::string& text) {
    for (const char c : text)
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == 0x7f)
            FAIL("control character in " << text);
    for (const char* bad : {"\xc2\x9b", "\xe2\x80\xae", "\xe2\x81\xa6"}) CHECK(text.find(bad) == std::string::npos);
    CHECK_NOTHROW(nlohmann::json(text).dump());
}

void require_harmless(const ProgramResult& result, int exit_code = 0) {
    INFO(result.err);
    CHECK(result.exit_code == exit_code);
    require_harmless(result.out);
    require_harmless(result.err);
}

void require_no_intruder(const fs::path& folder) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) CHECK(entry.path().filename() != "PWNED");
    CHECK_FALSE(fs::exists("PWNED"));
}

}  // namespace

TEST_CASE("no name runs a command, breaks a figure or reaches the terminal raw") {
    for (const std::string& name : kNames) {
        INFO(name);
        const TemporaryFolder folder;
        const std::string file = folder.write("test.toml", experiment(name));
        const fs::path map = folder.path() / "map", figure = folder.path() / "plan.svg", run = folder.path() / "run";
        require_harmless(
            run_topple({"map", file, "--frequency-ratio", "2:4:2", "--amplitude-ratio", "1:4:2", "--out", map}));
        CHECK(is_well_formed_file(content_of(map / "map.svg")));
        CHECK(content_of(map / "map.png").starts_with("\x89PNG"));
        require_harmless(run_topple({"plan", file, "--figure", figure}));
        CHECK(is_well_formed_file(content_of(figure)));
        const ProgramResult json = run_topple({"plan", file, "--json"});
        require_harmless(json);
        CHECK(nlohmann::json::parse(json.out).at("name").is_string());
        require_harmless(run_topple({"predict", file}));
        require_no_intruder(folder.path());
    }
}

TEST_CASE("a hostile name goes through a whole run and stays in its JSON as it was written") {
    const TemporaryFolder folder;
    const std::string name = "a `touch PWNED` <b>\\u001b[31m\\u009b \\u202e'\\n";
    const std::string file = folder.write("test.toml", experiment(name));
    const fs::path run = folder.path() / "run";
    require_harmless(run_topple({"run", file, "--out", run}));
    CHECK(is_well_formed(content_of(run / "report.html")));
    const auto summary = nlohmann::json::parse(content_of(run / "summary.json"));
    const auto said = nlohmann::json::parse(run_topple({"predict", file, "--json"}).out);
    CHECK(said.at("name") == "a `touch PWNED` <b>\x1b[31m\xc2\x9b \xe2\x80\xae'\n");
    require_harmless(run_topple({"mark", run, "--outcome", "R", "--discard", "odd \xff \x1b[2J"}));
    CHECK_NOTHROW(nlohmann::json::parse(content_of(run / "mark.json")));
    CHECK(is_well_formed(content_of(run / "report.html")));
    require_no_intruder(folder.path());
}

TEST_CASE("arguments and file names are shown, not obeyed") {
    const TemporaryFolder folder;
    const std::string odd = "\x1b[31m\xff\xc2\x9b`touch PWNED`";
    require_harmless(run_topple({"predict", folder.path() / odd}), 2);
    require_harmless(run_topple({odd}), 2);
    require_harmless(run_topple({"run", "--" + odd}), 2);
    require_harmless(run_topple({"run", folder.write("t.toml", experiment("x")), "--device", odd}), 2);
    require_harmless(run_topple({"predict", folder.write("bad.toml", "\"k\x1b[2J\xe2\x80\xae\" = 1\n")}), 2);
    require_harmless(run_topple({"predict", folder.write("key.toml", experiment("x") + "\"k\\u001b[2J\\n\" = 1\n")}),
                     2);
    const std::string csv = folder.write("a\x1b[1m'`b`\xff.csv", "time_s,\x1b[31mx\n0,1\n1,2\n");
    require_harmless(run_topple({"fit", "free-rocking", csv, "--width-m", "0.06", "--height-m", "0.27"}), 2);
    require_no_intruder(folder.path());
}
