// Pulses, sweep, noise, lead-in and coast in [excitation].
#include <cmath>

#include "hil/files/errors.hpp"
#include "hil/plan/motion_plan.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/plan/prediction_text.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/read_excitation.hpp"

using namespace topple;
using tests::read_excitation;

namespace {

/// The message with which these lines are refused.
std::string refusal(const std::string& lines) {
    try {
        read_excitation(lines);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return {};
}

bool mentions(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

}  // namespace

TEST_CASE("Each pulse says its peaks and where it ends") {
    const auto experiment =
        read_excitation("type = \"cycloidal\"\nshape = \"A\"\nvelocity_m_s = 0.2\nfrequency_hz = 2\n");
    REQUIRE(experiment.excitation.remarks.size() == 1);
    CHECK(mentions(experiment.excitation.remarks[0], "1.257 m/s2, 0.2 m/s"));
    CHECK(mentions(experiment.excitation.remarks[0], "ends 0.05 m from where it began"));
}

TEST_CASE("A sweep and a noise that cannot be are refused where they are written") {
    const std::string sweep = "type = \"sweep\"\namplitude_m_s2 = 2\nstart_frequency_hz = 1\nend_frequency_hz = 10\n";
    CHECK(mentions(refusal(sweep + "duration_s = 2\n"), "excitation.duration_s = 2"));
    CHECK(mentions(refusal(sweep + "duration_s = 2\n"), "at least 2.2 s"));
    CHECK(mentions(refusal(sweep + "duration_s = 5\nspacing = \"octave\"\n"), "\"logarithmic\""));
    const std::string noise = "type = \"noise\"\nrms_m_s2 = 1\nlow_hz = 5\n";
    CHECK(mentions(refusal(noise + "high_hz = 2\nduration_s = 5\n"), "excitation.high_hz = 2"));
    CHECK(mentions(refusal(noise + "high_hz = 5.05\nduration_s = 0.3\n"), "1/duration"));
}

TEST_CASE("A shape without cycles and a gamma of one are refused") {
    const std::string pulse = "type = \"cycloidal\"\nvelocity_m_s = 0.2\nfrequency_hz = 2\n";
    CHECK(mentions(refusal(pulse), "shape is missing"));
    CHECK(mentions(refusal(pulse + "shape = \"A\"\ncycles = 2\n"), "only with shape = \"C\""));
    CHECK(mentions(refusal("type = \"mavroeidis_papageorgiou\"\nvelocity_m_s = 0.2\nfrequency_hz = 2\ngamma = 1\n"),
                   "gamma"));
}

TEST_CASE("A lead-in changes what is predicted and driven, and says so") {
    const std::string cosine = "type = \"cosine\"\namplitude_m_s2 = 3\nfrequency_hz = 4\n";
    const auto plain = read_excitation(cosine), led = read_excitation(cosine + "lead_in_jerk_m_s3 = 300\n");
    CHECK(plain.excitation.planned_motion().at(0.0).acceleration_m_s2 == Approx(3.0));
    CHECK(led.excitation.planned_motion().at(0.0).acceleration_m_s2 == 0.0);
    CHECK(led.excitation.lead_in_s == Approx(0.04));
    CHECK(led.excitation.planned_motion().end_s() == Approx(0.25 + 0.08));
    CHECK(mentions(led.excitation.remarks.back(), "up to 1 m/s2 against its step"));
    CHECK(mentions(refusal("type = \"constant\"\namplitude_m_s2 = 3\nduration_s = 0.1\nlead_in_jerk_m_s3 = 300\n"),
                   "deceleration_m_s2 is required"));
}

TEST_CASE("A table's pulse is predicted with and without its braking, and an air track is named where they differ") {
    const auto read = [](double amplitude_m_s2, double duration_s, const std::string& stop) {
        return read_excitation("type = \"constant\"\namplitude_m_s2 = " + std::to_string(amplitude_m_s2) +
                               "\nduration_s = " + std::to_string(duration_s) + "\n" + stop);
    };
    const auto predict = [](const hil::experiment::Experiment& experiment) {
        return hil::plan::predict_experiment(experiment, {});
    };
    const auto pure = read(3.0, 0.3, "");
    CHECK_FALSE(predict(pure).specimens[0].unbraked);
    const auto coasting = read(3.0, 0.3, "coast_s = 5\ndeceleration_m_s2 = 1\n");
    const auto coasted = predict(coasting);
    REQUIRE(coasted.specimens[0].unbraked);
    CHECK(coasted.specimens[0].unbraked->outcome == solver::Outcome::overturning);
    CHECK(coasted.specimens[0].unbraked->is_same);
    // The block still leans back when the pulse ends and would come to rest; the braking throws it forward.
    const auto braked = read(2.5, 0.15, "deceleration_m_s2 = 5\n");
    const auto stopped = predict(braked);
    REQUIRE(stopped.specimens[0].unbraked);
    CHECK(stopped.specimens[0].prediction.outcome == solver::Outcome::overturning);
    CHECK(stopped.specimens[0].prediction.direction == solver::Side::right);
    CHECK(stopped.specimens[0].unbraked->outcome == solver::Outcome::rocking);
    CHECK_FALSE(stopped.specimens[0].unbraked->is_same);
    CHECK(mentions(hil::plan::prediction_text(braked, stopped), "the instrument for this pulse is an air track"));
}

TEST_CASE("A pulse that does not fit is told which of its keys to change, and then fits") {
    const std::string shape = "type = \"cycloidal\"\nshape = \"A\"\nfrequency_hz = 1\n";
    const auto plan = hil::plan::plan_motion(read_excitation(shape + "velocity_m_s = 1\n"));
    REQUIRE_FALSE(plan.feasibility.feasible());
    CHECK(mentions(plan.feasibility.text(), "lower velocity_m_s to"));
    const double ratio = 0.99 * plan.headroom.amplitude_ratio;
    CHECK(hil::plan::plan_motion(read_excitation(shape + "velocity_m_s = " + std::to_string(ratio) + "\n"))
              .feasibility.feasible());
}
