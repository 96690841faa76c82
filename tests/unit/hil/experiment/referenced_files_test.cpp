// What a run folder takes along of the files that its experiment names.
#include "hil/experiment/referenced_files.hpp"

#include <set>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::experiment::make_portable;
namespace fs = std::filesystem;

namespace {

std::string record(double peak_m_s2) {
    return "time_s,acceleration_m_s2\n0,0\n1," + std::to_string(peak_m_s2) + "\n2,0\n3," + std::to_string(-peak_m_s2) +
           "\n4,0\n";
}

/// A laboratory's folder with records in several places.
struct Laboratory {
    tests::TemporaryFolder folder;
    Laboratory() {
        for (const char* name : {"a", "b", "experiments", "run"}) fs::create_directories(folder.path() / name);
    }
    hil::experiment::Experiment experiment(const std::string& excitation, const std::string& table = {}) const {
        const std::string text = "name = \"Prüfung\"  # ü in front\n[specimen]\nkind = \"none\"\n" + excitation + table;
        return hil::experiment::read_experiment(folder.write("experiments/e.toml", text));
    }
    /// The run folder's own experiment, after the originals are gone.
    hil::experiment::Experiment as_run(const hil::experiment::PortableExperiment& portable) const {
        hil::experiment::write_portable(portable, folder.path() / "run");
        folder.write("run/machine.toml", hil::experiment::machine_toml(firmware_iface::quanser_st_iii()));
        for (const char* name : {"a", "b", "experiments"}) fs::remove_all(folder.path() / name);
        return hil::experiment::read_experiment(folder.path() / "run" / "experiment.toml");
    }
};

std::string part(const std::string& file) { return "[[excitation.parts]]\ntype = \"record\"\nfile = " + file + "\n"; }

}  // namespace

TEST_CASE("two records of the same name are two copies, and the run's experiment is read from both") {
    const Laboratory lab;
    lab.folder.write("a/rec.csv", record(0.5));
    lab.folder.write("b/rec.csv", record(0.25));
    const std::string absolute = (lab.folder.path() / "b" / "rec.csv").string();
    const auto portable = make_portable(lab.experiment("[excitation]\ntype = \"sum\"\n" +
                                                       part("\"../a/rec.csv\"  # first") + part("'" + absolute + "'")));
    REQUIRE(portable.files.size() == 2);
    CHECK(portable.text.find("# first") != std::string::npos);
    CHECK(portable.text.find("# ü in front") != std::string::npos);
    CHECK(portable.hashes().at("sha256 of referenced/1_rec.csv") == hil::files::sha256_hex(record(0.5)));
    CHECK(lab.as_run(portable).excitation.motion.at(1.0).acceleration_m_s2 == Approx(0.75));
}

TEST_CASE("no copy has a name of the run folder's own files or of another copy, whatever the letters' case") {
    const Laboratory lab;
    const std::vector<std::string> names = {
        "prediction.json", "mark.json",       "machine.toml",          "run.mcap",           "Rec.csv", "rec.CSV",
        "summary.json",    "experiment.toml", "wei\xC3\x9F \"1\".csv", "wei\xC3\x9F '1'.csv"};
    std::string excitation = "[excitation]\ntype = \"sum\"\n";
    for (const std::string& name : names) {
        lab.folder.write("a/" + name, record(0.1));
        std::string quoted;
        for (const char c : name) quoted += c == '"' ? "\\\"" : std::string(1, c);
        excitation += part("\"../a/" + quoted + "\"");
    }
    const auto portable = make_portable(lab.experiment(excitation));
    std::set<std::string> seen;
    for (const auto& file : portable.files) {
        std::string lower = file.name;
        for (char& c : lower) c = static_cast<char>(c >= 'A' && c <= 'Z' ? c + 32 : c);
        CHECK(seen.insert(lower).second);
        CHECK(file.name.starts_with("referenced/"));
        CHECK(file.name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./") ==
              std::string::npos);
    }
    CHECK(seen.size() == names.size());
    CHECK(lab.as_run(portable).excitation.motion.at(1.0).acceleration_m_s2 ==
          Approx(0.1 * static_cast<double>(names.size())));
}

TEST_CASE("a record that is named twice is copied once") {
    const Laboratory lab;
    lab.folder.write("a/rec.csv", record(0.5));
    const auto portable = make_portable(lab.experiment("[excitation]\ntype = \"sum\"\n" + part("\"../a/rec.csv\"") +
                                                       part("\"../experiments/../a/rec.csv\"")));
    CHECK(portable.files.size() == 1);
    CHECK(lab.as_run(portable).excitation.motion.at(1.0).acceleration_m_s2 == Approx(1.0));
}

TEST_CASE("a displacement beside a record is copied with it") {
    const Laboratory lab;
    lab.folder.write("a/rec.csv", record(0.5));
    lab.folder.write("b/gauge.csv", "time_s,displacement_mm\n0,0\n4,1\n");
    const auto portable =
        make_portable(lab.experiment("[excitation]\ntype = \"record\"\nfile = \"../a/rec.csv\"\ndisplacement_file = "
                                     "\"../b/gauge.csv\"\ndisplacement_check = \"off\"\n"));
    REQUIRE(portable.files.size() == 2);
    CHECK(portable.text.find("../b/gauge.csv") == std::string::npos);
    CHECK(lab.as_run(portable).excitation.motion.at(1.0).acceleration_m_s2 == Approx(0.5));
}

TEST_CASE("the table's machine file becomes machine.toml, a built-in machine and inline tables stay as written") {
    const Laboratory lab;
    lab.folder.write("a/m.toml", hil::experiment::machine_toml(firmware_iface::quanser_st_iii()));
    lab.folder.write("a/rec.csv", record(0.5));
    const std::string inline_tables = "excitation = { type = \"record\", file = \"\"\"../a/rec.csv\"\"\" }\n";
    const std::string text =
        "name = \"x\"\n" + inline_tables + "specimen = { kind = \"none\" }\ntable = { machine = '../a/m.toml' }\n";
    const auto portable = make_portable(hil::experiment::read_experiment(lab.folder.write("experiments/e.toml", text)));
    CHECK(portable.text.find("machine = \"machine.toml\"") != std::string::npos);
    CHECK(lab.as_run(portable).excitation.motion.at(1.0).acceleration_m_s2 == Approx(0.5));
    const auto built_in = make_portable(
        Laboratory().experiment("[excitation]\ntype = \"none\"\n", "[table]\nmachine = \"quanser-st-iii\"\n"));
    CHECK(built_in.text.find("machine = \"quanser-st-iii\"") != std::string::npos);
    CHECK(built_in.files.empty());
}

TEST_CASE("a folder \"referenced\" beside an experiment is never read in place of what the experiment names") {
    const Laboratory lab;
    fs::create_directories(lab.folder.path() / "experiments" / "referenced");
    lab.folder.write("a/rec.csv", record(0.5));
    lab.folder.write("experiments/referenced/rec.csv", record(0.125));
    const auto experiment = lab.experiment("[excitation]\ntype = \"record\"\nfile = \"../a/rec.csv\"\n");
    CHECK(experiment.excitation.motion.at(1.0).acceleration_m_s2 == Approx(0.5));
}
