#include "hil/sim_table/emulate.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <future>
#include <numbers>
#include <stdexcept>
#include <thread>

#include "firmware_iface/fault.hpp"
#include "firmware_iface/table_link.hpp"
#include "hil/drive/drive_experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/host_bench.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::firmware_iface;

namespace {

hil::experiment::Experiment experiment() {
    hil::experiment::Experiment e;
    e.specimens = {test::b6l()};
    e.table.description = quanser_st_iii();
    e.simulation.truth.exact = true;
    return e;
}

/// `topple emulate` in a thread of its own.
class Emulator {
  public:
    explicit Emulator(hil::sim_table::EmulateOptions options) {
        std::promise<std::string> ready;
        auto uri = ready.get_future();
        options.on_ready = [&ready](const std::string& text) { ready.set_value(text); };
        options.say = [this](const std::string&) { ++lines_; };
        thread_ = std::thread([this, options] { hil::sim_table::emulate(experiment(), options, stop_); });
        uri_ = uri.get();
    }
    ~Emulator() {
        stop_ = true;
        thread_.join();
    }
    const std::string& uri() const { return uri_; }
    int lines() const { return lines_; }

  private:
    std::atomic<bool> stop_{false};
    std::atomic<int> lines_{0};
    std::string uri_;
    std::thread thread_;
};

std::vector<Setpoint> demonstration(std::uint64_t start_us, double from_m) {
    return test::HostBench().sine(start_us, 3.0, 4.0, from_m);
}

using Samples = std::vector<Feedback>;
void collect(void* samples, const Feedback& f) { static_cast<Samples*>(samples)->push_back(f); }

/// Connects, clears, arms and queues the whole demonstration ahead; the samples of `seconds` after its start.
Samples one_run(const std::string& uri, std::uint32_t session, double seconds) {
    MonotonicClock clock;
    TableLink link(open_stream(uri), clock, session);
    link.connect(std::chrono::seconds(10));
    Feedback now = link.wait_feedback(std::chrono::seconds(5));
    if (now.fault_code != 0) link.clear_fault(std::chrono::seconds(5));
    if (!link.arm(configuration_hash(quanser_st_iii()), std::chrono::seconds(5)).accepted) return {};
    now = link.wait_feedback(std::chrono::seconds(5));
    const std::uint64_t start = now.device_time_us - now.device_time_us % 2000 + 200000;
    const auto motion = demonstration(start, now.axes[0].setpoint_position_m);
    for (std::size_t i = 0; i < motion.size(); i += 16)
        link.send_setpoints(std::span(motion).subspan(i, std::min<std::size_t>(16, motion.size() - i)));
    if (!link.start(start, false, false, std::chrono::seconds(5)).accepted) return {};
    Samples samples;
    const std::uint64_t end = start + static_cast<std::uint64_t>(1e6 * seconds);
    while ((samples.empty() || samples.back().device_time_us < end) && link.status() == StreamStatus::open) {
        link.flush();
        link.poll(collect, &samples);
        clock.sleep_for(std::chrono::milliseconds(1));
    }
    std::erase_if(samples, [&](const Feedback& f) { return f.device_time_us < start || f.device_time_us > end; });
    for (Feedback& f : samples) f.device_time_us -= start;
    return samples;
}

/// A busy machine may be too late for the watchdog of a real-time table: then the run is repeated.
Samples undisturbed_run(const std::string& uri, std::uint32_t& session, double seconds) {
    for (int attempt = 0; attempt < 10; ++attempt) {
        try {
            Samples samples = one_run(uri, ++session, seconds);
            if (!samples.empty() && samples.back().fault_code == 0) return samples;
        } catch (const DeviceError&) {  // still stopping after the run before
            MonotonicClock().sleep_for(std::chrono::milliseconds(100));
        }
    }
    return {};
}

Samples simulated_run(double seconds) {
    test::HostBench host({test::b6l()});
    host.link->connect();
    host.link->arm(configuration_hash(quanser_st_iii()));
    const std::uint64_t start = host.soon_us();
    host.drive(host.sine(start, 3.0, 4.0, 0.0), seconds);
    std::erase_if(host.feedback, [&](const Feedback& f) { return f.device_time_us < start; });
    for (Feedback& f : host.feedback) f.device_time_us -= start;
    return host.feedback;
}

hil::experiment::Experiment sine_example() {
    return hil::experiment::read_experiment(std::filesystem::path(TOPPLE_SOURCE_DIR) / "docs/examples/b6l_sine.toml");
}

}  // namespace

TEST_CASE("Over a pseudo-terminal and over TCP the platen and the block move as in lockstep") {
    const Samples reference = simulated_run(1.0);
    for (bool pty : {true, false}) {
        hil::sim_table::EmulateOptions options;
        options.pty = pty;
        options.listen = "127.0.0.1:0";
        Emulator emulator(options);
        CHECK(emulator.uri().starts_with(pty ? "serial:/dev/pts/" : "tcp:127.0.0.1:"));
        std::uint32_t session = 0;
        const Samples samples = undisturbed_run(emulator.uri(), session, 1.0);
        REQUIRE(samples.size() > 400);
        const std::int64_t origin = samples.front().axes[0].encoder_count;
        for (const Feedback& f : samples) {
            const auto same_time = std::find_if(reference.begin(), reference.end(), [&](const Feedback& r) {
                return r.device_time_us == f.device_time_us;
            });
            REQUIRE(same_time != reference.end());
            CHECK(std::abs(static_cast<double>(f.axes[0].encoder_count - origin - same_time->axes[0].encoder_count)) <=
                  2.0);
            CHECK(f.rotation_rad[0] == Approx(same_time->rotation_rad[0]).margin(2.5e-3));  // two noises of 0.2 mrad
        }
    }
}

TEST_CASE("A host that vanishes mid-run leaves a stopped table, the next one finds the specimen put back") {
    Emulator emulator({});
    std::uint32_t session = 100;
    Samples cut;
    for (int attempt = 0; attempt < 10 && cut.empty(); ++attempt) cut = one_run(emulator.uri(), ++session, 0.1);
    REQUIRE_FALSE(cut.empty());
    MonotonicClock clock;
    std::unique_ptr<TableLink> link;
    for (int attempt = 0; attempt < 100 && !link; ++attempt) {  // busy until the motion of the lost host has stopped
        link = std::make_unique<TableLink>(open_stream(emulator.uri()), clock, 200 + attempt);
        try {
            link->connect(std::chrono::seconds(10));
        } catch (const DeviceError&) {
            link.reset();
            clock.sleep_for(std::chrono::milliseconds(20));
        }
    }
    REQUIRE(link);
    TableLink& next = *link;
    const Feedback f = next.wait_feedback(std::chrono::seconds(5));
    CHECK(f.fault_code == static_cast<std::uint32_t>(FaultCode::host_lost));
    CHECK(f.state == DeviceState::faulted);
    CHECK(std::abs(f.rotation_rad[0]) < 1.5e-3);
    CHECK(emulator.lines() >= 2);
    CHECK(next.clear_fault(std::chrono::seconds(5)).accepted);
}

TEST_CASE("A progress line that fails does not take the test with it") {
    Emulator emulator({});
    const tests::TemporaryFolder folder;
    hil::experiment::Experiment test = experiment();
    const double angular_frequency_rad_s = 8.0 * std::numbers::pi;
    test.excitation.type = "sine";
    test.excitation.motion = solver::sine_acceleration(3.0, angular_frequency_rad_s);
    test.excitation.table_motion = test.excitation.motion;
    test.excitation.amplitude_m_s2 = 3.0;
    test.excitation.angular_frequency_rad_s = angular_frequency_rad_s;
    const std::atomic<bool> stop{false};
    int calls = 0;
    const auto result = hil::drive::drive_experiment(test, {folder.file("run"), emulator.uri(), true}, stop,
                                                     [&](const hil::drive::DriveStatus&) {
                                                         ++calls;
                                                         throw std::runtime_error("the terminal has gone");
                                                     });
    CHECK(calls == 1);
    CHECK(result.log_failure.empty());
    CHECK(std::filesystem::exists(folder.file("run") / "run.mcap"));
}

TEST_CASE("A real table is not driven where nobody can consent, and no folder is left") {
    hil::sim_table::EmulateOptions options;
    options.reports_simulated = false;
    Emulator emulator(options);
    const tests::TemporaryFolder folder;
    const std::atomic<bool> stop{false};
    const hil::experiment::Experiment file = sine_example();
    hil::drive::DriveOptions drive{folder.file("run"), emulator.uri()};
    CHECK_THROWS_AS(hil::drive::drive_experiment(file, drive, stop, {}), hil::files::InputError);
    drive.consent = [](const firmware_iface::DeviceInfo&, const std::string& where) {
        return hil::drive::OperatorConsent{
            .require_somebody = [where] { throw hil::files::InputError(where + ": nobody is here"); }, .ask = {}};
    };
    CHECK_THROWS_WITH(hil::drive::drive_experiment(file, drive, stop, {}),
                      Catch::Matchers::ContainsSubstring("nobody is here"));
    CHECK_FALSE(std::filesystem::exists(folder.file("run")));
}

TEST_CASE("A test on a table whose clock is wrong by a factor is refused before anything moves, and leaves no folder") {
    for (const auto& [skew_ppm, words] : {std::pair(1e6, "fast"), std::pair(-5e5, "slow")}) {
        hil::sim_table::EmulateOptions options;
        options.pty = false;
        options.listen = "0";
        options.clock_skew_ppm = skew_ppm;
        Emulator emulator(options);
        const tests::TemporaryFolder folder;
        const std::atomic<bool> stop{false};
        const hil::experiment::Experiment file = sine_example();
        std::string refusal;
        try {
            hil::drive::drive_experiment(file, {folder.file("run"), emulator.uri(), true}, stop,
                                         [](const hil::drive::DriveStatus&) {});
        } catch (const DeviceError& error) {
            refusal = error.what();
        }
        CHECK_THAT(refusal,
                   Catch::Matchers::ContainsSubstring(words) && Catch::Matchers::ContainsSubstring("allowed: 5 %"));
        CHECK_FALSE(std::filesystem::exists(folder.file("run")));
    }
}

TEST_CASE("A TCP client that never says hello does not keep hosts out, and one that has said it may be quiet") {
    hil::sim_table::EmulateOptions options;
    options.pty = false;
    options.listen = "0";
    options.hello_within = std::chrono::milliseconds(200);
    Emulator emulator(options);
    const auto silent = open_stream(emulator.uri());
    MonotonicClock clock;
    std::unique_ptr<TableLink> link;
    for (int attempt = 0; attempt < 100 && !link; ++attempt) {
        link = std::make_unique<TableLink>(open_stream(emulator.uri()), clock, 300 + attempt);
        try {
            link->connect(std::chrono::seconds(10));
        } catch (const DeviceError&) {
            link.reset();
            clock.sleep_for(std::chrono::milliseconds(20));
        }
    }
    REQUIRE(link);
    std::array<std::byte, 16> bytes{};
    silent->read_some(bytes);
    CHECK(silent->status() == StreamStatus::closed);
    const std::uint64_t from_us = link->wait_feedback(std::chrono::seconds(5)).device_time_us;
    while (link->wait_feedback(std::chrono::seconds(5)).device_time_us < from_us + 500'000) {  // throws if let go
    }
    CHECK(link->status() == StreamStatus::open);
}

TEST_CASE("Over TCP a second host hears who has the table, and a silent first one is disconnected for it") {
    hil::sim_table::EmulateOptions options;
    options.pty = false;
    options.listen = "0";
    Emulator emulator(options);
    MonotonicClock clock;
    TableLink first(open_stream(emulator.uri()), clock, 400, "topple run");
    first.connect(std::chrono::seconds(10));
    TableLink second(open_stream(emulator.uri()), clock, 401);
    try {
        second.connect(std::chrono::seconds(10));
        FAIL("a second host has been let in");
    } catch (const DeviceError& error) {
        CHECK_THAT(error.what(), Catch::Matchers::ContainsSubstring("busy: run since "));
    }
    std::unique_ptr<TableLink> third;  // the first one says nothing from now on, and keeps its connection
    const auto until = clock.now() + std::chrono::seconds(40);
    while (!third && clock.now() < until) {
        third = std::make_unique<TableLink>(open_stream(emulator.uri()), clock, 402);
        try {
            third->connect(std::chrono::seconds(10));
        } catch (const DeviceError&) {
            third.reset();
            clock.sleep_for(std::chrono::milliseconds(200));
        }
    }
    REQUIRE(third);
    CHECK(third->wait_feedback(std::chrono::seconds(5)).state == DeviceState::ready);
}

TEST_CASE("An address that other computers reach is refused unless it is meant") {
    std::atomic<bool> stop{true};
    hil::sim_table::EmulateOptions options;
    options.pty = false;
    options.listen = "0.0.0.0:0";
    CHECK_THROWS_AS(hil::sim_table::emulate(experiment(), options, stop), hil::files::InputError);
    options.listen = "127.example.net:0";  // a name that only begins like the address
    CHECK_THROWS_AS(hil::sim_table::emulate(experiment(), options, stop), hil::files::InputError);
    options.listen = "0.0.0.0:0";
    options.allow_remote = true;
    options.on_ready = [](const std::string&) {};
    CHECK_NOTHROW(hil::sim_table::emulate(experiment(), options, stop));
}
