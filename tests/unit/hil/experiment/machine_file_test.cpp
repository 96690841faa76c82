#include "firmware_iface/machine.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/run_topple.hpp"

using namespace topple;

namespace {

std::string message_of(const std::string& text) {
    const tests::TemporaryFolder folder;
    folder.write("machine.toml", text);
    try {
        hil::experiment::read_machine("machine.toml", folder.path());
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

std::string changed(const std::string& key, const std::string& value) {
    std::string text = hil::experiment::machine_toml(firmware_iface::quanser_st_iii());
    const std::size_t at = text.find("\n" + key + " = ") + 1;
    REQUIRE(at != 0);
    return text.replace(at, text.find('\n', at) - at, key + " = " + value);
}

}  // namespace

TEST_CASE("A machine written as a file is read back as the same machine") {
    firmware_iface::MachineDescription machine = firmware_iface::quanser_st_iii();
    machine.name = "a \"quoted\" name";
    machine.stroke_m = 0.1 + 0.2;  // needs all 17 digits
    machine.accelerometer_sign = -1;
    const tests::TemporaryFolder folder;
    folder.write("machine.toml", hil::experiment::machine_toml(machine));
    const hil::experiment::TableSection section = hil::experiment::read_machine("machine.toml", folder.path());
    CHECK(section.description.name == machine.name);
    CHECK(section.description.stroke_m == machine.stroke_m);
    CHECK(section.description.accelerometer_sign == -1);
    CHECK(firmware_iface::configuration_hash(section.description) == firmware_iface::configuration_hash(machine));
    CHECK(hil::experiment::machine_toml(section.description) == hil::experiment::machine_toml(machine));
}

TEST_CASE("Auxiliary channels are read in order, and travel through the metadata of a log") {
    const tests::TemporaryFolder folder;
    folder.write("machine.toml", hil::experiment::machine_toml(firmware_iface::quanser_st_iii()) +
                                     "[[aux]]\nname = \"load cell\"\nunit = \"N\"\nscale = 250.0\noffset = -3.5\n"
                                     "[[aux]]\nname = \"floor-1\"\nunit = \"m/s2\"\nscale = -0.1\n");
    const auto aux = hil::experiment::read_machine("machine.toml", folder.path()).aux;
    REQUIRE(aux.size() == 2);
    CHECK(aux[0].column() == "aux_load_cell_N");
    CHECK(aux[1].column() == "aux_floor_1_m_s2");
    CHECK(aux[0].physical(2.0) == 496.5);
    const auto again = hil::experiment::aux_of_metadata(hil::experiment::aux_metadata(aux));
    REQUIRE(again.size() == 2);
    CHECK(again[0].name == "load cell");
    CHECK(again[1].scale == -0.1);
    CHECK(again[1].offset == 0.0);
    CHECK(hil::experiment::aux_of_metadata({{"aux_0_name", "x"}}).empty());
}

TEST_CASE("Wrong auxiliary channels are refused with what is allowed") {
    const std::string machine = hil::experiment::machine_toml(firmware_iface::quanser_st_iii());
    const auto channel = [](const std::string& name, const std::string& rest) {
        return "[[aux]]\nname = \"" + name + "\"\nunit = \"N\"\n" + rest;
    };
    CHECK(message_of(machine + channel("a", "")).find("scale is missing") != std::string::npos);
    CHECK(message_of(machine + channel("a", "scale = 0\n")).find("must not be 0") != std::string::npos);
    CHECK(message_of(machine + channel("a", "scale = nan\n")).find("scale = nan") != std::string::npos);
    CHECK(message_of(machine + channel("a", "scale = 1\ngain = 2\n")).find("unknown key aux.gain") !=
          std::string::npos);
    CHECK(message_of(machine + channel("a b", "scale = 1\n") + channel("a_b", "scale = 1\n")).find("aux_a_b_N") !=
          std::string::npos);
    std::string nine = machine;
    for (int i = 0; i < 9; ++i) nine += channel("c" + std::to_string(i), "scale = 1\n");
    CHECK(message_of(nine).find("at most 8") != std::string::npos);
}

TEST_CASE("Force and servo may be left out, survive being written, and are read strictly") {
    const std::string full = hil::experiment::machine_toml(firmware_iface::quanser_st_iii());
    const tests::TemporaryFolder folder;
    const auto read = [&](const std::string& text) {
        folder.write("machine.toml", text);
        return hil::experiment::read_machine("machine.toml", folder.path()).description;
    };
    const std::size_t force_at = full.find("force_max_n");
    REQUIRE(force_at != std::string::npos);
    const auto without = read(full.substr(0, force_at));
    CHECK(without.force_max_n == 1000.0);
    CHECK(without.servo.screw_stiffness_n_m == firmware_iface::quanser_st_iii().servo.screw_stiffness_n_m);
    auto other = firmware_iface::quanser_st_iii();
    other.force_max_n = 333.25;
    other.servo.notch_hz = 61.5;
    const auto again = read(hil::experiment::machine_toml(other));
    CHECK(again.force_max_n == 333.25);
    CHECK(again.servo.notch_hz == 61.5);
    CHECK(message_of(full + "gain = 1\n").find("unknown key") != std::string::npos);
    CHECK(message_of(changed("motor_mass_ratio", "1.5")).find("motor_mass_ratio = 1.5") != std::string::npos);
    CHECK(message_of(changed("force_max_n", "0")).find("force_max_n = 0") != std::string::npos);
}

TEST_CASE("A calibration is read, described and written back with the channels, it is not part of the hash") {
    const tests::TemporaryFolder folder;
    const auto machine = firmware_iface::quanser_st_iii();
    const hil::experiment::Calibration calibration{"2026-03-01T14:02:11+01:00", "A. \"B\" \\ Author", "ST-17\t3",
                                                   "topple table identify"};
    const std::vector<hil::experiment::AuxChannel> aux{{"drive \"force\"", "N", 100.0, 0.25}};
    folder.write("machine.toml", hil::experiment::machine_file_toml(machine, aux, calibration));
    const auto section = hil::experiment::read_machine("machine.toml", folder.path());
    REQUIRE(section.calibration);
    CHECK(section.calibration->date == calibration.date);
    CHECK(section.calibration->author == calibration.author);
    CHECK(section.calibration->serial_number == calibration.serial_number);
    CHECK(section.calibration->method == calibration.method);
    REQUIRE(section.aux.size() == 1);
    CHECK(section.aux[0].name == aux[0].name);
    CHECK(section.aux[0].offset == 0.25);
    CHECK(firmware_iface::configuration_hash(section.description) == firmware_iface::configuration_hash(machine));
    CHECK(hil::experiment::machine_toml(section.description) == hil::experiment::machine_toml(machine));
    CHECK(describe(*section.calibration) ==
          "2026-03-01 by A. \"B\" \\ Author, serial number ST-17\\t3 (topple table identify)");
    folder.write("machine.toml", hil::experiment::machine_toml(machine) +
                                     "[calibration]\ndate = 2026-02-28\nauthor = \"A\"\nserial_number = \"1\"\n");
    CHECK(describe(*hil::experiment::read_machine("machine.toml", folder.path()).calibration) ==
          "2026-02-28 by A, serial number 1");
    folder.write("machine.toml", hil::experiment::machine_toml(machine));
    CHECK_FALSE(hil::experiment::read_machine("machine.toml", folder.path()).calibration);
}

TEST_CASE("A wrong calibration is refused with what is allowed") {
    const auto message = [](const std::string& rest) {
        return message_of(hil::experiment::machine_toml(firmware_iface::quanser_st_iii()) + "[calibration]\n" + rest);
    };
    const std::string rest = "author = \"A\"\nserial_number = \"1\"\n";
    for (const char* date :
         {"\"2026-02-29\"", "\"1.3.2026\"", "\"2026-3-1\"", "\"2026-03-01 noon\"", "2026", "\"\"",
          "\"2026-03-01T25:61\"", "\"2026-03-01T24:00\"", "\"2026-03-01T14:60\"", "\"2026-03-01T14:02:61\"",
          "\"2026-03-01T14\"", "\"2026-03-01T14:02:\"", "\"2026-03-01T14:02:11.\"", "\"2026-03-01T14:02+25:00\"",
          "\"2026-03-01T14:02+\"", "\"2026-03-01T-1:02\"", "\"2026-03-01T14:02Z1\"", "\"2026-03-01T::::::\""})
        CHECK(message("date = " + std::string(date) + "\n" + rest).find("must be a day of the calendar") !=
              std::string::npos);
    for (const char* good : {"\"2026-03-01\"", "\"2026-03-01T14:02\"", "\"2026-03-01 14:02:11.25Z\"",
                             "\"2026-03-01t23:59:60-11:30\"", "2026-03-01T14:02:11+01:00", "2026-03-01"})
        CHECK(message("date = " + std::string(good) + "\n").find("author is missing") != std::string::npos);
    const std::string date = "date = \"2026-03-01\"\n";
    CHECK(message(rest).find("date is missing") != std::string::npos);
    CHECK(message(date + "author = \"A\"\n").find("serial_number is missing") != std::string::npos);
    CHECK(message(date + "author = \"  \"\nserial_number = \"1\"\n").find("must not be blank") != std::string::npos);
    CHECK(message(date + rest + "by = \"me\"\n").find("unknown key calibration.by") != std::string::npos);
    CHECK(message(date + "author = \"" + std::string(201, 'a') + "\"\nserial_number = \"1\"\n").find("200 bytes") !=
          std::string::npos);
}

TEST_CASE("The built-in machine is known by name and written out as run") {
    const hil::experiment::TableSection section = hil::experiment::read_machine("quanser-st-iii", "");
    CHECK(section.description.stroke_m == Approx(0.108));
    CHECK(section.machine_text.find("stroke_m = 0.108") != std::string::npos);
}

TEST_CASE("A wrong machine file is refused with place, key and what is allowed") {
    CHECK(message_of(changed("stroke_m", "-0.1")).find("stroke_m = -0.1") != std::string::npos);
    CHECK(message_of(changed("stroke_m", "nan")).find("line 3, column 12") != std::string::npos);
    CHECK(message_of(changed("encoder_sign", "0")).find("1 or -1") != std::string::npos);
    CHECK(message_of(changed("stop_deceleration_m_s2", "31.5")).find("0.8 acceleration_max_m_s2") != std::string::npos);
    CHECK(message_of(changed("payload_max_kg", "5\npayload_min_kg = 1")).find("unknown key payload_min_kg") !=
          std::string::npos);
    CHECK(message_of("name = \"x\"\n").find("stroke_m is missing") != std::string::npos);
}

TEST_CASE("An unknown machine is refused with the built-in names") {
    try {
        hil::experiment::read_machine("no-such-machine", "/");
        FAIL("was accepted");
    } catch (const hil::files::InputError& error) {
        CHECK(std::string(error.what()).find("quanser-st-iii") != std::string::npos);
    }
}
