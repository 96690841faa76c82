// Where runs of one test part, by numbers that are made up.
#include "hil/compare/repeatability.hpp"

#include "tests/support/catch.hpp"

using namespace topple;
using namespace topple::hil::compare;

namespace {

RepeatedRun run(const std::string& name, std::vector<double> impact_s, double peak_rad = 0.1, int first_from = -1) {
    RepeatedSpecimen one;
    one.outcome = solver::Outcome::rocking;
    one.side = first_from < 0 ? solver::Side::left : solver::Side::right;
    one.source = MeasurementSource::sensor;
    one.peak_rad = {peak_rad};
    one.impact_s = std::move(impact_s);
    for (std::size_t i = 0; i < one.impact_s.size(); ++i)
        one.impact_from.push_back(i % 2 == 0 ? first_from : -first_from);
    return {name, {one}};
}

SpecimenRepeatability of(std::vector<RepeatedRun> runs) { return repeatability(std::move(runs)).specimens.at(0); }

}  // namespace

TEST_CASE("peaks and impact times have mean, standard deviation and extremes") {
    const SpecimenRepeatability r = of({run("a", {0.2, 0.5}, 0.10), run("b", {0.202, 0.502}, 0.12)});
    CHECK(r.peak.at(0).mean == Approx(0.11));
    CHECK(r.peak.at(0).standard_deviation == Approx(0.02 / std::sqrt(2.0)));
    CHECK(r.impact.at(1).mean == Approx(0.501));
    CHECK(r.impact.at(1).low == 0.5);
    CHECK(r.outcomes.at("rocking") == 2);
    CHECK_FALSE(r.parts_at.has_value());
    CHECK(r.why.find("alike to the last of 2") != std::string::npos);
}

TEST_CASE("runs part at the impact whose times spread by more than five times the scatter of before") {
    const SpecimenRepeatability r = of({run("a", {0.200, 0.500, 0.80, 1.1}), run("b", {0.201, 0.504, 0.83, 1.2}),
                                        run("c", {0.199, 0.498, 0.78, 1.0})});
    CHECK(r.early_s == Approx(0.002));  // a reading: more than the first impact's 1 ms
    CHECK(r.parts_at == std::optional<std::size_t>(2));
    CHECK(r.why.find("more than 5 times the 2.0 ms") != std::string::npos);
}

TEST_CASE("a wide first impact makes later ones harder to part") {
    const SpecimenRepeatability r = of({run("a", {0.20, 0.50}), run("b", {0.23, 0.56}), run("c", {0.17, 0.44})});
    CHECK(r.early_s == Approx(0.03));
    CHECK_FALSE(r.parts_at.has_value());
}

TEST_CASE("runs part where one comes from the other side or stops before the others") {
    CHECK(of({run("a", {0.2, 0.5}), run("b", {0.2, 0.5}, 0.1, 1)}).parts_at == std::optional<std::size_t>(0));
    const SpecimenRepeatability r = of({run("a", {0.2, 0.5, 0.8}), run("b", {0.2, 0.5})});
    CHECK(r.parts_at == std::optional<std::size_t>(2));
    CHECK(r.why == "only 1 of 2 runs have it");
}

TEST_CASE("falls to different sides are different outcomes") {
    std::vector<RepeatedRun> runs{run("a", {}), run("b", {})};
    for (RepeatedRun& r : runs) r.specimens[0].outcome = solver::Outcome::overturning;
    runs[1].specimens[0].side = solver::Side::right;
    const SpecimenRepeatability r = of(runs);
    CHECK(r.outcomes.size() == 2);
    CHECK(r.outcomes.count("overturning to the left") == 1);
    CHECK(r.why.find("the outcomes differ") != std::string::npos);
}
