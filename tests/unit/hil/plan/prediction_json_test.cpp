#include "hil/plan/prediction_json.hpp"
#include "hil/plan/prediction_text.hpp"

#include <clocale>
#include <cstdlib>
#include <locale>

#include "hil/files/errors.hpp"
#include "hil/plan/motion_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

const std::filesystem::path kExamples = std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples";

hil::experiment::Experiment example(const std::string& name) {
    return hil::experiment::read_experiment(kExamples / name);
}

const std::string kName = "name = \"x\"\n";
const std::string kWideBlock = "[specimen]\nkind = \"block\"\nwidth_m = 0.3\nheight_m = 0.1\nmass_kg = 2.0\n";
const std::string kPulse = "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 5.0\nduration_s = 0.05\n";

hil::experiment::Experiment written(const std::string& text) {
    const tests::TemporaryFolder folder;
    return hil::experiment::read_experiment(folder.write("experiment.toml", text));
}

/// Position of each key; they must all be there and in this order.
bool has_in_order(const std::string& text, const std::vector<std::string>& keys) {
    std::size_t at = 0;
    for (const std::string& key : keys) {
        at = text.find("\"" + key + "\":", at);
        if (at == std::string::npos) return false;
    }
    return true;
}

struct CommaPunctuation : std::numpunct<char> {
    char do_decimal_point() const override { return ','; }
    char do_thousands_sep() const override { return '.'; }
    std::string do_grouping() const override { return "\3"; }
};

/// A comma as decimal point everywhere, C and C++, as far as the system lets us.
class CommaLocale {
  public:
    CommaLocale() : before_(std::locale()) {
        const std::string make =
            "localedef -i de_DE -f UTF-8 " + (folder_.path() / "de_DE.UTF-8").string() + " 2>/dev/null";
        if (std::system(make.c_str()) >= 0) ::setenv("LOCPATH", folder_.path().c_str(), 1);
        c_locale_ = std::setlocale(LC_ALL, "de_DE.UTF-8") != nullptr;
        std::locale::global(std::locale(std::locale::classic(), new CommaPunctuation));
        if (c_locale_) std::setlocale(LC_ALL, "de_DE.UTF-8");
    }
    ~CommaLocale() {
        std::locale::global(before_);
        std::setlocale(LC_ALL, "C");
        ::unsetenv("LOCPATH");
    }
    CommaLocale(const CommaLocale&) = delete;
    CommaLocale& operator=(const CommaLocale&) = delete;
    bool c_locale() const { return c_locale_; }

  private:
    tests::TemporaryFolder folder_;
    std::locale before_;
    bool c_locale_ = false;
};

}  // namespace

TEST_CASE("The prediction document has its keys in their order") {
    const hil::experiment::Experiment experiment = example("b6l_sine.toml");
    const std::string json = hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, {}));
    CHECK(has_in_order(json, {"schema",
                              "outcome",
                              "direction",
                              "blocks_overturned",
                              "overturn_time_s",
                              "settled_time_s",
                              "peak_rotation_rad",
                              "impacts",
                              "time_s",
                              "interface",
                              "rotation_rate_before_rad_s",
                              "rotation_rate_after_rad_s",
                              "restitution",
                              "probability",
                              "translation",
                              "sliding",
                              "rocking",
                              "overturning",
                              "members",
                              "experiment_sha256",
                              "topple_version"}));
    CHECK(json.find("\"schema\": \"topple.prediction/1\"") != std::string::npos);
    CHECK(json.find("\"outcome\": \"rocking\"") != std::string::npos);
    CHECK(json.find("\"direction\": null") != std::string::npos);
    CHECK(json.find("\"specimens\"") == std::string::npos);
}

TEST_CASE("Without a specimen the outcome is null and no probability is claimed") {
    hil::experiment::Experiment experiment = example("b6l_sine.toml");
    experiment.specimens.clear();
    const std::string json = hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, {}));
    CHECK(json.find("\"outcome\": null") != std::string::npos);
    CHECK(json.find("\"members\": 0") != std::string::npos);
}

TEST_CASE("Several specimens are listed, and the first one's keys stand at the top") {
    const hil::experiment::Experiment experiment = example("two_blocks.toml");
    const hil::plan::ExperimentPrediction prediction = hil::plan::predict_experiment(experiment, {});
    REQUIRE(prediction.specimens.size() == 2);
    const std::string json = hil::plan::prediction_json(experiment, prediction);
    const std::size_t list = json.find("\"specimens\"");
    REQUIRE(list != std::string::npos);
    CHECK(json.find("\"outcome\"") < list);
    CHECK(json.find("\"outcome\"", json.find("\"outcome\"", list) + 1) != std::string::npos);
}

TEST_CASE("An ensemble is the same for every number of threads and differs with its seed") {
    hil::experiment::Experiment experiment = example("b6l_sine.toml");
    experiment.excitation.motion = solver::sine_acceleration(4.4, 4 * 3.14159265358979);
    experiment.excitation.table_motion.reset();
    hil::plan::PredictionRequest request;
    request.ensemble = 64;
    request.threads = 1;
    const std::string one = hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, request));
    request.threads = 5;
    CHECK(hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, request)) == one);
    CHECK(has_in_order(one, {"probability", "members", "ensemble", "seed", "outcomes", "directions"}));
    CHECK(one.find("\"members\": 64") != std::string::npos);
    request.seed = 2;
    CHECK(hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, request)) != one);
}

TEST_CASE("Newmark and the default model agree on a rocking block, an unknown model is refused") {
    const hil::experiment::Experiment experiment = example("free_rocking.toml");
    hil::plan::PredictionRequest request;
    const double full_s =
        hil::plan::predict_experiment(experiment, request).specimens[0].prediction.impacts.at(0).time_s;
    request.model = "newmark";
    const double newmark_s =
        hil::plan::predict_experiment(experiment, request).specimens[0].prediction.impacts.at(0).time_s;
    CHECK(full_s == Approx(0.25051813).margin(1e-8));
    CHECK(newmark_s == Approx(full_s).margin(1e-4));
    CHECK(newmark_s != full_s);
    request.model = "oracle";
    CHECK_THROWS_AS(hil::plan::predict_experiment(experiment, request), hil::files::InputError);
}

TEST_CASE("A prediction gives the friction that sticking needs and where the model ends") {
    hil::experiment::Experiment experiment = example("stack_db3m6m.toml");
    const auto predicted = [&] { return hil::plan::predict_experiment(experiment, {}); };
    CHECK(hil::plan::prediction_json(experiment, predicted()).find("\"friction_demand\": [") != std::string::npos);
    // This stack falls; falling, its upper block lifts off.
    CHECK(hil::plan::prediction_json(experiment, predicted()).find("\"reason\": \"pull\"") != std::string::npos);
    const hil::experiment::Experiment rocking = example("b6l_sine.toml");
    CHECK(hil::plan::prediction_json(rocking, hil::plan::predict_experiment(rocking, {}))
              .find("\"left_validity\": null") != std::string::npos);
    experiment.specimens[0].friction = solver::Friction{0.05, 0.05};
    const std::string json = hil::plan::prediction_json(experiment, predicted());
    CHECK(json.find("\"reason\": \"slip\"") != std::string::npos);
    const std::string text = hil::plan::prediction_text(experiment, predicted());
    CHECK(text.find("model left its validity at t = 0.0") != std::string::npos);
    CHECK(text.find("interface 0 would slip: more friction is needed than the 0.05 given") != std::string::npos);
}

TEST_CASE("A block with friction slides without being asked, and says how far") {
    const hil::experiment::Experiment experiment =
        written(kName + kWideBlock + "friction = { static = 0.2, kinetic = 0.2 }\n" + kPulse);
    const hil::plan::ExperimentPrediction prediction = hil::plan::predict_experiment(experiment, {});
    REQUIRE(prediction.specimens.at(0).prediction.slip);
    const double slip_m = prediction.specimens[0].prediction.slip->residual_m;
    CHECK(prediction.specimens[0].prediction.outcome == solver::Outcome::sliding);
    const std::string json = hil::plan::prediction_json(experiment, prediction);
    CHECK(has_in_order(json, {"outcome", "impacts", "slip_peak_m", "slip_residual_m", "model"}));
    CHECK(json.find("\"model\": \"slide_rock\"") != std::string::npos);
    const double v = (5.0 - 0.2 * 9.81) * 0.05;
    CHECK(slip_m == Approx(-0.5 * v * (0.05 + v / (0.2 * 9.81))));
    CHECK(hil::plan::history_csv(prediction.specimens[0].prediction).find(",support_0,slip_m\n") != std::string::npos);
    CHECK(hil::experiment::uplift_threshold_m_s2(experiment) == Approx(0.2 * 9.81));
    hil::plan::PredictionRequest request;
    for (const char* model : {"newmark", "linearised"}) {
        request.model = model;
        CHECK_THROWS_AS(hil::plan::predict_experiment(experiment, request), hil::files::InputError);
    }
}

TEST_CASE("The file names the model, the request overrides it, and a wrong name is an error of the file") {
    const std::string rest = kWideBlock + "initial_rotation_rad = 0.1\n" + "[excitation]\ntype = \"none\"\n";
    const hil::experiment::Experiment linear = written(kName + "model = \"linearised\"\n" + rest);
    CHECK(linear.model == "linearised");
    const auto first_s = [&](const hil::experiment::Experiment& experiment, const char* model) {
        hil::plan::PredictionRequest request;
        request.model = model;
        return hil::plan::predict_experiment(experiment, request).specimens.at(0).prediction.impacts.at(0).time_s;
    };
    CHECK(first_s(linear, "") == first_s(linear, "linearised"));
    CHECK(first_s(linear, "full") == first_s(written(kName + rest), ""));
    CHECK(first_s(linear, "") != first_s(linear, "quasi_linear"));
    CHECK_THROWS_AS(written(kName + "model = \"oracle\"\n" + rest), hil::files::InputError);
}

TEST_CASE("An air track shows what the coupling does to outcome and critical drop height") {
    const std::string block = "[specimen]\nkind = \"block\"\nwidth_m = 0.02\nheight_m = 0.09\nmass_kg = 0.0955\n";
    const auto track = [&](const std::string& lines) {
        return written(kName + block + "[excitation]\ntype = \"constant\"\nmass_slider_kg = 0.12\n" + lines);
    };
    const std::string rig = "mass_hanging_kg = 0.09\ndrop_height_m = ";
    const auto between = hil::plan::predict_experiment(track(rig + "0.1\n"), {});
    REQUIRE(between.coupling);
    const double prescribed_m = between.coupling->critical.prescribed_m.value();
    const double coupled_m = between.coupling->critical.coupled_m.value();
    CHECK(coupled_m < 0.94 * prescribed_m);
    const std::string drop = std::to_string(0.5 * (prescribed_m + coupled_m));
    const hil::experiment::Experiment free = track(rig + drop + "\n"), both = track(rig + drop + "\ncoupled = true\n");
    CHECK(hil::plan::predict_experiment(free, {}).specimens[0].prediction.outcome == solver::Outcome::rocking);
    CHECK(hil::plan::predict_experiment(both, {}).specimens[0].prediction.outcome == solver::Outcome::overturning);
    CHECK(both.excitation.coupled);
    CHECK_FALSE(both.excitation.table_motion);
    CHECK(has_in_order(hil::plan::prediction_json(both, hil::plan::predict_experiment(both, {})),
                       {"air_track", "prescribed_outcome", "coupled_outcome", "critical_drop_prescribed_m",
                        "critical_drop_coupled_m"}));
    CHECK_THROWS_AS(track(rig + drop + "\ncoupled = true\ndeceleration_m_s2 = 3.0\n"), hil::files::InputError);
    hil::plan::PredictionRequest linear;
    linear.model = "linearised";
    CHECK_THROWS_AS(hil::plan::predict_experiment(both, linear), hil::files::InputError);
}

TEST_CASE("A history contains every block at every time") {
    const hil::experiment::Experiment experiment = example("stack_db3m6m.toml");
    hil::plan::PredictionRequest request;
    request.history_step_s = 0.01;
    const std::string csv =
        hil::plan::history_csv(hil::plan::predict_experiment(experiment, request).specimens[0].prediction);
    CHECK(
        csv.starts_with("time_s,base_acceleration_m_s2,rotation_0_rad,rotation_rate_0_rad_s,support_0,"
                        "rotation_1_rad,rotation_rate_1_rad_s,support_1\n"));
    CHECK(csv.find(",left") != std::string::npos);
    CHECK(csv.find(",full") != std::string::npos);
}

TEST_CASE("A comma as decimal point in the locale changes no file") {
    const hil::experiment::Experiment experiment = example("record.toml");
    const std::string json = hil::plan::prediction_json(experiment, hil::plan::predict_experiment(experiment, {}));
    const std::string plan = hil::plan::plan_json(experiment, hil::plan::plan_motion(experiment));
    const std::string machine = hil::experiment::machine_toml(experiment.table.description);
    const CommaLocale comma;
    if (!comma.c_locale()) WARN("no German C locale here: the C++ locale alone was tested");
    const hil::experiment::Experiment again = example("record.toml");
    CHECK(again.specimens[0].blocks[0].width_m == 0.06);
    CHECK(hil::plan::prediction_json(again, hil::plan::predict_experiment(again, {})) == json);
    CHECK(hil::plan::plan_json(again, hil::plan::plan_motion(again)) == plan);
    CHECK(hil::experiment::machine_toml(again.table.description) == machine);
}

TEST_CASE("A failed solution has no outcome in the document, and failed members count as failed") {
    const hil::experiment::Experiment experiment = example("b6l_sine.toml");
    hil::plan::PredictionRequest request;
    request.ensemble = 4;
    hil::plan::ExperimentPrediction prediction = hil::plan::predict_experiment(experiment, request);
    CHECK(hil::plan::failure_remarks(prediction).empty());
    CHECK(hil::plan::prediction_json(experiment, prediction).find("\"failed\": 0.0") != std::string::npos);
    hil::plan::SpecimenPrediction& specimen = prediction.specimens.front();
    specimen.prediction.status = solver::SolverStatus::event_budget_spent;
    specimen.prediction.status_time_s = 0.175;
    specimen.prediction.outcome.reset();
    specimen.members.front().outcome.reset();
    const std::string json = hil::plan::prediction_json(experiment, prediction);
    CHECK(json.find("\"outcome\": null") != std::string::npos);
    CHECK(json.find("\"failed\": 0.25") != std::string::npos);
    CHECK(json.find("\"rocking\": 0.75") != std::string::npos);
    CHECK(json.find("\"status\": \"event budget spent\"") != std::string::npos);
    const std::string text = hil::plan::prediction_text(experiment, prediction);
    CHECK(text.find("outcome       none: the solution failed at 0.175000 s: event budget spent") != std::string::npos);
    CHECK(text.find("75 % rocking, 25 % failed") != std::string::npos);
    REQUIRE(hil::plan::failure_remarks(prediction).size() == 2);
    CHECK(hil::plan::failure_remarks(prediction).front().find("NO OUTCOME") != std::string::npos);
    CHECK(hil::plan::failure_remarks(prediction).back().find("1 of 4 members") != std::string::npos);
}

TEST_CASE("a block that would be lighter than air is asked about its unit") {
    hil::experiment::Experiment experiment =
        hil::experiment::read_experiment(std::string(TOPPLE_SOURCE_DIR) + "/docs/examples/b6l_sine.toml");
    hil::plan::ExperimentPrediction prediction;
    prediction.specimens.resize(1);
    CHECK(hil::plan::prediction_remarks(experiment, prediction).empty());
    for (auto& block : experiment.specimens.front().blocks) block.width_m = 60.0, block.height_m = 27.0;
    const auto remarks = hil::plan::prediction_remarks(experiment, prediction);
    REQUIRE(remarks.size() == 1);
    CHECK(remarks.front().find("in millimetres?") != std::string::npos);
}
