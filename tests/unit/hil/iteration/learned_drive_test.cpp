#include "hil/iteration/learned_drive.hpp"

#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/plan/motion_plan.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::hil;
using namespace topple::hil::iteration;
using Catch::Matchers::ContainsSubstring;

namespace {

constexpr const char* kCase = R"(name = "case"
[specimen]
kind = "block"
width_m = 0.06
height_m = 0.27
mass_kg = 2.57
restitution = { model = "housner" }
[excitation]
type = "sine"
amplitude_m_s2 = 3.0
frequency_hz = 4.0
)";

struct Case {
    tests::TemporaryFolder folder;
    experiment::Experiment experiment = experiment::read_experiment(folder.write("case.toml", kCase));
    firmware_iface::DeviceInfo device;

    DriveIdentity identity() const { return identity_of(experiment, plan::plan_motion(experiment).axes(), device); }
};

LearnedAxis learned_axis() {
    LearnedAxis axis;
    axis.correction = {1.0 / 3.0, {0.0, 1e-7 / 3.0, -2e-5, 0.0}};
    axis.passes.push_back(
        {1e-4 / 7.0, 0.03, 0.0, 0.0, 123.0, {true, 1.0 / 0.997, 2.1e-3, 3e-5, -0.02, 0.01, "a \"remark\""}});
    axis.end = "passes_done";
    axis.text = "text";
    return axis;
}

LearnedDrive learned() {
    LearnedDrive drive;
    drive.identity = {"a", "b", "c", "a dummy mass of 2.57 kg"};
    drive.axes = {learned_axis()};
    drive.goal_peak_m = 5e-5;
    drive.goal_nrmse = 0.01;
    return drive;
}

/// The same on a machine of two axes: x rests.
LearnedDrive learned_of_two() {
    LearnedDrive drive = learned();
    drive.axes.insert(drive.axes.begin(), LearnedAxis{{}, {}, kAtRest, "rests", true});
    return drive;
}

}  // namespace

TEST_CASE("a learned drive reads back as the same bits") {
    for (const LearnedDrive& drive : {learned(), learned_of_two()}) {
        const LearnedDrive back = read_learned_drive(learned_drive_json(drive), "x.json");
        REQUIRE(back.axes.size() == drive.axes.size());
        const LearnedAxis &one = drive.axes.back(), &again = back.axes.back();
        CHECK(again.correction.step_s == one.correction.step_s);
        CHECK(again.correction.displacement_m == one.correction.displacement_m);
        CHECK(again.passes.at(0).peak_error_m == one.passes[0].peak_error_m);
        CHECK(again.passes.at(0).sensors.gain == one.passes[0].sensors.gain);
        CHECK(again.passes.at(0).sensors.cross_ratio == one.passes[0].sensors.cross_ratio);
        CHECK(again.passes.at(0).sensors.remark == one.passes[0].sensors.remark);
        CHECK(back.identity.payload == drive.identity.payload);
        CHECK(back.goal_peak_m == drive.goal_peak_m);
        CHECK(back.goal_nrmse == drive.goal_nrmse);
        CHECK(back.is_corrected());
        CHECK(difference(back.identity, drive.identity).empty());
        CHECK(back.learned_utc.empty());
    }
    const LearnedDrive two = read_learned_drive(learned_drive_json(learned_of_two()), "x.json");
    CHECK(two.axes.front().end == kAtRest);
    CHECK(two.axes.front().correction.empty());
}

TEST_CASE("a drive that was learned before the goal was written into the file is still read") {
    auto json = nlohmann::ordered_json::parse(learned_drive_json(learned()));
    for (const char* key : {"goal_peak_error_m", "goal_acceleration_nrmse", "content_sha256"}) json.erase(key);
    json["passes"][0].erase("cross_axis_ratio");
    json["content_sha256"] = files::sha256_hex(json.dump());
    const LearnedDrive drive = read_learned_drive(json.dump(1), "x.json");
    REQUIRE(drive.axes.size() == 1);
    CHECK(drive.axes[0].correction.displacement_m == learned_axis().correction.displacement_m);
    CHECK(drive.axes[0].passes.size() == 1);
    CHECK(drive.goal_peak_m == 0.0);
}

TEST_CASE("a damaged or foreign file is no learned drive") {
    for (const std::string& text :
         {std::string("{"), std::string("{}"), std::string("[1]"), std::string("{\"schema\":\"topple.plan/1\"}"),
          learned_drive_json(learned()).substr(0, 300), learned_drive_json(learned_of_two()).substr(0, 300)})
        CHECK_THROWS_WITH(read_learned_drive(text, "x.json"), ContainsSubstring("x.json: not a learned drive"));
    std::string text = learned_drive_json(learned());
    text.replace(text.find("-2e-05"), 6, "1e999");
    CHECK_THROWS_AS(read_learned_drive(text, "x.json"), files::InputError);
    std::string edited = learned_drive_json(learned());
    const std::size_t at = edited.find("\"end\": \"");
    REQUIRE(at != std::string::npos);
    edited.insert(at + 8, "x");
    CHECK_THROWS_WITH(read_learned_drive(edited, "x.json"), ContainsSubstring("its content is not what was written"));
}

TEST_CASE("machine, waveform and payload each make a drive another one, and it is told which") {
    const DriveIdentity wanted = Case().identity();
    const auto changed = [](auto&& change) {
        Case other;
        change(other);
        return other.identity();
    };
    CHECK(difference(Case().identity(), wanted).empty());
    const std::string table = "the machine file or the table";
    CHECK(difference(changed([](Case& c) { c.experiment.table.machine_text += "# measured again\n"; }), wanted) ==
          table);
    CHECK(difference(changed([](Case& c) { c.device.serial_number = "17"; }), wanted) == table);
    CHECK(difference(changed([](Case& c) { c.device.simulated = true; }), changed([](Case& c) {
                         c.device.simulated = true;
                         c.experiment.simulation.table = experiment::SimulatedMechanics::worn;
                     })) == table);
    const auto stronger = [](Case& c) {
        c.experiment.excitation.table_motion = c.experiment.excitation.table_motion->scaled(1.0 + 1e-12);
    };
    CHECK(difference(changed(stronger), wanted) == "the waveform");
    CHECK_THAT(difference(changed([](Case& c) { c.experiment.specimens[0].blocks[0].mass_kg += 1e-6; }), wanted),
               ContainsSubstring("what stands on the platen") && ContainsSubstring("2.57 kg"));
    const auto bare = [](Case& c) { c.experiment.table.iterate_payload = experiment::IteratePayload::bare; };
    CHECK_THAT(difference(changed(bare), wanted), ContainsSubstring("bare platen"));
}

TEST_CASE("on a machine of two axes a drive is of both waveforms and of their direction") {
    const auto turned = [](double direction_rad) {
        Case test;
        test.experiment.table.description.y = test.experiment.table.description;
        test.experiment.direction_rad = direction_rad;
        return test.identity();
    };
    CHECK(difference(turned(0.3), turned(0.3)).empty());
    for (const double other_rad : {0.3 + 1e-9, -0.3, 0.0, 1.5707963267948966})
        CHECK(difference(turned(0.3), turned(other_rad)) == "the waveform");
    CHECK(difference(turned(0.0), Case().identity()) == "the waveform");  // an axis y that rests is one
}

TEST_CASE("the store is beside the experiment file") {
    const Case test;
    CHECK(drive_store(test.experiment) == test.experiment.source.parent_path() / "case.learned_drive.json");
}
