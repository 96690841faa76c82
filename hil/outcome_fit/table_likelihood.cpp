#include "hil/outcome_fit/table_likelihood.hpp"

#include <algorithm>
#include <boost/math/distributions/normal.hpp>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>
#include <stdexcept>

#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::outcome_fit {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using solver::Outcome;

constexpr std::size_t kRowsTogether = 32;  // times the draws of a test: enough for the solver's lanes

std::uint64_t mixed(std::uint64_t seed, std::uint64_t row, std::uint64_t test) {
    solver::SplitMix64 random(seed);
    solver::SplitMix64 of_row(random.next() ^ (row * 0xD1342543DE82EF95ull));
    return of_row.next() ^ (test * 0x9E3779B97F4A7C15ull);
}

std::vector<double> column_of(const MatrixXd& matrix, Index row) {
    std::vector<double> values(static_cast<std::size_t>(matrix.cols()));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = matrix(row, static_cast<Index>(i));
    return values;
}

double count_of(const OutcomeCounts& counts, Outcome outcome) { return counts[solver::outcome_code(outcome)]; }

}  // namespace

double share_as_seen(const OutcomeCounts& counts, std::size_t draws, const scores::Observation& seen,
                     LearnFrom learn_from) noexcept {
    const double fell = count_of(counts, Outcome::overturning) + count_of(counts, Outcome::partial_overturning) +
                        count_of(counts, Outcome::total_overturning);
    const double all = std::accumulate(counts.begin(), counts.end(), 0.0);
    double as_seen = seen.overturned ? fell : all - fell;
    if (seen.outcome && learn_from == LearnFrom::classes) {
        as_seen = count_of(counts, *seen.outcome);
        if (seen.slip_unseen && seen.outcome == Outcome::translation) as_seen += count_of(counts, Outcome::sliding);
    }
    const double failed = static_cast<double>(draws) - all;
    return (as_seen + 0.5 * failed) / static_cast<double>(draws);
}

double likelihood_of(double share, const scores::Observation& seen, bool is_stack,
                     const LikelihoodSettings& settings) noexcept {
    double guessed = 0.5;
    if (seen.outcome && settings.learn_from == LearnFrom::classes) {
        const double classes = seen.overturned ? (is_stack ? 2.0 : 1.0) : (seen.slip_unseen ? 2.0 : 3.0);
        guessed /= classes;
    }
    return (1.0 - settings.lapse) * share + settings.lapse * guessed;
}

MatrixXd latin_normals(std::size_t draws, std::size_t columns, std::uint64_t seed) {
    constexpr double kCut = 4.0;  // as of every draw of an ensemble
    static const boost::math::normal kStandard;
    solver::SplitMix64 random(seed);
    MatrixXd normals(static_cast<Index>(draws), static_cast<Index>(columns));
    std::vector<std::size_t> stratum(draws);
    for (Index column = 0; column < normals.cols(); ++column) {
        std::iota(stratum.begin(), stratum.end(), std::size_t{0});
        for (std::size_t i = draws; i > 1; --i) std::swap(stratum[i - 1], stratum[random.next() % i]);
        for (std::size_t i = 0; i < draws; ++i) {
            const double share = (static_cast<double>(stratum[i]) + random.uniform()) / static_cast<double>(draws);
            normals(static_cast<Index>(i), column) =
                std::clamp(boost::math::quantile(kStandard, std::clamp(share, 1e-15, 1.0 - 1e-15)), -kCut, kCut);
        }
    }
    return normals;
}

/// What one thread does at a time: some rows of one test.
struct TableLikelihood::Lot {
    std::size_t test = 0, first = 0, end = 0;  ///< rows of the call
};

TableLikelihood::TableLikelihood(const SpecimenTests& tests, const FitParameters& parameters,
                                 const LikelihoodSettings& settings)
    : tests_(tests),
      parameters_(parameters),
      settings_(settings),
      draws_per_test_(parameters.per_test().empty() ? 1 : settings.draws_per_test) {}

TableLikelihood::Lot TableLikelihood::lot_of(std::size_t index, std::size_t rows) const {
    const std::size_t test = index % tests_.tests.size(), first = index / tests_.tests.size() * kRowsTogether;
    return {test, first, std::min(first + kRowsTogether, rows)};
}

void TableLikelihood::solve(const MatrixXd& draws, std::size_t first_row, const Lot& lot) {
    const FitExperiment& experiment = *tests_.tests[lot.test].experiment;
    std::vector<solver::Specimen> specimens;
    std::vector<solver::MotionScale> scales;
    std::vector<std::size_t> row_of;
    for (std::size_t row = lot.first; row < lot.end; ++row) {
        const std::vector<double> common = column_of(draws, static_cast<Index>(row));
        const MatrixXd own = latin_normals(draws_per_test_, parameters_.per_test().size(),
                                           mixed(settings_.seed, first_row + row, lot.test));
        for (Index i = 0; i < own.rows(); ++i) {
            const auto member = parameters_.member(parameters_.values(common, column_of(own, i)));
            try {
                const bool is_again =
                    i > 0 && !parameters_.varies_specimen_per_test() && !row_of.empty() && row_of.back() == row;
                specimens.push_back(is_again ? specimens.back()
                                             : solver::perturbed(experiment.specimen, member.perturbation));
            } catch (const std::invalid_argument&) {  // counts as failed
                continue;
            }
            scales.push_back(member.motion);
            row_of.push_back(row);
        }
    }
    for (std::size_t row = lot.first; row < lot.end; ++row)
        if (std::find(row_of.begin(), row_of.end(), row) == row_of.end())
            counts_[(first_row + row) * tests_.tests.size() + lot.test][0] = kNoSpecimen;
    if (specimens.empty()) return;
    const auto predictions = solver::predict_outcomes(specimens, experiment.motion, experiment.options, scales);
    for (std::size_t i = 0; i < predictions.size(); ++i)
        if (predictions[i].outcome)
            ++counts_[(first_row + row_of[i]) * tests_.tests.size() + lot.test]
                     [solver::outcome_code(predictions[i].outcome)];
}

/// Every rank has solved some lots; then all know all. Ranks run on processors of one kind (docs/cluster.md).
void TableLikelihood::tell_all(const std::vector<char>& is_mine, std::size_t first_row, std::size_t rows) {
    std::string mine;
    const auto for_counts = [&](std::size_t index, const auto& what) {
        const Lot lot = lot_of(index, rows);
        for (std::size_t row = lot.first; row < lot.end; ++row)
            what(counts_[(first_row + row) * tests_.tests.size() + lot.test]);
    };
    for (std::size_t index = 0; index < is_mine.size(); ++index) {
        if (!is_mine[index]) continue;
        const std::uint64_t number = index;
        mine.append(reinterpret_cast<const char*>(&number), sizeof number);
        for_counts(index, [&](const OutcomeCounts& counts) {
            mine.append(reinterpret_cast<const char*>(counts.data()), counts.size());
        });
    }
    for (const std::string& text : settings_.shares->from_all(mine))
        for (std::size_t at = 0; at < text.size();) {
            std::uint64_t number = 0;
            std::memcpy(&number, text.data() + at, sizeof number);
            at += sizeof number;
            for_counts(number, [&](OutcomeCounts& counts) {
                std::memcpy(counts.data(), text.data() + at, counts.size());
                at += counts.size();
            });
        }
}

MatrixXd TableLikelihood::log_likelihood(const MatrixXd& draws) {
    const std::size_t rows = static_cast<std::size_t>(draws.rows()), tests = tests_.tests.size(),
                      first_row = this->rows();
    counts_.resize(counts_.size() + rows * tests);
    const std::size_t lots = (rows + kRowsTogether - 1) / kRowsTogether * tests;
    std::vector<char> is_mine(lots, 0);
    cluster::Sharing how;
    how.threads = settings_.threads;
    settings_.shares->share_out(lots, how, [&](std::size_t index) {
        solve(draws, first_row, lot_of(index, rows));
        is_mine[index] = 1;
    });
    if (settings_.shares->count() > 1) tell_all(is_mine, first_row, rows);
    MatrixXd result(draws.rows(), static_cast<Index>(tests));
    for (std::size_t row = 0; row < rows; ++row)
        for (std::size_t test = 0; test < tests; ++test) {
            const OutcomeCounts& of = counts(first_row + row, test);
            const FitTest& one = tests_.tests[test];
            const double share = share_as_seen(of, draws_per_test_, one.seen, settings_.learn_from);
            result(static_cast<Index>(row), static_cast<Index>(test)) =
                is_possible(of) ? std::log(likelihood_of(share, one.seen, one.experiment->is_stack, settings_))
                                : -std::numeric_limits<double>::infinity();
        }
    return result;
}

}  // namespace topple::hil::outcome_fit
