// Every option and positional of every command, given what it must refuse.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/commands.hpp"
#include "hil/text/number_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;
using tests::ProgramResult;
using tests::run_topple;

namespace {

using Words = std::vector<std::string>;

const std::string kSine = std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml";

/// What a kind of value may be, and what it must not be; by the name that --help shows for it.
struct Kind {
    std::string sound;
    Words refused;
};

const Words kNoNumber{"1e",     "5mm",  "1 2",   "nan",   "NaN",   "-nan",     "inf", "-inf", "infinity", "1e999",
                      "-1e999", "0x10", "0x1p3", "1,5",   " 1",    "1 ",       "+",   "-",    ".",        "e5",
                      "1.2.3",  "++1",  "+-1",   "1_000", "1'000", "\xD9\xA1", "one", "true"};
const Words kNoWholeNumber{
    "-1", "+1", "1.5", "1.0", "1e3", "18446744073709551616", "99999999999999999999", "-9223372036854775808"};
const Words kNoRange{"1",       "1:2",     "1:2:",    ":2:3",    "1::3",    "a:b:c",
                     "1:nan:3", "1:inf:3", "nan:2:3", "1:2:3:4", "1:2:-3",  "1:2:+3",
                     "1:2:3.5", "1:2:1e1", "1:2:0",   "1e:2:3",  "1:5mm:3", "1:2:99999999999999999999",
                     "2:1:3",   "-1:2:3",  ":",       "::",      "1: 2:3",  "1:2:3 "};
const Words kNoList{",", "0.1,", ",0.1", "0.1,,0.2", "0.1 0.2", "nan", "0.1,inf", "0.1,5mm", "1e", "[0.1]", "2"};
const Words kNoWord{"1", "x", "true", "full ", "T "};
const Words kNoAddress{":",     "127.0.0.1:", ":5000",       "127.0.0.1:+5", "127.0.0.1:-1", "127.0.0.1:65536",
                       "99999", "5e3",        "127.0.0.1: 5"};

Words both(Words first, const Words& second) {
    first.insert(first.end(), second.begin(), second.end());
    return first;
}

const std::map<std::string, Kind>& kinds() {
    static const Words whole = both(kNoNumber, kNoWholeNumber);
    static const std::map<std::string, Kind> all{
        {"N", {"1", whole}},
        {"I", {"1", whole}},
        {"I,...", {"0,2", {",", "1.5", "-1", "0,x", "0 2", "1e3", "nan"}}},
        {"M", {"0.1", kNoNumber}},
        {"M/S2", {"9.8", kNoNumber}},
        {"S", {"1.5", kNoNumber}},
        {"HZ", {"500", kNoNumber}},
        {"E", {"0.5", kNoNumber}},
        {"X", {"2", kNoNumber}},
        {"RATIO", {"0.01", kNoNumber}},
        {"LO:HI:N", {"0.5:1.5:3", kNoRange}},
        {"R,...", {"0.1,-0.2", kNoList}},
        {"HOST:PORT", {"127.0.0.1:0", kNoAddress}},
        {"[HOST:PORT]", {"127.0.0.1:0", kNoAddress}},
        {"RUN ... | HOST:PORT", {"x", {}}},
        {"RISE,FALL",
         {"1.5,9", {"1", "1,", ",2", "2,1", "1,1", "1,2,3", "1;2", "1,nan", "inf,2", "a,b", "1,5mm", "1e,2", "0x1,2"}}},
        {"RIGHT,UP", {"x,z", both(kNoWord, {"x", "x,", ",z", "x,x", "x,z,y", "x z", "X,Z", "--x,z", "a,b"})}},
        {".|,", {",", kNoWord}},
        {"1|-1", {"-1", {"0", "2", "1.0", "+1", "-", "x", "1e0", "nan"}}},
        {"m|cm|mm|um|rad|mrad|deg", {"mm", kNoWord}},
        {"NAME,...", {"P1,P2", {",", "P1,", ",P1", "P1,,P2"}}},
        {"KEY,...",
         {"width,tilt_rad", {",", "width,", ",width", "width,,k", "width k", "width,width", "Width", "a-b"}}},
        {"classes|overturning", {"overturning", kNoWord}},
        {"KEY=LO:HI:N",
         {"specimen.height_m=0.2:0.5:3",
          {"specimen.height_m", "=1:2:3", "0.2:0.5:3", "a b=1:2:3", ".a=1:2:3", "a.=1:2:3", "a=2:1:3", "a=1:2:1",
           "a=1:nan:3", "a=1:2:0", "a=1:2:3:4", "a=1:2"}}},
        {"T|S|R|O|P|D", {"S", kNoWord}},
        {"m/s2|g|cm/s2", {"g", kNoWord}},
        {"left|right", {"left", kNoWord}},
        {"on|off", {"on", kNoWord}},
        {"full|edge", {"full", kNoWord}},
        {"whole|middle|first", {"whole", kNoWord}},
        {"NAME", {"full", kNoWord}},
        {"contact_dynamics", {"contact_dynamics", kNoWord}},
        {"m|cm|mm|in", {"mm", kNoWord}},
        {"m/s2|cm/s2|g", {"g", kNoWord}},
        {"QUANTITY,...", {"time,position", both(kNoWord, {",", "time,", ",time", "time position"})}},
        {"QUANTITY=COLUMN,...", {"displacement=1,unit=mm", both(kNoWord, {"displacement", "speed=1", "time=1,unit"})}},
        {"OUT.mat|OUT.txt|OUT.at2", {"x", {}}},
        {"FILE", {"x", {}}},
        {"FILE.toml", {"x", {}}},
        {"OUT.toml", {"x", {}}},
        {"REC", {"x", {}}},
        {"NAME|FILE", {"x", {}}},
        {"RUN", {"x", {}}},
        {"DIR", {"x", {}}},
        {"URI", {"x", {}}},
        {"CSV", {"x", {}}},
        {"CSV ...", {"x", {}}},
        {"OUT", {"x", {}}},
        {"OUT.csv", {"x", {}}},
        {"OUT.json", {"x", {}}},
        {"OUT.svg|OUT.png", {"x", {}}},
        {"REASON", {"x", {}}},
        {"PERSON", {"x", {}}},
        {"NAME.toml", {"x", {}}},
        {"TEXT", {"x", {}}},
        {"PATH", {"x", {}}},
    };
    return all;
}

/// Words of a fixed set are told by their description.
Kind kind_of(const CLI::Option& option) {
    const std::string shown = option.get_type_name();
    if (shown.starts_with("WORD")) return {option.get_description().starts_with("csv") ? "csv" : "tan", kNoWord};
    for (const auto& [name, kind] : kinds())
        if (shown == name || (shown.starts_with(name + ":") && name != "LO:HI:N" && name != "KEY=LO:HI:N" &&
                              !name.ends_with("HOST:PORT") && name != "[HOST:PORT]"))
            return kind;
    for (const char* name : {"KEY=LO:HI:N", "LO:HI:N", "HOST:PORT"})
        if (shown.starts_with(name)) return kinds().at(name);
    FAIL(option.get_name() << " takes \"" << shown << "\": give it a kind, here and in hil/cli");
    return {};
}

struct Program {
    CLI::App app{"", "topple"};
    Program() {
        hil::cli::add_commands(app);
        app.parse_complete_callback([] { throw CLI::Success(); });  // all has been looked at; no command begins
    }
    bool takes(const Words& words) {
        std::vector<const char*> pointers{"topple"};
        for (const std::string& word : words) pointers.push_back(word.c_str());
        const int count = static_cast<int>(pointers.size());
        if (!hil::cli::unfinished_option(count, pointers.data()).empty()) return false;
        try {
            app.parse(count, pointers.data());
            return false;
        } catch (const CLI::Success&) {
            return true;
        } catch (const CLI::ParseError&) {
            return false;
        }
    }
};

bool is_flag(const CLI::Option& option) { return option.get_items_expected_max() == 0; }

void add_sound(const CLI::Option& option, Words& words) {
    if (option.nonpositional()) words.push_back(option.get_name());
    words.push_back(kind_of(option).sound);
}

/// The command with all it requires, except `without`, and what that needs.
Words sound_words(const Words& path, const CLI::App& command, const CLI::Option& without) {
    Words words = path;
    for (const CLI::Option* other : command.get_options())
        if (other != &without && other->get_required()) add_sound(*other, words);
    for (const CLI::Option* needed : without.get_needs()) add_sound(*needed, words);
    return words;
}

struct Count {
    int options = 0, flags = 0, refusals = 0;
};

void refuse_all(const Words& path, const CLI::App& command, const CLI::Option& option, Count& count) {
    const Kind kind = kind_of(option);
    const Words before = sound_words(path, command, option);
    const auto with = [&](const std::string& value) {
        Words words = before;
        if (option.nonpositional()) words.push_back(option.get_name());
        words.push_back(value);
        return words;
    };
    CHECK(Program().takes(with(kind.sound)));
    Words refused = both({"", " ", "\t"}, kind.refused);
    const bool may_be_left_out = option.get_items_expected_min() == 0;
    if (option.nonpositional() && !may_be_left_out) refused.push_back("--yes");  // else it is that option
    for (const std::string& value : refused) {
        INFO("value \"" << value << "\"");
        CHECK_FALSE(Program().takes(with(value)));
        ++count.refusals;
    }
    if (!option.nonpositional()) return;
    Words unfinished = both(before, {option.get_name() + "=", kind.sound});
    CHECK_FALSE(Program().takes(unfinished));
}

void refuse_values(const Words& path, const CLI::App& command, const CLI::Option& flag) {
    const Words before = sound_words(path, command, flag);
    const bool is_negative =
        flag.get_name(false, true).find("{false}") != std::string::npos;  // --unhomed=false is --unhomed
    for (const std::string value : {"=", "=false", "=0", "=no", "=x"}) {
        if (is_negative && value == "=false") continue;
        INFO(flag.get_name() << value);
        CHECK_FALSE(Program().takes(both(before, {flag.get_name() + value})));
    }
    CHECK(Program().takes(both(before, {flag.get_name()})));
}

void walk(const Words& path, const CLI::App& command, Count& count) {
    const auto commands = command.get_subcommands([](const CLI::App*) { return true; });
    for (const CLI::App* below : commands) walk(both(path, {below->get_name()}), *below, count);
    if (!commands.empty()) return;
    for (const CLI::Option* option : command.get_options()) {
        INFO("topple " << path.back() << " " << option->get_name());
        if (option == command.get_help_ptr()) continue;
        if (is_flag(*option)) {
            refuse_values(path, command, *option);
            ++count.flags;
        } else {
            refuse_all(path, command, *option, count);
            ++count.options;
        }
    }
}

bool is_empty(const tests::TemporaryFolder& folder) {
    return std::filesystem::directory_iterator(folder.path()) == std::filesystem::directory_iterator();
}

}  // namespace

TEST_CASE("No option and no positional of any command takes an empty value, or a number that is none") {
    Program program;
    Count count;
    walk({}, program.app, count);
    CHECK(count.options >= 60);  // so many there are today: the walk sees them
    CHECK(count.flags >= 20);
    CHECK(count.refusals > 500);
}

TEST_CASE("What is refused on the command line ends with 2 before anything happens") {
    const tests::TemporaryFolder folder;
    const std::string out = folder.path() / "run";
    const std::vector<Words> all{
        {"table", "move", "", "--yes"},
        {"table", "move", "5mm", "--yes"},
        {"table", "move", "nan", "--yes"},
        {"table", "move", "0", "--yes", "--device", ""},
        {"table", "move", "0", "--machine", ""},
        {"table", "home", "--device", "", "--yes"},
        {"run", kSine, "--out", out, "--device", ""},
        {"run", kSine, "--out", ""},
        {"run", kSine, "--out=", "--yes"},
        {"run", kSine, "--out", out, "--faults", ""},
        {"run", kSine, "--out", out, "--dry-run=false"},
        {"run", ""},
        {"check", "--device", ""},
        {"emulate", kSine, "--listen", ""},
        {"emulate", kSine, "--listen="},
        {"predict", kSine, "--seed", ""},
        {"predict", kSine, "--model", ""},
        {"predict", kSine, "--threads", "010x"},
        {"mark", "run", "--outcome", "R", "--specimen", ""},
    };
    for (const Words& words : all) {
        const ProgramResult result = run_topple(words);
        INFO(words.front() << " ... " << words.back() << "\n" << result.err);
        CHECK(result.exit_code == 2);
        CHECK(result.out.empty());
        CHECK_FALSE(result.err.empty());
    }
    CHECK(is_empty(folder));
}

TEST_CASE("A table is not asked to go where its stroke does not reach") {
    const ProgramResult far = run_topple({"table", "move", "0.2"});
    CHECK(far.exit_code == 2);
    CHECK(far.err.find("within ±") != std::string::npos);
    const ProgramResult signs = run_topple({"table", "move", "+0.01"});
    CHECK(signs.exit_code == 0);
    CHECK(signs.out.find("position  +0.0") != std::string::npos);
    CHECK(run_topple({"table", "move", "-0.01"}).exit_code == 0);
}

TEST_CASE("A number is the whole text, in decimal, and finite") {
    using hil::text::parse_number;
    using hil::text::parse_whole_number;
    CHECK(parse_number("-0.05") == -0.05);
    CHECK(parse_number("+3") == 3.0);
    CHECK(parse_number("1e-3") == 1e-3);
    CHECK(parse_number(".5") == 0.5);
    for (const std::string& text : both(kNoNumber, {"", " "})) CHECK_FALSE(parse_number(text));
    CHECK(parse_whole_number("18446744073709551615") == 18446744073709551615u);
    CHECK(parse_whole_number("010") == 10);
    for (const std::string& text : both(kNoWholeNumber, {"", " ", "5mm", "0x10"}))
        CHECK_FALSE(parse_whole_number(text));
}

TEST_CASE("A leading zero makes no octal number") {
    const std::string with_zero = run_topple({"predict", kSine, "--json", "--ensemble", "010", "--seed", "011"}).out;
    CHECK(with_zero.find("\"members\": 10") != std::string::npos);
    CHECK(with_zero == run_topple({"predict", kSine, "--json", "--ensemble", "10", "--seed", "11"}).out);
}
