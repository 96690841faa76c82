// The reference firmware in QEMU, over TCP: a real device as far as a host can tell.
#include <signal.h>

#include <atomic>
#include <cmath>
#include <cstdlib>
#include <memory>
#include <thread>

#include "firmware_iface/transport/listener.hpp"
#include "hil/run_log/run_log_reader.hpp"
#include "tests/integration/run_cases.hpp"
#include "tests/support/background_topple.hpp"
#include "tests/support/bare_host.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/scripted_device.hpp"

using namespace topple;
using namespace topple::tests;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

constexpr const char* kDemo = TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml";

/// `topple emulate --firmware`; `topple` itself says what is missing.
std::unique_ptr<Emulator> firmware(const std::string& file = kDemo, std::vector<std::string> more = {}) {
    std::vector<std::string> words{"--firmware", "--listen", "0"};
    words.insert(words.end(), more.begin(), more.end());
    return std::make_unique<Emulator>(file, words);
}

std::int64_t worst_count_difference(const hil::run_log::RunData& one, const hil::run_log::RunData& other) {
    const auto counts = counts_by_time(one), others = counts_by_time(other);
    std::size_t compared = 0;
    std::int64_t worst = 0;
    for (const auto& [time_us, count] : counts) {
        const auto same = others.find(time_us);
        if (time_us < 0 || time_us > 5'000'000 || same == others.end()) continue;
        worst = std::max(worst, std::abs(count - same->second));
        ++compared;
    }
    REQUIRE(compared > 1500);
    return worst;
}

// Read from the log, which grows in chunks.
bool is_in_motion(const fs::path& run) {
    std::error_code error;
    if (fs::file_size(run / "run.mcap", error) < 20'000 || error) return false;
    try {
        return hil::run_log::read_run_log(run).event_time_us(hil::run_log::EventKind::motion_start).has_value();
    } catch (const std::exception&) {
        return false;
    }
}

std::string harmonic_case() {
    std::string text = rocking_case();
    const std::size_t from = text.find("type = \"sine\""), to = text.find("[simulation]");
    return text.replace(from, to - from,
                        "type = \"harmonic\"\ndisplacement_m = 0.01\nfrequency_hz = 2.0\nramp_cycles = 1\n"
                        "cycles = 20\n");
}

/// The demo on a table of this name and feedback rate.
std::string demo_on(const TemporaryFolder& folder, const std::string& name, int feedback_rate_hz) {
    folder.write("machine.toml", "name = \"" + name +
                                     "\"\nstroke_m = 0.108\nvelocity_max_m_s = 2.58\nacceleration_max_m_s2 = 31.5\n"
                                     "acceleration_clean_m_s2 = 25.0\nstop_deceleration_m_s2 = 15.0\n"
                                     "brake_deceleration_m_s2 = 8.0\nbuffer_travel_m = 0.03\n"
                                     "following_error_max_m = 0.01\nmoving_mass_kg = 30.0\npayload_max_kg = 100.0\n"
                                     "counts_per_m = 1000000.0\naccelerometer_scale = 1.0\n"
                                     "accelerometer_offset_max_m_s2 = 0.5\nsettling_time_s = 0.3\nfeedback_rate_hz = " +
                                     std::to_string(feedback_rate_hz) + ".0\n");
    std::string text = content_of(kDemo);
    const std::string usual = "machine = \"quanser-st-iii\"";
    return folder.write("case.toml", text.replace(text.find(usual), usual.size(), "machine = \"machine.toml\""));
}

}  // namespace

TEST_CASE("The same test on the simulated table and on the firmware: outcome, peak and platen agree") {
    const TemporaryFolder folder;
    REQUIRE(run_topple({"run", kDemo, "--out", folder.path() / "sim"}).exit_code == 0);
    const auto emulator = firmware();
    const auto result = run_topple({"run", kDemo, "--device", emulator->uri(), "--out", folder.path() / "firmware"});
    INFO(result.out << result.err);
    REQUIRE(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring("measured    rocking"));
    const auto sim = hil::run_log::read_run_log(folder.path() / "sim"),
               real = hil::run_log::read_run_log(folder.path() / "firmware");
    CHECK(peak_rotation_rad(real) == Approx(peak_rotation_rad(sim)).epsilon(0.02));
    CHECK(worst_count_difference(sim, real) <= 50);  // 0.05 mm
}

TEST_CASE("The firmware passes `topple check --move`") {
    const auto emulator = firmware();
    const auto result = run_topple({"check", "--device", emulator->uri(), "--move"});
    INFO(result.out << result.err);
    CHECK(result.exit_code == 0);
    CHECK_THAT(result.out, ContainsSubstring(" 0 failed"));
    CHECK_THAT(result.out, ContainsSubstring("pass    motion.stop_time"));
    emulator->program().signal(SIGINT);
    emulator->program().wait();
    const std::string told = emulator->program().err(), before = "the firmware's stack: ";
    INFO(told);
    REQUIRE_THAT(told, ContainsSubstring(before));
    const int used = std::atoi(told.c_str() + told.find(before) + before.size());
    WARN("stack used: " << used << " of 8192 bytes");
    CHECK(used > 1000);
    CHECK(used <= 5000);  // the budget of docs/firmware.md
}

TEST_CASE("At 2 kHz no feedback of the firmware is lost, and a long name is cut between its characters") {
    const TemporaryFolder folder;
    const std::string name = std::string(63, 'x') + "\xc3\xa9";
    const auto emulator = firmware(demo_on(folder, name, 2000));
    BareHost host(emulator->uri(), 91);
    REQUIRE(host.meet());
    CHECK(host.description->device == std::string(63, 'x'));
    REQUIRE(host.until([&] { return host.heard.size() > 3000; }));
    CHECK(host.heard[2000].device_time_us - host.heard[1000].device_time_us == 500'000);
    CHECK(host.decoder().counters().sequence_gaps == 0);
}

TEST_CASE("A stop ends within v/a and three periods of the firmware's time") {
    const auto emulator = firmware();
    BareHost host(emulator->uri(), 11);
    REQUIRE(host.meet());
    Swing swing(host);
    REQUIRE(host.reaches(DeviceState::ready));
    REQUIRE(swing.start());
    REQUIRE(host.until([&] { return host.feedback.state == DeviceState::running && swing.is_fast(); }));
    host.send(FrameType::command, CommandMessage{CommandKind::stop});
    host.each_turn = {};
    REQUIRE(host.reaches(DeviceState::faulted));
    CHECK(host.feedback.fault_code == static_cast<std::uint32_t>(FaultCode::operator_stop));
    std::uint64_t begun_us = 0, ended_us = 0;
    double speed_m_s = 0.0;
    for (const Feedback& f : host.heard) {
        if (f.state == DeviceState::running) {
            begun_us = f.device_time_us;
            speed_m_s = std::abs(f.axes[0].setpoint_velocity_m_s);
        }
        if (f.state == DeviceState::faulted && ended_us == 0) ended_us = f.device_time_us;
    }
    const double planned_us = 1e6 * speed_m_s / quanser_st_iii().stop_deceleration_m_s2;
    CHECK(static_cast<double>(ended_us - begun_us) <= planned_us + 3 * 2000.0);
}

TEST_CASE("Pulled out of its socket in motion, the firmware's table stops by itself and does not resume") {
    const auto emulator = firmware();
    {
        BareHost host(emulator->uri(), 21);
        REQUIRE(host.meet());
        Swing swing(host);
        REQUIRE(host.reaches(DeviceState::ready));
        REQUIRE(swing.start());
        REQUIRE(host.until([&] { return host.feedback.state == DeviceState::running && swing.is_fast(); }));
    }
    BareHost next(emulator->uri(), 22);
    REQUIRE(next.meet());
    REQUIRE(next.reaches(DeviceState::faulted));
    CHECK(next.feedback.fault_code == static_cast<std::uint32_t>(FaultCode::host_lost));
    CHECK(next.feedback.axes[0].setpoint_velocity_m_s == 0.0);
    CHECK(next.command({CommandKind::clear})->accepted);
    CHECK(next.reaches(DeviceState::ready));
}

TEST_CASE("A host that is killed in motion leaves the firmware's table stopped") {
    const TemporaryFolder folder;
    const auto emulator = firmware();
    const std::string file = folder.write("case.toml", harmonic_case());
    BackgroundTopple run({"run", file, "--device", emulator->uri(), "--out", folder.path() / "run"});
    REQUIRE(eventually([&] { return is_in_motion(folder.path() / "run"); }));
    REQUIRE(run.running());
    run.signal(SIGKILL);
    run.wait();
    BareHost next(emulator->uri(), 32);
    REQUIRE(next.meet());
    REQUIRE(next.until([&] { return !next.heard.empty() && next.feedback.state != DeviceState::stopping; }));
    CHECK(next.feedback.state == DeviceState::faulted);
    // Its setpoints last about as long as its silence is borne.
    const auto fault = static_cast<FaultCode>(next.feedback.fault_code);
    CHECK((fault == FaultCode::host_lost || fault == FaultCode::queue_underrun));
}

TEST_CASE("Rubbish and damaged frames are no data for the firmware, and the next frame counts") {
    const auto emulator = firmware();
    BareHost host(emulator->uri(), 41);
    REQUIRE(host.meet());
    REQUIRE(host.reaches(DeviceState::ready));
    auto arm = host.frame(FrameType::command, CommandMessage{CommandKind::arm, configuration_hash(quanser_st_iii())});
    arm[arm.size() / 2] ^= std::byte{4};
    std::array<std::byte, 600> rubbish;
    for (std::size_t i = 0; i < rubbish.size(); ++i) rubbish[i] = static_cast<std::byte>(1 + 37 * i % 255);
    host.write(arm);
    host.write(rubbish);
    const std::size_t before = host.heard.size();
    REQUIRE(host.until([&] { return host.heard.size() > before + 100; }));
    for (const Feedback& f : host.heard) REQUIRE(f.state == DeviceState::ready);
    CHECK(host.command({CommandKind::arm, configuration_hash(quanser_st_iii())})->accepted);
    CHECK(host.command({CommandKind::arm, 1})->refusal == RefusalCode::configuration_mismatch);
    CHECK(host.decoder().counters().bytes_damaged == 0);
}

TEST_CASE("The firmware tells a host of another protocol version which one it speaks") {
    const auto emulator = firmware();
    BareHost host(emulator->uri(), 51);
    REQUIRE(host.meet(kProtocolVersion + 1));
    CHECK(host.description->protocol_version == kProtocolVersion);
    CHECK(host.description->device == "quanser-st-iii");
    CHECK(host.description->simulated);
    CHECK(host.description->setpoint_capacity >= 64);
}

TEST_CASE("`topple run` refuses a table of another protocol version and says which one it speaks") {
    const auto listener = listen_tcp("0");
    std::atomic<bool> done = false;
    std::thread table([&] {
        std::unique_ptr<topple::test::ScriptedDevice> device;
        while (!done.load()) {
            if (!device) {
                if (auto stream = listener->accept())
                    device = std::make_unique<topple::test::ScriptedDevice>(std::move(stream));
                if (device) device->info.protocol_version = kProtocolVersion + 1;
            } else {
                device->serve();
            }
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    const TemporaryFolder folder;
    const auto result = run_topple({"run", kDemo, "--device", listener->uri(), "--out", folder.path() / "run"});
    done = true;
    table.join();
    INFO(result.out << result.err);
    CHECK(result.exit_code == 3);
    CHECK_THAT(result.err, ContainsSubstring("protocol"));
    CHECK_THAT(result.err, ContainsSubstring(std::to_string(kProtocolVersion + 1)));
}

TEST_CASE("Reset in motion, the firmware brakes the platen with its drive off and does not know where it is") {
    const auto emulator = firmware();
    BareHost host(emulator->uri(), 61);
    REQUIRE(host.meet());
    Swing swing(host);
    REQUIRE(host.reaches(DeviceState::ready));
    REQUIRE(swing.start());
    REQUIRE(host.until([&] { return host.feedback.device_time_us > 2'000'000 && swing.is_fast(); }));
    REQUIRE(host.feedback.state == DeviceState::running);
    const std::uint64_t before_us = host.feedback.device_time_us;
    emulator->program().signal(SIGUSR1);
    host.each_turn = {};
    REQUIRE(host.meet());
    host.heard.clear();
    REQUIRE(host.until([&] { return host.heard.size() > 50; }));
    CHECK(host.feedback.state == DeviceState::idle);
    CHECK(host.feedback.homed == false);
    CHECK(host.feedback.device_time_us < before_us);
    // Counted from the reset: at 0.05 to 0.063 m/s and 8 m/s2 it is braked within 0.25 mm, and friction helps.
    const auto way = host.feedback.axes[0].encoder_count;
    CHECK(way > 20);
    CHECK(way < 400);
    CHECK(std::abs(host.heard.front().axes[0].encoder_count - way) <= 3);
    CHECK(host.command({CommandKind::arm, configuration_hash(quanser_st_iii())})->refusal == RefusalCode::not_homed);
}

TEST_CASE("The firmware's emulator ends with `topple emulate`, however that ends") {
    auto emulator = firmware();
    BareHost host(emulator->uri(), 71);
    REQUIRE(host.meet());
    const std::string children = "/proc/" + std::to_string(emulator->program().process()) + "/task/" +
                                 std::to_string(emulator->program().process()) + "/children";
    const std::string child = content_of(children);
    REQUIRE(!child.empty());
    emulator->program().signal(SIGKILL);
    emulator->program().wait();
    const fs::path process = "/proc/" + std::to_string(std::atoi(child.c_str()));
    CHECK(eventually([&] {
        const std::string status = content_of(process / "stat");
        return status.empty() || status.find(") Z ") != std::string::npos;
    }));
}

TEST_CASE("What the emulated board cannot be is refused with the reason") {
    const TemporaryFolder folder;
    const std::string stack = TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml";
    std::string text = content_of(stack);
    const auto ideal = folder.write("ideal.toml", text + "table = \"ideal\"\n");
    auto refused = run_topple({"emulate", ideal, "--firmware", "--listen", "0"});
    CHECK(refused.exit_code == 2);
    CHECK_THAT(refused.err, ContainsSubstring("simulated stage"));
    const auto nowhere = run_topple({"emulate", kDemo, "--firmware", "--listen", "0"}, {"PATH=/nowhere"});
    CHECK(nowhere.exit_code == 3);
    CHECK_THAT(nowhere.err, ContainsSubstring("apt-get install qemu-system-arm"));
}

// ctest -L soak; or: FIRMWARE_SOAK_S=60 test_firmware_in_qemu '[soak]'
TEST_CASE("Setpoints and feedback at 500 Hz without a lost frame for ten minutes", "[.soak]") {
    const char* asked = std::getenv("FIRMWARE_SOAK_S");
    const int seconds = asked != nullptr ? std::atoi(asked) : 600;
    const auto emulator = firmware();
    BareHost host(emulator->uri(), 81);
    REQUIRE(host.meet());
    Swing swing(host);
    REQUIRE(host.reaches(DeviceState::ready));
    REQUIRE(swing.start());
    REQUIRE(host.reaches(DeviceState::running));
    const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(seconds);
    std::uint64_t first_us = 0, count = 0;
    while (std::chrono::steady_clock::now() < end) {
        host.heard.clear();
        REQUIRE(host.until([&] { return host.heard.size() >= 100; }));
        if (first_us == 0) first_us = host.heard.front().device_time_us;
        count += host.heard.size();
        REQUIRE(host.feedback.state == DeviceState::running);
    }
    const auto& seen = host.decoder().counters();
    WARN(count << " frames in " << 1e-6 * static_cast<double>(host.feedback.device_time_us - first_us)
               << " s of the device, lost " << seen.sequence_gaps << ", damaged bytes " << seen.bytes_damaged);
    CHECK(seen.sequence_gaps == 0);
    CHECK(seen.bytes_damaged == 0);
}
