#include "hil/drive/predictor.hpp"

#include "tests/support/blocks.hpp"
#include "tests/support/catch.hpp"

using namespace topple;

namespace {

controller::MotionEstimate estimate_at(std::uint64_t device_time_us) {
    controller::MotionEstimate estimate;
    estimate.device_time_us = device_time_us;
    return estimate;
}

constexpr std::uint64_t kStart_us = 1'000'000, kPeriod_us = 2000;

}  // namespace

TEST_CASE("a predictor that is behind follows all measurements first and then forecasts once") {
    hil::drive::Predictor predictor({test::b6l()}, {}, 9.81);
    predictor.set_motion_start(kStart_us);
    for (std::uint64_t i = 1; i <= 995; ++i) REQUIRE(predictor.push(estimate_at(kStart_us + i * kPeriod_us)));
    predictor.work_off();
    const hil::drive::PredictorSnapshot latest = predictor.latest();
    CHECK(latest.device_time_us == kStart_us + 995 * kPeriod_us);
    // First when nine were still waiting. One that forecast all along, at every tenth, would have done so last at 991.
    CHECK(latest.forecast_time_us == kStart_us + 986 * kPeriod_us);
    CHECK(predictor.dropped() == 0);
}

TEST_CASE("a predictor that keeps up forecasts from the first measurement on and says how old its word is") {
    hil::drive::Predictor predictor({test::b6l()}, {}, 9.81);
    predictor.set_motion_start(kStart_us);
    for (std::uint64_t i = 1; i <= 25; ++i) {
        predictor.push(estimate_at(kStart_us + i * kPeriod_us));
        predictor.work_off();
        const hil::drive::PredictorSnapshot latest = predictor.latest();
        CHECK(latest.device_time_us == kStart_us + i * kPeriod_us);
        CHECK(latest.forecast_time_us == kStart_us + (i < 11 ? 1 : i < 21 ? 11 : 21) * kPeriod_us);
    }
}

TEST_CASE("measurements that a full queue does not take are counted") {
    hil::drive::Predictor predictor({test::b6l()}, {}, 9.81);
    predictor.set_motion_start(kStart_us);
    std::uint64_t taken = 0;
    for (std::uint64_t i = 1; i <= 5000; ++i) taken += predictor.push(estimate_at(kStart_us + i * kPeriod_us));
    CHECK(taken + predictor.dropped() == 5000);
    CHECK(predictor.dropped() > 0);
    predictor.work_off();
    CHECK(predictor.latest().device_time_us == kStart_us + taken * kPeriod_us);
}
