// A foot in three independent ways: pivot by pivot, by impulses at its corners, and stepped plainly.
#include "tests/support/foot_contact.hpp"
#include "solver/run.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple::solver;
using namespace topple::tests;

namespace {

constexpr int kFaces[] = {1, 2, 3, 4, 5, 8, 9};  // 2, 3, 5 and 9 corners, 2, 3, 5 and 9 faces

/// `check` for so many cases of every number of faces as `runs` says, none less: `draw_case` may refuse a draw.
template <class Draw, class Check>
void for_each_case(const RandomRuns& runs, const Draw& draw_case, const Check& check) {
    for (const int faces : kFaces) {
        int compared = 0;
        for (int draws = 0; compared < runs.count() && draws < 20 * runs.count(); ++draws) {
            topple::test::FootDraw draw(runs.seed(1000 * faces + draws));
            const auto foot = draw_case(draw, faces);
            if (!foot) continue;
            ++compared;
            INFO(faces << " faces, draw " << draws);
            check(*foot);
        }
        INFO(faces << " faces");
        REQUIRE(compared == runs.count());
    }
}

/// Outcome, faces and times at 1e-5 s. Where a time is more than 1e-4 s off, a smaller step must bring it there: then
/// it was the step's error, for the law has none.
void check_contact(const FootCase& foot, double scheme) {
    const Prediction law = follow(foot.specimen, foot.motion());
    REQUIRE_FALSE(law.impacts.empty());
    SolverOptions options = foot_contact_options(scheme, kContactStep_s);
    options.outcome_only = true;
    CHECK(side_of(follow(foot.specimen, foot.motion(), options)) == side_of(law));
    const StepStudy study = study_step(foot, law, scheme);
    INFO("theta " << scheme << ": " << study.error_s << " s, " << study.last_s << " s after " << study.halvings
                  << " halvings");
    CHECK(study.agrees());
}

}  // namespace

TEST_CASE("a foot rolls by its law as by its equations stepped plainly: outcome, faces and times of the changes") {
    for_each_case(RandomRuns(20261201, 6), robust_case, [](const FootCase& foot) {
        const Prediction law = follow(foot.specimen, foot.motion());
        CHECK(side_of(law) == foot.expected.side);
        const std::size_t count = std::min({kFirstChanges, law.impacts.size(), foot.expected.changes.size()});
        REQUIRE(count > 0);
        REQUIRE(count == std::min(kFirstChanges, law.impacts.size()));
        for (std::size_t k = 0; k < count; ++k) {
            CHECK(law.impacts[k].face == foot.expected.changes[k].face);
            // The plain steps find the uplift to one of them only.
            CHECK(law.impacts[k].time_s == Approx(foot.expected.changes[k].time_s).margin(1e-4));
        }
    });
}

TEST_CASE("contact dynamics by the midpoint lets a foot roll from face to face as its law does") {
    for_each_case(RandomRuns(20261202, 4), robust_case, [](const FootCase& foot) { check_contact(foot, 0.5); });
}

TEST_CASE("contact dynamics with the step of its defaults lets a foot roll from face to face as its law does") {
    for_each_case(RandomRuns(20261205, 2), robust_case, [](const FootCase& foot) { check_contact(foot, 1.0); });
}

TEST_CASE("a foot with friction slides and rolls in contact dynamics as in slide_rock") {
    for_each_case(RandomRuns(20261203, 3), robust_slide, [](const FootCase& foot) {
        const Prediction law = follow(foot.specimen, foot.motion());
        const Prediction contact = follow(foot.specimen, foot.motion(), foot_contact_options(0.5, 1e-4));
        CHECK(side_of(contact) == side_of(law));
        if (contact.settled_time_s && law.settled_time_s)
            CHECK(contact.resting_face.value_or(99) == law.resting_face.value_or(99));
        CHECK(contact.slip->peak_m == Approx(law.slip->peak_m).margin(.003 + .03 * law.slip->peak_m));
    });
}
