#include <cmath>
#include <random>

#include "hil/compare/agreement.hpp"
#include "hil/compare/surprise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using namespace topple::hil::compare;
using Kind = Quantity::Kind;

namespace {

const std::vector<Quantity> kQuantities{
    {Kind::peak, 0}, {Kind::impact_time, 0}, {Kind::impact_time, 1}, {Kind::restitution, 0}};

/// Readings of specimens that differ in width and restitution: the quantities hang together, as real ones do.
class Draws {
  public:
    explicit Draws(std::uint64_t seed) : generator_(seed) {}

    Reading reading(double restitution_shift = 0.0) {
        const double width = normal(), loss = normal() + restitution_shift;
        Reading reading;
        reading.outcome = uniform_(generator_) < 0.1 ? solver::Outcome::overturning : solver::Outcome::rocking;
        reading.side = solver::Side::right;
        reading.value = {0.1 + 0.01 * width, 0.5 + 0.02 * width + 0.002 * normal(), 0.9 + 0.03 * width - 0.01 * loss,
                         0.93 + 0.01 * loss};
        return reading;
    }
    EnsembleOfReadings ensemble() {
        std::vector<Reading> members;
        for (int i = 0; i < 200; ++i) members.push_back(reading());
        return {kQuantities, members};
    }

  private:
    double normal() { return normal_(generator_); }

    std::mt19937_64 generator_;
    std::normal_distribution<double> normal_{0.0, 1.0};
    std::uniform_real_distribution<double> uniform_{0.0, 1.0};
};

double share_inconsistent(int tests, std::uint64_t seed, double restitution_shift) {
    Draws draws(seed);
    int inconsistent = 0;
    for (int i = 0; i < tests; ++i) {
        const EnsembleOfReadings ensemble = draws.ensemble();
        inconsistent += ensemble.as_surprising(draws.reading(restitution_shift)) <= kInconsistentBelow;
    }
    return inconsistent / static_cast<double>(tests);
}

}  // namespace

TEST_CASE("A true model is called inconsistent as often as stated, neither more nor less") {
    const tests::RandomRuns runs(2026, 600);
    const double deviation = std::sqrt(0.05 * 0.95 / runs.count());  // of the share: 0.009
    const double share = share_inconsistent(runs.count(), runs.seed(), 0.0);
    INFO(share << " of " << runs.count());
    CHECK(share > 0.05 - 3 * deviation);
    CHECK(share < 0.05 + 3 * deviation);
}

TEST_CASE("A restitution five standard deviations off is called inconsistent nearly always") {
    const tests::RandomRuns runs(7, 100);
    const double share = share_inconsistent(runs.count(), runs.seed(), 5.0);
    CHECK(share > 0.8);  // those that overturn have no restitution to be judged by
}

TEST_CASE("An outcome that no member has cannot be explained by chance") {
    const tests::RandomRuns runs(1);
    Draws draws(runs.seed());
    const EnsembleOfReadings ensemble = draws.ensemble();
    Reading reading = draws.reading();
    reading.outcome = solver::Outcome::translation;
    reading.side.reset();
    reading.value.assign(kQuantities.size(), std::nullopt);
    CHECK(ensemble.of(reading).outcome == 0.0);
    CHECK(ensemble.as_surprising(reading) <= 1.0 / 200.0);
}
