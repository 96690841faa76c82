#include "solver/study/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <vector>

#include "solver/predict.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr int kMembers = 20000;
const double kFiveSigma = 5 / std::sqrt(double{kMembers});  // of the mean of a standard normal

using Read = std::function<double(const MemberDraw&)>;

std::vector<double> draws(const Uncertainty& uncertainty, const Read& read, std::size_t feet = 2) {
    std::vector<double> values;
    for (std::uint64_t i = 0; i < kMembers; ++i) values.push_back(read(draw_member(uncertainty, 1, i, feet)));
    return values;
}

double mean(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return sum / static_cast<double>(values.size());
}

double mean_product(const std::vector<double>& a, const std::vector<double>& b) {
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
    return sum / static_cast<double>(a.size());
}

Uncertainty everything(DistributionKind kind, double spread) {
    const Distribution d{kind, spread};
    return {d, d, d, d, d, d, d, d};
}

const std::vector<Read> kFactors = {
    [](const MemberDraw& m) { return m.perturbation.restitution_factor; },
    [](const MemberDraw& m) { return m.perturbation.impulse_position_factor; },
    [](const MemberDraw& m) { return m.perturbation.width_factors.at(0); },
    [](const MemberDraw& m) { return m.perturbation.width_factors.at(1); },
    [](const MemberDraw& m) { return m.perturbation.height_factors.at(0); },
    [](const MemberDraw& m) { return m.perturbation.height_factors.at(1); },
    [](const MemberDraw& m) { return m.perturbation.friction_factor; },
    [](const MemberDraw& m) { return m.motion.amplitude; },
    [](const MemberDraw& m) { return m.motion.frequency; },
};
const Read kTilt = [](const MemberDraw& m) { return m.perturbation.tilt_rad; };

}  // namespace

TEST_CASE("Normal draws have the stated spread and no correlation with each other") {
    const Uncertainty uncertainty = everything(DistributionKind::normal, 0.01);
    std::vector<std::vector<double>> units;
    for (const Read& read : kFactors)
        units.push_back(draws(uncertainty, [&](const MemberDraw& m) { return (read(m) - 1.0) / 0.01; }));
    units.push_back(draws(uncertainty, [](const MemberDraw& m) { return kTilt(m) / 0.01; }));
    for (std::size_t i = 0; i < units.size(); ++i) {
        CHECK(std::abs(mean(units[i])) < kFiveSigma);
        CHECK(mean_product(units[i], units[i]) == Approx(1.0).margin(1.5 * kFiveSigma));
        for (std::size_t j = 0; j < i; ++j) CHECK(std::abs(mean_product(units[i], units[j])) < kFiveSigma);
    }
}

TEST_CASE("Uniform draws fill their interval evenly, lognormal ones are symmetric in their logarithm") {
    const Uncertainty uniform = everything(DistributionKind::uniform, 0.2);
    const Uncertainty lognormal = everything(DistributionKind::lognormal, 0.3);
    for (const Read& read : kFactors) {
        std::vector<double> flat = draws(uniform, read);
        std::sort(flat.begin(), flat.end());
        for (int k = 0; k <= 10; ++k) {
            const std::size_t at = std::min<std::size_t>(flat.size() - 1, flat.size() * static_cast<unsigned>(k) / 10);
            CHECK(flat[at] == Approx(0.8 + 0.04 * k).margin(0.008));
        }
        const auto logarithm = draws(lognormal, [&](const MemberDraw& m) { return std::log(read(m)) / 0.3; });
        CHECK(std::abs(mean(logarithm)) < kFiveSigma);
        CHECK(mean_product(logarithm, logarithm) == Approx(1.0).margin(1.5 * kFiveSigma));
    }
    const std::vector<double> tilts = draws(uniform, kTilt);
    CHECK(*std::max_element(tilts.begin(), tilts.end()) == Approx(0.2).margin(1e-3));
    CHECK(std::abs(mean(tilts)) < 0.2 * kFiveSigma);
}

TEST_CASE("What is fixed is exactly as described, and moves no other draw") {
    const MemberDraw fixed = draw_member(everything(DistributionKind::fixed, 0.5), 1, 3, 2);
    for (const Read& read : kFactors) CHECK(read(fixed) == 1.0);
    CHECK(kTilt(fixed) == 0.0);
    Uncertainty all = everything(DistributionKind::normal, 0.01), fewer = all;
    fewer.width = fewer.tilt_rad = fewer.amplitude = fewer.friction = {};
    const MemberDraw more = draw_member(all, 1, 3, 2), less = draw_member(fewer, 1, 3, 2);
    CHECK(less.perturbation.restitution_factor == more.perturbation.restitution_factor);
    CHECK(less.perturbation.height_factors == more.perturbation.height_factors);
    CHECK(less.perturbation.impulse_position_factor == more.perturbation.impulse_position_factor);
    CHECK(less.motion.frequency == more.motion.frequency);
}

TEST_CASE("Restitution, width and tilt of a member are those that the first release drew") {
    // Values of member 7 of seed 5 before other parameters could be uncertain.
    const Perturbation member = draw_member({}, 5, 7, 3).perturbation;
    CHECK(member.restitution_factor == Approx(0.98966499192663082).epsilon(1e-12));
    CHECK(member.tilt_rad == Approx(-0.0018790571298208404).epsilon(1e-12));
    CHECK(member.width_factors.at(0) == Approx(1.0023218356376025).epsilon(1e-12));
    CHECK(member.width_factors.at(1) == Approx(1.0021165504516496).epsilon(1e-12));
    CHECK(member.width_factors.at(2) == Approx(1.0067921711973837).epsilon(1e-12));
}

TEST_CASE("A member depends on seed and index only, and differs with each, more feet change no other draw") {
    const MemberDraw member = draw_member({}, 5, 7, 1);
    CHECK(draw_member({}, 5, 7, 1).perturbation.restitution_factor == member.perturbation.restitution_factor);
    CHECK(draw_member({}, 5, 8, 1).perturbation.restitution_factor != member.perturbation.restitution_factor);
    CHECK(draw_member({}, 6, 7, 1).perturbation.restitution_factor != member.perturbation.restitution_factor);
    CHECK(draw_member({}, 5, 7, 3).perturbation.width_factors.at(0) == member.perturbation.width_factors.at(0));
    CHECK(draw_member({}, 5, 7, 3).motion.amplitude == member.motion.amplitude);
}

TEST_CASE("Outcomes under scaled motions are those of the motions written out, in lanes and step by step") {
    Specimen block;
    block.blocks = {Block{0.06, 0.27, 2.5692}};
    block.initial_rotation_rad = {0.0};
    Specimen rough = block;  // slides, so that the lanes do not cover it
    rough.friction = Friction{0.5, 0.4};
    const BaseMotion motion = sine_acceleration(4.0, 24.0);
    std::vector<Specimen> specimens;
    std::vector<MotionScale> scales;
    for (int i = 0; i < 40; ++i) {
        specimens.push_back(i % 2 == 0 ? block : rough);
        scales.push_back({0.7 + 0.04 * i, 0.6 + 0.03 * ((i * 7) % 40)});
    }
    const std::vector<Prediction> together = predict_outcomes(specimens, motion, {}, scales);
    int overturned = 0;
    for (std::size_t i = 0; i < specimens.size(); ++i) {
        const BaseMotion own = sine_acceleration(4.0 * scales[i].amplitude, 24.0 * scales[i].frequency);
        const Prediction alone = follow(specimens[i], own);
        CHECK(together[i].outcome == alone.outcome);
        CHECK(together[i].direction == alone.direction);
        overturned += alone.outcome == Outcome::overturning;
        const Prediction scaled = follow_scaled(specimens[i], motion, scales[i]);
        CHECK(scaled.peak_rotation_rad.at(0) == Approx(alone.peak_rotation_rad.at(0)).epsilon(1e-6));
    }
    CHECK(overturned > 3);
    CHECK(overturned < 37);
    scales.pop_back();
    CHECK_THROWS_AS(predict_outcomes(specimens, motion, {}, scales), std::invalid_argument);
}

TEST_CASE("A faster motion has the same accelerations sooner") {
    const BaseMotion motion = harmonic_displacement(0.01, 20.0, 1.0, 4.0);
    const BaseMotion quick = motion.scaled(MotionScale{1.5, 2.0});
    CHECK(quick.end_s() == Approx(motion.end_s() / 2));
    for (const double t : {0.0, 0.05, 0.21, 0.44, 0.6}) {
        const BaseState slow = motion.at(2 * t), fast = quick.at(t);
        CHECK(fast.acceleration_m_s2 == Approx(1.5 * slow.acceleration_m_s2).margin(1e-12));
        CHECK(fast.velocity_m_s == Approx(1.5 / 2 * slow.velocity_m_s).margin(1e-12));
        CHECK(fast.displacement_m == Approx(1.5 / 4 * slow.displacement_m).margin(1e-12));
    }
    CHECK_THROWS_AS(motion.faster(0.0), std::invalid_argument);
}

TEST_CASE("Members are the same on every machine and in every version") {
    Uncertainty uncertainty;
    uncertainty.impulse_position = {DistributionKind::normal, 0.02};
    uncertainty.height = {DistributionKind::uniform, 0.01};
    uncertainty.friction = {DistributionKind::lognormal, 0.1};
    const MemberDraw member = draw_member(uncertainty, 1, 7, 2);
    const Perturbation& specimen = member.perturbation;
    const auto is = [](double value, double drawn) {  // up to the last digit of log, sin, cos, exp and erf
        CHECK(value == Approx(drawn).epsilon(4e-16));
    };
    is(specimen.restitution_factor, 0.98087815767911812);
    is(specimen.impulse_position_factor, 0.96548332354811928);
    is(specimen.width_factors.at(0), 1.001924875404044);
    is(specimen.width_factors.at(1), 0.99686789640512741);
    is(specimen.height_factors.at(0), 1.0097358787874127);
    is(specimen.height_factors.at(1), 0.99590773033467905);
    is(specimen.tilt_rad, 0.0019085847355734824);
    is(specimen.friction_factor, 0.97316236982420612);
    is(member.motion.amplitude, 0.99552640163215966);
}

TEST_CASE("A centre moves every kind of distribution by itself and nothing else") {
    for (const DistributionKind kind : {DistributionKind::normal, DistributionKind::uniform, DistributionKind::fixed}) {
        const Distribution about_zero{kind, 0.01}, moved{kind, 0.01, 0.03};
        for (const double draw : {-2.0, 0.0, 0.7}) {
            CHECK(moved.offset(draw) == Approx(about_zero.offset(draw) + 0.03));
            CHECK(moved.factor(draw) == Approx(about_zero.factor(draw) + 0.03));
        }
    }
    const Distribution lognormal{DistributionKind::lognormal, 0.1, 0.03};
    CHECK(lognormal.factor(0.0) == Approx(std::exp(0.03)));
    CHECK(lognormal.factor(2.0) == Approx(std::exp(0.23)));
}

TEST_CASE("Correlated draws have the stated correlation, and none goes beyond four deviations") {
    Uncertainty uncertainty;
    CorrelationFactor factor{};
    for (std::size_t i = 0; i < kSpecimenParameters; ++i) factor[i][i] = 1.0;
    const auto tilt = static_cast<std::size_t>(SpecimenParameter::tilt_rad);
    factor[tilt][0] = -0.6;
    factor[tilt][tilt] = 0.8;
    uncertainty.correlation = factor;
    const std::vector<double> restitution = draws(uncertainty, kFactors[0]), slope = draws(uncertainty, kTilt);
    const double correlation = (mean_product(restitution, slope) - mean(restitution) * mean(slope)) / (0.015 * 0.002);
    CHECK(std::abs(correlation + 0.6) < 2.0 * kFiveSigma);
    const StandardDraw far = correlated(uncertainty, {-4.0, 0, 0, 0, 4.0, 0});
    CHECK(far[tilt] == 4.0);
    CHECK(correlated(Uncertainty{}, {1, 2, 3, 4, 5, 6}) == StandardDraw{1, 2, 3, 4, 5, 6});
}
