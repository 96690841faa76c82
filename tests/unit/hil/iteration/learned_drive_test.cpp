#include "hil/iteration/learned_drive.hpp"

#include "hil/files/errors.hpp"
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

    DriveIdentity identity() const {
        return identity_of(experiment, controller::place(*experiment.excitation.table_motion, true), device);
    }
};

LearnedDrive learned() {
    LearnedDrive drive;
    drive.identity = {"a", "b", "c", "a dummy mass of 2.57 kg"};
    drive.correction = {1.0 / 3.0, {0.0, 1e-7 / 3.0, -2e-5, 0.0}};
    drive.passes.push_back(
        {1e-4 / 7.0, 0.03, 0.0, 0.0, 123.0, {true, 1.0 / 0.997, 2.1e-3, 3e-5, 0.01, "a \"remark\""}});
    drive.end = "passes_done";
    drive.text = "text";
    return drive;
}

}  // namespace

TEST_CASE("a learned drive reads back as the same bits") {
    const LearnedDrive drive = learned(), back = read_learned_drive(learned_drive_json(drive), "x.json");
    CHECK(back.correction.step_s == drive.correction.step_s);
    CHECK(back.correction.displacement_m == drive.correction.displacement_m);
    CHECK(back.passes.at(0).peak_error_m == drive.passes[0].peak_error_m);
    CHECK(back.passes.at(0).sensors.gain == drive.passes[0].sensors.gain);
    CHECK(back.passes.at(0).sensors.remark == drive.passes[0].sensors.remark);
    CHECK(back.identity.payload == drive.identity.payload);
    CHECK(difference(back.identity, drive.identity).empty());
    CHECK(back.learned_utc.empty());
}

TEST_CASE("a damaged or foreign file is no learned drive") {
    for (const std::string& text :
         {std::string("{"), std::string("{}"), std::string("[1]"), std::string("{\"schema\":\"topple.plan/1\"}"),
          learned_drive_json(learned()).substr(0, 300)})
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

TEST_CASE("the store is beside the experiment file") {
    const Case test;
    CHECK(drive_store(test.experiment) == test.experiment.source.parent_path() / "case.learned_drive.json");
}
