// A block on a flexible base: the beam alone against closed forms, and what its stiffness does to rocking.
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <vector>

#include "solver/contact_dynamics/beam.hpp"
#include "solver/predict.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = std::numbers::pi, kDegree_rad = kPi / 180.0, kG = kStandardGravity_m_s2;
constexpr double kReferenceModulus_pa = 3.006e12;  // sags by span/2500 under the block

BeamBase paper_beam(double modulus_pa, int elements = 6) {
    BeamBase beam;
    beam.length_m = .3;
    beam.width_m = .04;
    beam.thickness_m = .00171;
    beam.density_kg_m3 = 2795.0;
    beam.modulus_pa = modulus_pa;
    beam.elements = elements;
    beam.damping_ratio_1 = .05;
    beam.damping_ratio_3 = .2;
    return beam;
}

std::vector<double> peaks_deg(std::optional<BeamBase> beam, double time_step_s) {
    Specimen specimen;
    specimen.blocks = {{.045, .2025, 1.0896}};
    specimen.initial_rotation_rad = {-11.268 * kDegree_rad};
    specimen.friction = Friction{.364, .364};
    specimen.beam = beam;
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    RockingRun run(specimen, options);
    run.coast(1.8);
    std::vector<double> peaks;
    for (const TurningPoint& turn : run.result().turning_points) peaks.push_back(turn.rotation_rad / kDegree_rad);
    return peaks;
}

}  // namespace

TEST_CASE("beam: sag and frequencies are those of the simply supported beam") {
    const double e = 70e9, i = .04 * std::pow(.00171, 3) / 12.0, w = 2795.0 * .04 * .00171 * kG, l = .3;
    contact::Beam beam(paper_beam(e), 10.0, kG, 1e-5, 1.0);
    for (const int mode : {1, 2, 3}) {
        const double exact = std::pow(mode * kPi / l, 2) * std::sqrt(e * i / (2795.0 * .04 * .00171));
        CHECK(beam.frequency_rad_s(mode) == Approx(exact).epsilon(mode == 1 ? 1e-4 : 1e-2));
    }
    beam.settle_under({0.0, 0.0}, {10.0, 0.0});
    const double own_m = 5.0 * w * std::pow(l, 4) / (384.0 * e * i), load_m = 10.0 * std::pow(l, 3) / (48.0 * e * i);
    CHECK(beam.midspan_m() == Approx(-(own_m + load_m)).epsilon(1e-9));
    const double sag_m = beam.midspan_m();
    for (int step = 0; step < 100; ++step) {  // the load is taken away: it swings up and comes to rest under itself
        beam.seek(1e-5);
        beam.begin({0.0, kG * 1e-5});
        beam.end({}, {});
    }
    CHECK(beam.midspan_m() > sag_m);
    for (int step = 0; step < 100000; ++step) {
        beam.begin({0.0, kG * 1e-5});
        beam.end({}, {});
    }
    CHECK(beam.midspan_m() == Approx(-own_m).epsilon(1e-4));
}

TEST_CASE("beam: the modulus may be given by the sag under the specimen") {
    BeamBase described = paper_beam(1.0);
    described.modulus_pa.reset();
    described.static_deflection_ratio = 1.0 / 2500.0;
    const contact::Beam beam(described, 1.0896 * kG, kG, 1e-5, 1.0);
    CHECK(beam.modulus_pa() == Approx(3.0e12).epsilon(.01));
}

TEST_CASE("beam: a very stiff one is a rigid base") {
    const auto rigid = peaks_deg({}, 1e-5), stiff = peaks_deg(paper_beam(1e24), 1e-5),
               less = peaks_deg(paper_beam(1e4 * kReferenceModulus_pa), 1e-5);
    REQUIRE(rigid.size() >= 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(stiff.at(i) == Approx(rigid[i]).margin(1e-3));
        CHECK(less.at(i) == Approx(rigid[i]).margin(.04));
    }
}

TEST_CASE("beam: at a hundred times the paper's limit of stiffness four peaks depend little on mesh and time step") {
    const double modulus_pa = 1e2 * kReferenceModulus_pa;
    const auto reference = peaks_deg(paper_beam(modulus_pa), 1e-5);
    REQUIRE(reference.size() >= 4);
    for (const auto& other : {peaks_deg(paper_beam(modulus_pa, 4), 1e-5), peaks_deg(paper_beam(modulus_pa, 12), 1e-5),
                              peaks_deg(paper_beam(modulus_pa), 5e-6), peaks_deg(paper_beam(modulus_pa), 2e-5)})
        for (std::size_t i = 0; i < 4; ++i) CHECK(other.at(i) == Approx(reference[i]).margin(.05));
}

TEST_CASE("beam: at the paper's limit only the first peak converges, and the prediction does not claim more") {
    const auto fine = peaks_deg(paper_beam(kReferenceModulus_pa), 5e-6),
               coarse = peaks_deg(paper_beam(kReferenceModulus_pa), 2e-5);
    CHECK(fine.at(0) == Approx(coarse.at(0)).margin(.05));
    Specimen specimen;
    specimen.blocks = {{.045, .2025, 1.0896}};
    specimen.initial_rotation_rad = {-11.268 * kDegree_rad};
    specimen.friction = Friction{.364, .364};
    specimen.beam = paper_beam(kReferenceModulus_pa);
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = 1e-5;
    options.settle_limit_s = 2.0;
    const Prediction p = predict_confirmed(specimen, BaseMotion{}, options);
    REQUIRE(p.contact);
    CHECK(p.contact->half_step->turning_points < 3);
    CHECK_FALSE(p.contact->half_step->is_confirmed);
}

TEST_CASE("beam: a block that stands on it stays, its weight carried") {
    Specimen specimen;
    specimen.blocks = {{.045, .2025, 1.0896}};
    specimen.friction = Friction{.364, .364};
    specimen.beam = paper_beam(kReferenceModulus_pa);
    SolverOptions options;
    options.model = Model::contact_dynamics;
    RockingRun run(specimen, options);
    run.coast(.2);
    CHECK(run.base_reaction(0.0).vertical_n == Approx(-1.0896 * kG).epsilon(1e-3));
    CHECK(std::abs(run.rotation_rad(0)) < 1e-6);
    CHECK(run.at_rest());
}

TEST_CASE("beam: what makes no sense or belongs to another model is refused") {
    Specimen specimen;
    specimen.blocks = {{.045, .2025, 1.0896}};
    specimen.beam = paper_beam(1e12);
    CHECK_THROWS_AS(RockingRun(specimen, SolverOptions{}), std::invalid_argument);  // the rocking model
    SolverOptions options;
    options.model = Model::contact_dynamics;
    CHECK_NOTHROW(RockingRun(specimen, options));
    const auto refused = [&](void (*spoil)(BeamBase&)) {
        Specimen bad = specimen;
        spoil(*bad.beam);
        CHECK_THROWS_AS(RockingRun(bad, options), std::invalid_argument);
    };
    refused([](BeamBase& beam) { beam.length_m = .04; });  // narrower than the block
    refused([](BeamBase& beam) { beam.modulus_pa = -1.0; });
    refused([](BeamBase& beam) { beam.static_deflection_ratio = .001; });  // and modulus_pa
    refused([](BeamBase& beam) { beam.elements = 1; });
    refused([](BeamBase& beam) { beam.damping_ratio_1 = -.1; });
}
