// Every way to write an experiment file wrongly names its place, its key and what is allowed.
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

/// A good file with marks where a case puts its own lines.
std::string good_file() {
    return "name = \"a test\"\n"             // 1
           "# top\n"                         // 2
           "[[specimen]]\n"                  // 3
           "kind = \"block\"\n"              // 4
           "width_m = 0.06\n"                // 5
           "height_m = 0.27\n"               // 6
           "mass_kg = 2.5692\n"              // 7
           "# specimen\n"                    // 8
           "[excitation]\n"                  // 9
           "type = \"sine\"\n"               // 10
           "amplitude_m_s2 = 3.0\n"          // 11
           "frequency_hz = 4.0\n"            // 12
           "cycles = 1\n"                    // 13
           "[table]\n"                       // 14
           "machine = \"quanser-st-iii\"\n"  // 15
           "[simulation]\n"                  // 16
           "seed = 1\n";                     // 17
}

std::string with(const std::string& line, const std::string& instead) {
    std::string text = good_file();
    const std::size_t at = text.find(line + "\n");
    REQUIRE(at != std::string::npos);
    return text.replace(at, line.size(), instead);
}

std::string message_of_file(const std::filesystem::path& file) {
    try {
        hil::experiment::read_experiment(file);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string message_of(const std::string& text) {
    const tests::TemporaryFolder folder;
    return message_of_file(folder.write("experiment.toml", text));
}

struct BadLine {
    std::string line, instead;
    std::vector<std::string> told;
};

void check(const std::vector<BadLine>& cases) {
    for (const BadLine& bad : cases) {
        const std::string message = message_of(with(bad.line, bad.instead));
        INFO(bad.instead << "\n -> " << message);
        CHECK(message.find("experiment.toml, line ") != std::string::npos);
        CHECK(message.find(", column ") != std::string::npos);
        for (const std::string& part : bad.told) {
            INFO("must be told: " << part);
            CHECK(message.find(part) != std::string::npos);
        }
    }
}

}  // namespace

TEST_CASE("The good file of these tests is read") { CHECK(message_of(good_file()) == "no error"); }

TEST_CASE("An unknown key is refused with the nearest known one") {
    check({
        {"# top", "gravity = 9.81", {"line 2, column 1", "unknown key gravity", "gravity_m_s2"}},
        {"width_m = 0.06", "widht_m = 0.06", {"line 5, column 1", "widht_m = 0.06", "did you mean width_m?"}},
        {"width_m = 0.06", "width_mm = 60", {"line 5", "width_mm = 60", "width_m"}},
        {"height_m = 0.27", "height = 0.27", {"line 6", "height = 0.27", "height_m"}},
        {"# specimen", "restituton = \"housner\"", {"line 8", "restituton", "restitution"}},
        {"cycles = 1", "ramp_cycles = 1", {"line 13", "excitation.ramp_cycles"}},
        {"cycles = 1", "duration_s = 1", {"line 13", "duration_s", "allowed here", "amplitude_m_s2"}},
        {"seed = 1", "seed = 1\nsead = 2", {"line 18", "simulation.sead", "did you mean seed"}},
        {"machine = \"quanser-st-iii\"", "center = true", {"line 15", "table.center", "centre"}},
    });
}

TEST_CASE("A value of the wrong type is refused") {
    check({
        {"width_m = 0.06",
         "width_m = true",
         {"line 5, column 11", "specimen.width_m = true", "a number > 0", "boolean"}},
        {"width_m = 0.06", "width_m = \"0.06\"", {"line 5", "width_m = \"0.06\"", "a string was given"}},
        {"width_m = 0.06", "width_m = [0.06]", {"line 5", "an array was given"}},
        {"width_m = 0.06", "width_m = nan", {"line 5", "width_m = nan", "a number > 0"}},
        {"width_m = 0.06", "width_m = inf", {"line 5", "width_m = inf"}},
        {"width_m = 0.06", "width_m = 2024-01-01", {"line 5", "a date"}},
        {"amplitude_m_s2 = 3.0", "amplitude_m_s2 = -inf", {"line 11", "amplitude_m_s2 = -inf"}},
        {"seed = 1", "seed = 1.5", {"line 17", "simulation.seed = 1.5", "an integer from 0"}},
        {"seed = 1", "seed = true", {"line 17", "simulation.seed = true"}},
        {"machine = \"quanser-st-iii\"", "centre = 1", {"line 15", "table.centre = 1", "true or false"}},
        {"machine = \"quanser-st-iii\"", "machine = 3", {"line 15", "table.machine = 3", "text"}},
        {"name = \"a test\"", "name = 7", {"line 1, column 8", "name = 7"}},
        {"name = \"a test\"", "name = \"\"", {"line 1", "not empty"}},
        {"# specimen", "friction = 0.5", {"line 8", "specimen.friction = 0.5", "a table"}},
    });
}

TEST_CASE("A value out of range is refused") {
    check({
        {"width_m = 0.06", "width_m = -0.06", {"line 5", "width_m = -0.06", "> 0 and <= 100"}},
        {"width_m = 0.06", "width_m = 0", {"line 5", "width_m = 0 ", "> 0"}},
        {"mass_kg = 2.5692", "mass_kg = 0.0", {"line 7", "mass_kg = 0.0", "> 0"}},
        {"frequency_hz = 4.0", "frequency_hz = 0", {"line 12", "frequency_hz = 0 ", "> 0"}},
        {"frequency_hz = 4.0", "frequency_hz = 1e300", {"line 12", "frequency_hz = 1e300"}},
        {"amplitude_m_s2 = 3.0", "amplitude_m_s2 = 1e9", {"line 11", "<= 1000"}},
        {"cycles = 1", "cycles = -1", {"line 13", "cycles = -1"}},
        {"# specimen", "initial_rotation_rad = 1.6", {"line 8", "initial_rotation_rad = 1.6", "< 1.57"}},
        {"# specimen", "initial_tilt_rad = 1", {"line 8", "initial_tilt_rad = 1"}},
        {"# specimen",
         "restitution = { model = \"fixed\", value = 1.2 }",
         {"line 8", "specimen.restitution.value = 1.2", "<= 1"}},
        {"# specimen", "restitution = { model = \"improved\", k = -1 }", {"line 8", "k = -1"}},
        {"# specimen",
         "restitution = { model = \"housner\", material = [1.0, 0.9] }",
         {"line 8", "material", "1 number"}},
        {"# specimen",
         "friction = { static = 0.4, kinetic = 0.5 }",
         {"line 8", "friction.kinetic = 0.5", "static = 0.4"}},
        {"# top", "gravity_m_s2 = 0", {"line 2", "gravity_m_s2 = 0"}},
        {"seed = 1", "seed = -1", {"line 17", "seed = -1"}},
    });
}

TEST_CASE("A missing value is reported with the table it belongs to") {
    check({
        {"width_m = 0.06", "", {"line 3", "specimen.width_m is missing"}},
        {"kind = \"block\"", "", {"line 3", "specimen.kind is missing"}},
        {"type = \"sine\"", "", {"line 9", "excitation.type is missing"}},
        {"frequency_hz = 4.0", "", {"line 9", "excitation.frequency_hz is missing"}},
        {"name = \"a test\"", "", {"name is missing"}},
        {"# specimen", "restitution = { model = \"improved\" }", {"line 8", "restitution.k is missing"}},
        {"# specimen", "restitution = { model = \"fixed\" }", {"line 8", "restitution.value is missing"}},
        {"# specimen",
         "restitution = { model = \"fixed\", left_to_right = 0.9 }",
         {"line 8", "right_to_left is missing"}},
        {"# specimen", "friction = { static = 0.5 }", {"line 8", "friction.kinetic is missing"}},
    });
}

TEST_CASE("A word outside its list is refused with the list") {
    check({
        {"kind = \"block\"", "kind = \"blok\"", {"line 4", "kind = \"blok\"", "\"stack\"", "did you mean \"block\""}},
        {"type = \"sine\"", "type = \"sinus\"", {"line 10", "\"cosine\"", "\"double_pulse\""}},
        {"# specimen", "restitution = \"elastic\"", {"line 8", "\"housner\""}},
        {"# specimen", "restitution = \"improved\"", {"line 8", "requires k"}},
        {"machine = \"quanser-st-iii\"", "machine = \"quanser\"", {"line 15", "quanser-st-iii"}},
        {"machine = \"quanser-st-iii\"", "device = \"usb\"", {"line 15", "tcp:HOST:PORT"}},
        {"machine = \"quanser-st-iii\"", "axis = \"y\"", {"line 15", "\"x\""}},
        {"seed = 1", "truth = \"exakt\"", {"line 17", "\"exact\""}},
    });
}

TEST_CASE("Keys that exclude each other are refused together") {
    check({
        {"cycles = 1", "amplitude_g = 0.3", {"line 13", "amplitude_g = 0.3", "amplitude_m_s2"}},
        {"cycles = 1", "angular_frequency_rad_s = 25", {"line 13", "frequency_hz"}},
        {"# specimen",
         "pivots = { alpha_left_rad = 0.2, alpha_right_rad = 0.2, radius_left_m = 0.1, radius_right_m = 0.1, "
         "inertia_kg_m2 = 0.01 }",
         {"line 5", "width_m", "pivots"}},
    });
}

TEST_CASE("A file that is not TOML is refused where it breaks") {
    check({
        {"width_m = 0.06", "width_m = 0,06", {"line 5"}},
        {"width_m = 0.06", "width_m 0.06", {"line 5"}},
        {"height_m = 0.27", "width_m = 0.07", {"line 6"}},
        {"# top", "x = \"" + std::string(5000, 'x') + "\"", {"line 2", "5006 bytes"}},
    });
}

TEST_CASE("A constant pulse needs either amplitude and duration or an air track's masses") {
    const std::string head =
        "name = \"a\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.04\nheight_m = 0.09\nmass_kg = 0.0955\n"
        "[excitation]\ntype = \"constant\"\n";
    const std::string masses = "mass_slider_kg = 0.12\nmass_hanging_kg = 0.08\ndrop_height_m = 0.1\n";
    CHECK(message_of(head + masses) == "no error");
    CHECK(message_of(head + masses + "coupled = true\n") == "no error");
    CHECK(message_of(head + masses + "coupled = 1\n").find("line 12") != std::string::npos);
    CHECK(message_of(head + masses + "duration_s = 0.1\n").find("air track") != std::string::npos);
    CHECK(message_of(head + "mass_slider_kg = 0.12\n").find("mass_hanging_kg is missing") != std::string::npos);
    CHECK(message_of(head + "amplitude_g = 0.5\n").find("duration_s is missing") != std::string::npos);
}

TEST_CASE("A file that is missing, a folder or too large is refused by name") {
    const tests::TemporaryFolder folder;
    CHECK(message_of_file(folder.path() / "none.toml").find("none.toml: cannot be opened") != std::string::npos);
    CHECK(message_of_file(folder.path()).find("is a directory") != std::string::npos);
    const auto big = folder.write("big.toml", std::string(300'000, '\n'));
    CHECK(message_of_file(big).find("larger than") != std::string::npos);
}

TEST_CASE("A stack that cannot stand or whose restitution does not fit is refused with its reason") {
    const auto message = [](const std::string& keys, const std::string& upper, int blocks = 2) {
        std::string text = "name = \"a\"\n[specimen]\nkind = \"stack\"\n" + keys + "\n";
        for (int i = 0; i + 1 < blocks; ++i)
            text += "[[specimen.blocks]]\nwidth_m = 0.045\nheight_m = 0.1\nmass_kg = 0.5\n";
        text += "[[specimen.blocks]]\n" + upper;
        return message_of(text + "\n[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n");
    };
    const auto says = [](const std::string& text, const std::string& part) {
        INFO(text);
        CHECK(text.find(part) != std::string::npos);
    };
    const std::string good = "width_m = 0.045\nheight_m = 0.1\nmass_kg = 0.5";
    says(message("", good), "no error");
    says(message("friction = { static = 0.5, kinetic = 0.4 }", good), "no error");
    says(message("", "width_m = 0.05\nheight_m = 0.1\nmass_kg = 0.5"), "wider than the block below");
    says(message("", "width_m = 0.045\nheight_m = 0.1\nmass_kg = 0.0"), "mass_kg");
    says(message("", good, 9), "8");
    says(message("restitution = { model = \"housner\", material = [0.9, 0.9, 0.9] }", good), "material");
    says(message("restitution = { model = \"improved\", k = 0.8 }", good), "can increase the energy");
}
