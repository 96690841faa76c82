#include <fmt/format.h>
#include <sys/resource.h>

#include <cmath>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <numbers>
#include <sstream>

#include "hil/compare/conclusion.hpp"
#include "hil/conclude/import_run.hpp"
#include "hil/conclude/motion_start.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/synthetic_run.hpp"

using namespace topple;
using namespace topple::hil::compare;
using namespace topple::hil::conclude;
using namespace topple::hil::experiment;
using namespace topple::hil::files;
using namespace topple::hil::run_log;
namespace fs = std::filesystem;

namespace {

fs::path temporary(const std::string& name) { return fs::temp_directory_path() / ("topple_import_" + name); }

fs::path write_text(const std::string& name, const std::string& text) {
    const fs::path file = temporary(name);
    std::ofstream(file) << text;
    return file;
}

// The synthetic test as another laboratory's files: millimetres, g and degrees, 2 s before the excitation.
struct OtherFiles {
    fs::path motion, rotation;
};

OtherFiles write_files(bool displacement, bool acceleration) {
    const tests::SyntheticRun run{.experiment = tests::b6l_sine()};
    const RunData data = tests::record(run);
    std::string motion = std::string("time_ms") + (displacement ? ",displacement_mm" : "") +
                         (acceleration ? ",acceleration_g" : "") + "\n";
    std::string rotation = "time_s,rotation_deg\n";
    for (const auto& feedback : data.feedback) {
        const double time_s = 1e-6 * static_cast<double>(feedback.device_time_us) - 3.0;
        motion += fmt::format("{:f}", 1e3 * time_s);
        if (displacement) motion += fmt::format(",{:f}", 1e-3 * static_cast<double>(feedback.axes[0].encoder_count));
        if (acceleration) motion += fmt::format(",{:f}", *feedback.acceleration_x_m_s2 / 9.80665);
        motion += "\n";
        rotation += fmt::format("{:f},{:f}\n", time_s - 0.3, feedback.rotation_rad[0] * 180.0 / std::numbers::pi);
    }
    return {write_text("motion.csv", motion), write_text("rotation.csv", rotation)};
}

ImportRequest request_for(const OtherFiles& files, const std::string& out) {
    fs::remove_all(temporary(out));
    ImportRequest request;
    request.experiment = fs::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml";
    request.motion = files.motion;
    request.rotation = files.rotation;
    request.out = temporary(out);
    request.start_s = 2.0;
    request.rotation_start_s = 1.7;
    return request;
}

}  // namespace

TEST_CASE("Declared columns are turned into SI units") {
    const auto columns =
        read_declared_columns(write_text("units.csv",
                                         "time_ms,position_mm,acceleration_g,rotation_0_deg,rotation_1_mrad,"
                                         "temperature_c\n0,1,1,180,1,20\n2,2,0,90,2,20\n"),
                              {});
    CHECK(columns.time_s[1] == Approx(0.002));
    CHECK(columns.displacement_m[1] == Approx(0.002));
    CHECK(columns.acceleration_m_s2[0] == Approx(9.80665));
    CHECK(columns.rotation_rad[0][0] == Approx(std::numbers::pi));
    CHECK(columns.rotation_rad[1][1] == Approx(0.002));
    CHECK(columns.names_in_file.back() == "temperature_c");
}

TEST_CASE("A run's own export is a file of declared columns, whatever else stands in it") {
    const auto columns = read_declared_columns(
        write_text(
            "feedback.csv",
            "device_time_us,time_s,encoder_x_count,position_x_m,setpoint_position_x_m,position_y_m,"
            "acceleration_x_m_s2,rotation_0_rad,rotation_1_rad,state\n"
            "5000,0,1000,0.001,0.001,9,0.5,0.1,,running\n7000,0.002,2000,0.002,0.002,9,0.6,0.2,,\"at rest, held\"\n"),
        {});
    CHECK(columns.displacement_m == std::vector<double>{0.001, 0.002});
    CHECK(columns.acceleration_m_s2 == std::vector<double>{0.5, 0.6});
    CHECK(columns.rotation_rad == std::vector<std::vector<double>>{{0.1, 0.2}});  // of block 1 nothing was measured
}

TEST_CASE("The data of a run's own figures are files of declared columns") {
    const auto motion =
        read_declared_columns(write_text("motion.csv",
                                         "time_s,commanded_displacement_m,achieved_displacement_m,achieved_velocity_m_"
                                         "s,tracking_error_m\n0,1,2,3,4\n1,1,3,3,4\n"),
                              {});
    CHECK(motion.displacement_m == std::vector<double>{2.0, 3.0});
    const auto rotation = read_declared_columns(
        write_text("rotation_0.csv",
                   "time_s,planned_0_rad,achieved_0_rad,measured_0_rad,measured_0_rad_s\n0,1,2,3,4\n1,1,2,5,4\n"),
        {});
    CHECK(rotation.rotation_rad == std::vector<std::vector<double>>{{3.0, 5.0}});
}

TEST_CASE("A hole in a column and a column that is not there are named") {
    const auto message = [](const std::string& text) {
        try {
            read_declared_columns(write_text("hole.csv", text), {});
        } catch (const InputError& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK(message("time_s,displacement_m\n0,1\n1,\n2,1\n").find("line 3, column displacement_m") != std::string::npos);
    CHECK(message("t,displacement_m\n0,1\n1,1\n").find("there are: t, displacement_m") != std::string::npos);
    CHECK(message("t,x\n0,1\n1,1\n").find("can read none of its columns: t, x") != std::string::npos);
}

TEST_CASE("Columns that do not say what they are, or say it twice, are refused") {
    CHECK_THROWS_AS(read_declared_columns(write_text("bad1.csv", "time_s,displacement_inch\n0,1\n1,2\n"), {}),
                    InputError);
    CHECK_THROWS_AS(
        read_declared_columns(write_text("bad2.csv", "time_s,displacement_m,position_mm\n0,1,1\n1,2,2\n"), {}),
        InputError);
    CHECK_THROWS_AS(read_declared_columns(write_text("bad3.csv", "displacement_m\n0\n1\n"), {}), InputError);
    CHECK_THROWS_AS(read_declared_columns(write_text("bad4.csv", "time_s,displacement_m\n1,1\n0,2\n"), {}), InputError);
    CHECK_THROWS_AS(read_declared_columns(write_text("bad5.csv", "time_s,rotation_1_rad\n0,1\n1,2\n"), {}), InputError);
    CHECK(read_declared_columns(write_text("rate.csv", "displacement_m\n0\n1\n"), 100.0).time_s[1] == Approx(0.01));
}

TEST_CASE(
    "An imported test has its motion identified, its prediction from it, and a verdict, but no blind "
    "prediction") {
    const ConcludedRun run = import_run(request_for(write_files(true, true), "both"));
    const Conclusion& c = run.conclusion;
    CHECK(c.status == RunStatus::completed);
    CHECK(*c.identified.amplitude_m_s2 == Approx(3.0).epsilon(0.01));
    CHECK_FALSE(c.tracking.evaluated);
    CHECK(c.specimens.front().measured.source == MeasurementSource::sensor);
    CHECK(c.specimens.front().agreement.verdict == AgreementVerdict::consistent);
    for (const char* file : {"run.mcap", "summary.json", "report.html", "experiment.toml", "machine.toml"})
        CHECK(fs::exists(temporary("both") / file));
    CHECK_FALSE(fs::exists(temporary("both") / "prediction.json"));
}

TEST_CASE("Displacement alone and acceleration alone are enough for an import") {
    const ConcludedRun displacement = import_run(request_for(write_files(true, false), "displacement"));
    CHECK(*displacement.conclusion.identified.amplitude_m_s2 == Approx(3.0).epsilon(0.01));
    const ConcludedRun acceleration = import_run(request_for(write_files(false, true), "acceleration"));
    CHECK(*acceleration.conclusion.identified.amplitude_m_s2 == Approx(3.0).epsilon(0.02));
    CHECK(acceleration.conclusion.specimens.front().agreement.outcome_equal == true);
}

TEST_CASE("An import never overwrites and leaves nothing half done on bad input") {
    ImportRequest request = request_for(write_files(true, true), "refused");
    request.rotation = write_text("two.csv", "time_s,rotation_0_rad,rotation_1_rad\n0,0,0\n1,0,0\n");
    CHECK_THROWS_AS(import_run(request), InputError);
    CHECK_FALSE(fs::exists(request.out));
    fs::create_directories(request.out);
    request.rotation.reset();
    CHECK_THROWS_AS(import_run(request), InputError);
}

TEST_CASE("A file that ends before the excitation does makes an incomplete test, judged by nobody") {
    const OtherFiles files = write_files(true, true);
    const std::string text = read_text_file(files.motion);
    const double last_ms = 2000.0 + 140.0;  // the sine lasts 250 ms
    std::string head;
    for (std::size_t at = 0, end = 0; (end = text.find('\n', at)) != std::string::npos; at = end + 1)
        if (at == 0 || std::stod(text.substr(at)) <= last_ms) head += text.substr(at, end + 1 - at);
    ImportRequest request = request_for({write_text("short.csv", head), files.rotation}, "short");
    const Experiment experiment = read_experiment(request.experiment);
    request.rotation.reset();
    const Conclusion c = conclude(experiment, imported_run(experiment, request), {});
    CHECK(c.status == RunStatus::incomplete);
    CHECK_FALSE(overall_verdict(c).has_value());
}

TEST_CASE("A longer wave that holds a piece like the planned one is not taken for it") {
    ImportRequest request = request_for(write_files(true, false), "longer_wave");
    std::string text = "time_s,displacement_mm\n";
    for (int i = 0; i < 4000; ++i) {
        const double t = i / 500.0;
        text +=
            fmt::format("{:f},{:f}\n", t, t < 2.0 ? 0.0 : 20.0 * std::sin(2.0 * std::numbers::pi * 1.1 * (t - 2.0)));
    }
    request.motion = write_text("longer_wave.csv", text);
    request.rotation.reset();
    request.start_s.reset();
    request.rotation_start_s.reset();
    const Conclusion c =
        conclude(read_experiment(request.experiment), imported_run(read_experiment(request.experiment), request),
                 {{.specimen = 0, .outcome = solver::Outcome::rocking, .side = {}, .discard_reason = {}}});
    CHECK(c.import_correlation < 0.8);
    CHECK_FALSE(overall_verdict(c).has_value());
}

TEST_CASE("The planned motion is found in the recording, and where it is not there is no verdict") {
    ImportRequest request = request_for(write_files(true, false), "searched");
    request.start_s.reset();
    request.rotation_start_s = 1.7;
    const ConcludedRun found = import_run(request);
    const std::string& text = found.text;
    INFO(text);
    CHECK(text.find("where the planned motion was found (correlation of planned and recorded motion ") !=
          std::string::npos);
    CHECK(found.conclusion.specimens.front().agreement.verdict == AgreementVerdict::consistent);
    CHECK(text.find("before the test") == std::string::npos);

    ImportRequest wrong = request_for(write_files(true, false), "misaligned");
    wrong.start_s = 2.4;  // the motion begins at 2.0 s
    wrong.rotation_start_s = 2.1;
    const ConcludedRun refused = import_run(wrong);
    CHECK_FALSE(refused.conclusion.specimens.front().agreement.verdict.has_value());
    CHECK(refused.text.find("does not fit the planned one") != std::string::npos);
    CHECK_FALSE(refused.conclusion.identified.evaluated);
    CHECK(refused.text.find("\nachieved ") == std::string::npos);
    const std::string report = read_text_file(temporary("misaligned") / "report.html");
    CHECK(report.find("Not identified: the recorded motion does not fit") != std::string::npos);
    CHECK(report.find("before the test") == std::string::npos);
}

TEST_CASE("A platen recorded with the other sign is said to be that, and not judged") {
    const OtherFiles files = write_files(true, false);
    std::string turned, line;
    for (std::istringstream text(read_text_file(files.motion)); std::getline(text, line);) {
        const std::size_t comma = line.find(',') + 1;
        turned += turned.empty() ? line + "\n"
                                 : fmt::format("{}{:f}\n", line.substr(0, comma), -std::stod(line.substr(comma)));
    }
    const ConcludedRun run = import_run(request_for({write_text("turned.csv", turned), files.rotation}, "turned"));
    CHECK(run.text.find("with its sign reversed (correlation -1.00)") != std::string::npos);
    CHECK_FALSE(overall_verdict(run.conclusion).has_value());
    CHECK_FALSE(run.conclusion.identified.evaluated);
}

TEST_CASE("A file without rest before its motion is said to have no zero") {
    ImportRequest request = request_for(write_files(true, false), "no_rest");
    std::string text = read_text_file(request.motion);
    const std::size_t header = text.find('\n') + 1, late = text.find("\n1990.") + 1;
    request.motion = write_text("no_rest.csv", text.substr(0, header) + text.substr(late));
    CHECK(import_run(request).text.find("of rest before the motion, 0.2 s are required") != std::string::npos);
}

TEST_CASE("Two rows at one time are a step, three are an error") {
    const auto read = [](const std::string& rows) {
        return read_declared_columns(write_text("steps.csv", "time_s,acceleration_m_s2\n" + rows), {});
    };
    const DeclaredColumns step = read("0,0\n1,0\n1,3\n2,3\n");
    CHECK(step.time_s == std::vector<double>{0.0, 1.0, 2.0});
    CHECK(step.acceleration_m_s2 == std::vector<double>{0.0, 3.0, 3.0});
    CHECK_THROWS_AS(read("0,0\n1,0\n1,1\n1,3\n2,3\n"), InputError);
}

TEST_CASE("A motion is found by its acceleration too, with either sign") {
    const auto experiment = read_experiment(fs::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
    const solver::BaseMotion& planned = experiment.excitation.planned_motion();
    for (const double sign : {1.0, -1.0}) {
        DeclaredColumns columns;
        for (int i = 0; i < 4000; ++i) {
            const double time_s = i / 500.0;
            columns.time_s.push_back(time_s);
            const double inside = time_s >= 3.2 && time_s <= 3.2 + planned.end_s();
            columns.acceleration_m_s2.push_back(0.15 +
                                                (inside ? sign * planned.at(time_s - 3.2).acceleration_m_s2 : 0.0));
        }
        const MotionStart start = find_motion_start(columns, planned);
        CHECK(start.time_s == Approx(3.2).margin(0.003));
        CHECK(start.correlation == Approx(sign).margin(0.01));
    }
}

TEST_CASE("An import that cannot write its log leaves nothing behind and can be tried again") {
    const OtherFiles files = write_files(true, true);
    const ImportRequest request = request_for(files, "full_disk");
    const auto before = std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{};
    ::getrlimit(RLIMIT_FSIZE, &limit);
    rlimit small = limit;
    small.rlim_cur = 20'000;  // experiment.toml fits, run.mcap does not
    ::setrlimit(RLIMIT_FSIZE, &small);
    CHECK_THROWS_AS(import_run(request), OutputError);
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
    for (const auto& entry : fs::directory_iterator(request.out.parent_path()))
        CHECK(entry.path().filename().string().find("import_full_disk") == std::string::npos);
    import_run(request);
    CHECK(fs::exists(request.out / "run.mcap"));
}
