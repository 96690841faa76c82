// Surprise judged by members that do not count alike.
#include <cmath>
#include <random>
#include <vector>

#include "hil/compare/agreement.hpp"
#include "hil/compare/predicted_numbers.hpp"
#include "hil/compare/surprise.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/random_runs.hpp"

using namespace topple;
using namespace topple::hil::compare;
using solver::Outcome;
using Kind = Quantity::Kind;

namespace {

const std::vector<Quantity> kQuantities{{Kind::peak, 0}, {Kind::restitution, 0}};

Reading reading_of(double width, double loss) {
    Reading reading;
    reading.outcome = width > 1.3 ? Outcome::overturning : Outcome::rocking;
    reading.side = solver::Side::right;
    reading.value = {0.1 + 0.01 * width, 0.93 + 0.01 * loss};
    return reading;
}

/// Importance sampling: members drawn about `shift`, with the weights that make them draws about 0. Weights of all
/// together count as many as they are worth.
EnsembleOfReadings importance_sample(std::mt19937_64& generator, double shift, int count) {
    std::normal_distribution<double> normal{0.0, 1.0};
    std::vector<Reading> members;
    double sum = 0.0, squares = 0.0;
    for (int i = 0; i < count; ++i) {
        const double width = normal(generator) + shift, loss = normal(generator);
        members.push_back(reading_of(width, loss));
        members.back().weight = std::exp(-width * shift);
        sum += members.back().weight;
        squares += members.back().weight * members.back().weight;
    }
    for (Reading& member : members) member.weight *= sum / squares;
    return {kQuantities, members};
}

double share_inconsistent(const tests::RandomRuns& runs, double shift) {
    std::mt19937_64 generator(runs.seed());
    std::normal_distribution<double> normal{0.0, 1.0};
    int inconsistent = 0;
    for (int i = 0; i < runs.count(); ++i) {
        const EnsembleOfReadings ensemble = importance_sample(generator, shift, 300);
        inconsistent += ensemble.as_surprising(reading_of(normal(generator), normal(generator))) <= kInconsistentBelow;
    }
    return inconsistent / static_cast<double>(runs.count());
}

}  // namespace

TEST_CASE(
    "By members drawn from another distribution and weighted back a true model is called inconsistent as stated") {
    const tests::RandomRuns runs(2027, 300);
    const double share = share_inconsistent(runs, 0.7);
    INFO(share << " of " << runs.count());
    CHECK(share > 0.015);
    CHECK(share < 0.09);
}

TEST_CASE("Shares of outcomes and sides follow the weights, and so does what is rare") {
    std::vector<Reading> members(40, reading_of(0.0, 0.0));
    members[0] = reading_of(2.0, 0.0);
    const EnsembleOfReadings equal(kQuantities, members);
    CHECK(equal.share(Outcome::overturning) == 1.0 / 40.0);
    CHECK(equal.of(members[0]).outcome == 1.0 / 40.0);
    for (std::size_t i = 1; i < members.size(); ++i) members[i].weight = 0.5;
    members[0].weight = 20.0;
    const EnsembleOfReadings weighted(kQuantities, members);
    CHECK(weighted.share(Outcome::overturning) == Approx(20.0 / 39.5).epsilon(1e-14));
    CHECK(weighted.of(reading_of(0.0, 0.0)).outcome == Approx(19.5 / 39.5).epsilon(1e-14));
    CHECK_FALSE(weighted.sample(Outcome::overturning, 0));  // worth one member, however heavy it is
}

TEST_CASE("A sample of weights 1 is the sample without weights, and a number's spread follows the weights") {
    std::vector<double> values;
    for (int i = 0; i < 50; ++i) values.push_back(std::sin(1.7 * i));
    const PredictiveSample plain(values), ones(values, std::vector<double>(50, 1.0));
    CHECK(ones.effective_count() == 50.0);
    for (const double value : {-0.9, 0.0, 0.4}) CHECK(ones.below(value, 0.0) == Approx(plain.below(value, 0.0)));
    CHECK(ones.below(values[3], 1.0) == Approx(plain.below(values[3], 1.0)));
    CHECK(ones.quantile(0.3) == Approx(plain.quantile(0.3)));
    std::vector<HistoryNumbers> numbers;
    for (int i = 0; i < 100; ++i) numbers.push_back({Outcome::rocking, {static_cast<double>(i)}, i < 50 ? 0.1 : 1.0});
    CHECK(spread_of(numbers, Outcome::rocking).at(0).median.value() == Approx(72.0).margin(1.0));
}
