// A foot in three independent ways: pivot by pivot, by impulses at its corners, and stepped plainly.
#include <algorithm>
#include <cmath>
#include <vector>

#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/foot_cases.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using topple::tests::FootCase;

namespace {

constexpr int kFaces[] = {1, 2, 3, 4, 5, 8, 9};  // 2, 3, 5 and 9 corners, 2, 3, 5 and 9 faces

SolverOptions contact_options(double time_step_s) {
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = time_step_s;
    options.contact.theta = options.contact.activation = 0.5;
    options.settle_limit_s = 30.0;
    return options;
}

int side_of(const Prediction& prediction) {
    if (prediction.outcome != Outcome::overturning) return 0;
    return prediction.direction == Side::left ? -1 : 1;
}

/// What happens until `until_s`.
Prediction until(const FootCase& foot, const SolverOptions& options, double until_s) {
    RockingRun run(foot.specimen, options);
    const BaseMotion motion = foot.motion();
    for (const MotionPiece& piece : motion.pieces()) run.advance(piece, std::min(piece.end_s, until_s));
    run.coast(until_s);
    return run.result();
}

}  // namespace

TEST_CASE("a foot rolls by its law as by its equations stepped plainly: outcome, faces and times of the changes") {
    const topple::tests::RandomRuns runs(20261201, 6);
    for (const int faces : kFaces)
        for (int i = 0; i < runs.count();) {
            topple::test::FootDraw draw(runs.seed(1000 * faces + i));
            const auto foot = topple::tests::robust_case(draw, faces);
            ++i;
            if (!foot) continue;
            INFO(faces << " faces, case " << i);
            const Prediction law = follow(foot->specimen, foot->motion());
            CHECK(side_of(law) == foot->expected.side);
            const std::size_t count = std::min<std::size_t>({5, law.impacts.size(), foot->expected.changes.size()});
            REQUIRE(count > 0);
            for (std::size_t k = 0; k < count; ++k) {
                CHECK(law.impacts[k].face == foot->expected.changes[k].face);
                // The plain steps find the uplift to one of them only.
                CHECK(law.impacts[k].time_s == Approx(foot->expected.changes[k].time_s).margin(1e-4));
            }
        }
}

TEST_CASE("contact dynamics lets a foot roll from face to face as its law does") {
    const topple::tests::RandomRuns runs(20261202, 3);
    std::vector<double> error_s;
    for (const int faces : kFaces)
        for (int i = 0; i < runs.count(); ++i) {
            topple::test::FootDraw draw(runs.seed(1000 * faces + i));
            const auto foot = topple::tests::robust_case(draw, faces);
            if (!foot) continue;
            INFO(faces << " faces, case " << i);
            const Prediction law = follow(foot->specimen, foot->motion());
            CHECK(side_of(follow(foot->specimen, foot->motion(), contact_options(1e-4))) == side_of(law));
            const std::size_t count = std::min<std::size_t>(5, law.impacts.size());
            const Prediction contact = until(*foot, contact_options(1e-5), law.impacts[count - 1].time_s + .02);
            REQUIRE(contact.impacts.size() >= count);
            for (std::size_t k = 0; k < count; ++k) {
                CHECK(contact.impacts[k].face.value_or(99) == law.impacts[k].face.value_or(99));
                error_s.push_back(std::abs(contact.impacts[k].time_s - law.impacts[k].time_s));
            }
        }
    REQUIRE(error_s.size() > 10);
    std::sort(error_s.begin(), error_s.end());
    INFO("largest " << error_s.back() << " s");
    CHECK(error_s[error_s.size() * 8 / 10] < 1e-4);
    CHECK(error_s.back() < 5e-3);
}

TEST_CASE("a foot with friction slides and rolls in contact dynamics as in slide_rock") {
    const topple::tests::RandomRuns runs(20261203, 4);
    std::size_t compared = 0;
    for (const int faces : kFaces)
        for (int i = 0; i < runs.count(); ++i) {
            topple::test::FootDraw draw(runs.seed(1000 * faces + i));
            const auto foot = topple::tests::robust_slide(draw, faces);
            if (!foot) continue;
            INFO(faces << " faces, case " << i);
            const Prediction law = follow(foot->specimen, foot->motion());
            const Prediction contact = follow(foot->specimen, foot->motion(), contact_options(1e-4));
            ++compared;
            CHECK(side_of(contact) == side_of(law));
            if (contact.settled_time_s && law.settled_time_s)
                CHECK(contact.resting_face.value_or(99) == law.resting_face.value_or(99));
            CHECK(contact.slip->peak_m == Approx(law.slip->peak_m).margin(.003 + .03 * law.slip->peak_m));
        }
    CHECK(compared > 8);
}
