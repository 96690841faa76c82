#include "solver/identify/impulse_position.hpp"

#include <cmath>
#include <stdexcept>

#include "solver/specimen.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

TEST_CASE("the improved ratio is Housner's at k = 1 and keeps all at k = 0, as the solver's") {
    const Block block{0.06, 0.135, 1.0};
    const double alpha = block.slenderness_rad(), sine = std::sin(alpha);
    CHECK(improved_ratio(alpha, 1.0) == Approx(1.0 - 1.5 * sine * sine).margin(1e-15));
    CHECK(improved_ratio(alpha, 0.0) == 1.0);
    Specimen specimen;
    specimen.blocks = {block};
    specimen.restitution.model = RestitutionModel::improved;
    specimen.restitution.impulse_position_k = 0.8608;
    CHECK(restitution_ratios(specimen)[0] == Approx(improved_ratio(alpha, 0.8608)).margin(1e-14));
}

TEST_CASE("the impulse position is the inverse of the improved ratio times the material factor") {
    const double alpha = Block{0.06, 0.27, 1.0}.slenderness_rad();
    for (const double k : {0.1, 0.7306, 1.0, 1.2}) {
        const Estimate found = impulse_position(alpha, {0.989 * improved_ratio(alpha, k), 0.0}, {0.989, 0.0});
        CHECK(found.value == Approx(k).margin(1e-13));
        CHECK(found.standard_error == 0.0);
    }
}

TEST_CASE("a ratio above that of a rigid body has no impulse position") {
    const Estimate found = impulse_position(0.2, {0.995, 0.001}, {0.99, 0.0});
    CHECK(std::isnan(found.value));
    CHECK(std::isnan(found.standard_error));
}

TEST_CASE("errors of ratio and material carry over to the impulse position") {
    const double alpha = 0.2187, step = 1e-6;
    const Estimate found = impulse_position(alpha, {0.941, 0.002}, {0.989, 0.003});
    const double by_ratio = (impulse_position(alpha, {0.941 + step, 0}, {0.989, 0}).value - found.value) / step;
    const double by_material = (impulse_position(alpha, {0.941, 0}, {0.989 + step, 0}).value - found.value) / step;
    CHECK(found.standard_error == Approx(std::hypot(0.002 * by_ratio, 0.003 * by_material)).epsilon(1e-4));
}

TEST_CASE("edge contact: k of the strips' inner edge, and the material factor from it") {
    CHECK(edge_contact_k(0.03, 0.0015) == Approx(0.9));
    CHECK(edge_contact_k(0.045, 0.0015) == Approx(0.93333333));
    CHECK(edge_contact_k(0.06, 0.0015) == Approx(0.95));
    CHECK_THROWS_AS(edge_contact_k(0.06, 0.03), std::invalid_argument);
    CHECK_THROWS_AS(edge_contact_k(0.06, -0.001), std::invalid_argument);
    CHECK_THROWS_AS(edge_contact_k(0.06, std::nan("")), std::invalid_argument);
    const double alpha = Block{0.06, 0.27, 1.0}.slenderness_rad();
    const Estimate material = material_factor(alpha, {0.989 * improved_ratio(alpha, 0.95), 0.002}, 0.95);
    CHECK(material.value == Approx(0.989));
    CHECK(material.standard_error == Approx(0.002 / improved_ratio(alpha, 0.95)));
    CHECK_THROWS_AS(material_factor(1.2, {0.1, 0.0}, 1.0), std::invalid_argument);
}
