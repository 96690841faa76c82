#include "controller/profile/ending.hpp"

#include <algorithm>
#include <cmath>

#include "controller/feasibility.hpp"
#include "tests/support/supervisor_bench.hpp"

using namespace topple;
using namespace topple::test;

namespace {
controller::Profile sine() { return place(solver::sine_acceleration(3.0, kTwoPi * 4.0), true); }
}  // namespace

TEST_CASE("every ending keeps the motion up to its switch, ends at rest and is feasible") {
    const auto machine = firmware_iface::quanser_st_iii();
    const auto profile = sine();
    for (const double switch_s : {0.03, 0.1, 0.125, 0.2, 0.24}) {
        const auto found = endings(profile, switch_s, machine);
        REQUIRE(found.size() >= 5);
        for (const Ending& ending : found) {
            const auto& motion = ending.profile.motion;
            for (double t = 0.0; t < switch_s; t += 0.01) {
                CHECK(motion.at(t).displacement_m == profile.motion.at(t).displacement_m);
                CHECK(motion.at(t).acceleration_m_s2 == profile.motion.at(t).acceleration_m_s2);
            }
            CHECK(motion.at(switch_s).velocity_m_s == Approx(profile.motion.at(switch_s).velocity_m_s).margin(1e-12));
            CHECK(std::abs(motion.at(motion.end_s()).velocity_m_s) < 1e-9);
            CHECK(check_feasibility(ending.profile, machine, 0.0).feasible());
        }
        const auto pushes = [&](double side) {
            return std::count_if(found.begin(), found.end(), [&](const Ending& e) { return side * e.push_m_s2 > 0.0; });
        };
        CHECK(pushes(1.0) > 0);
        CHECK(pushes(-1.0) > 0);
    }
    CHECK(endings(profile, 0.25, machine).empty());
    CHECK(endings(profile, 0.0, machine).empty());
}

TEST_CASE("endings that would leave the stroke or leave no room to stop are not offered") {
    auto machine = firmware_iface::quanser_st_iii();
    const auto profile = sine();
    const auto roomy = endings(profile, 0.125, machine).size();
    const auto reach = profile.motion.extremes();
    machine.stroke_m = 0.5 * (reach.displacement_max_m - reach.displacement_min_m) + 0.012;
    const auto tight = endings(profile, 0.125, machine);
    CHECK(tight.size() < roomy);
    for (const Ending& ending : tight) CHECK(check_feasibility(ending.profile, machine, 0.0).feasible());
}

TEST_CASE("a motion under way takes another end, what has been sent stays") {
    SupervisorBench bench;
    bench.start();
    bench.cycles(40);  // some 60 ms into the motion
    const double switch_s = 0.14;
    const auto found = endings(sine(), switch_s, bench.machine);
    REQUIRE(!found.empty());
    auto list = controller::setpoints(found.front().profile, kStart_us, kPeriod_us);
    const double end_m = list.back().axes[0].position_m;
    const auto* storage = list.data();
    REQUIRE(bench.supervisor.replan(list));
    CHECK(list.data() != storage);  // exchanged
    for (int i = 0; i < 500 && bench.supervisor.state() == SupervisorState::streaming; ++i) bench.cycle();
    CHECK(bench.supervisor.state() == SupervisorState::done);
    CHECK(bench.stop_frames == 0);
    CHECK(bench.table.feedback.axes[0].setpoint_position_m == end_m);
}

TEST_CASE("an end that comes too late, or does not fit what was sent, is refused and changes nothing") {
    SupervisorBench bench;
    auto early = controller::setpoints(endings(sine(), 0.06, bench.machine).front().profile, kStart_us, kPeriod_us);
    CHECK_FALSE(bench.supervisor.replan(early));  // not yet begun
    bench.start();
    bench.cycles(40);  // the device has setpoints up to 100 ms and more
    CHECK_FALSE(bench.supervisor.replan(early));
    auto broken = controller::setpoints(endings(sine(), 0.2, bench.machine).front().profile, kStart_us, kPeriod_us);
    broken.back().axes[0].position_m = std::nan("");
    CHECK_FALSE(bench.supervisor.replan(broken));
    broken.back().axes[0].position_m = 0.0;
    broken.back().final = false;
    CHECK_FALSE(bench.supervisor.replan(broken));
    bench.stop_requested = true;
    bench.cycle();
    auto late = controller::setpoints(endings(sine(), 0.2, bench.machine).front().profile, kStart_us, kPeriod_us);
    CHECK_FALSE(bench.supervisor.replan(late));  // a stop stays a stop
    CHECK(bench.supervisor.state() == SupervisorState::stopping);
}
