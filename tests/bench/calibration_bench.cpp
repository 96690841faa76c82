// Are the probabilities calibrated, before the test and at half of its pulse? Simulated tests near the boundary of
// overturning, their truth drawn from what the forecaster assumes (a) and from models that it does not have (b).
// Printed, never asserted.
//   calibration_bench [cases, default 1000]
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

#include "hil/drive/forecast_trial.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/prediction.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "solver/predict.hpp"

using namespace topple;
using hil::plan::EnsembleDraw;
using hil::plan::MotionIs;
using solver::Outcome;

namespace {

constexpr std::uint64_t kTruthSeed = 977;  // never the forecaster's
constexpr int kBins = 10;

/// What is described to the forecaster: a block and a sine near the amplitude that overturns it.
struct Case {
    solver::Specimen specimen;
    solver::BaseMotion motion;
    hil::experiment::UncertaintySection uncertainty;
};

/// Probabilities of the outcomes of one specimen: translation, rocking, overturning.
using Forecast = std::array<double, 3>;
std::size_t place(std::optional<Outcome> outcome) {
    if (solver::is_overturning(outcome)) return 2;
    return outcome == Outcome::rocking ? 1 : 0;  // a foot that only slides is no uplift either
}

/// Who forecasts from the description alone.
struct Forecaster {
    const char* name;
    std::function<Forecast(const Case&)> forecast;
};

/// Who forecasts at half of the pulse, from what the base has done so far and, perhaps, from a rotation sensor.
struct LiveForecaster {
    const char* name;
    bool sees_rotation;
};

/// What really stands there in case `index`, and how its base really moves.
struct Truth {
    const char* name;
    std::function<EnsembleDraw(const Case&, std::size_t index)> draw;
};

solver::Specimen block() {
    solver::Specimen specimen;
    specimen.blocks = {solver::Block{0.06, 0.27, 2.5692}};
    specimen.initial_rotation_rad = {0.0};
    return specimen;
}

std::vector<std::optional<Outcome>> outcomes(const Case& at, const std::vector<EnsembleDraw>& draws) {
    std::vector<solver::Specimen> specimens;
    std::vector<solver::MotionScale> scales;
    for (const EnsembleDraw& draw : draws) {
        specimens.push_back(draw.specimen);
        scales.push_back(draw.motion_scale());
    }
    std::vector<std::optional<Outcome>> found;
    for (const solver::Prediction& p : solver::predict_outcomes(specimens, at.motion, {}, scales))
        found.push_back(p.outcome);
    return found;
}

/// The least amplitude of a sine that overturns the block as described, m/s2.
double overturning_amplitude_m_s2(const solver::Specimen& specimen, double angular_frequency_rad_s) {
    const solver::BaseMotion unit = solver::sine_acceleration(1.0, angular_frequency_rad_s);
    double low = solver::uplift_acceleration_m_s2(specimen), high = low;
    const auto overturns = [&](double amplitude) {
        solver::SolverOptions options;
        options.outcome_only = true;
        return solver::is_overturning(solver::predict(specimen, unit.scaled(amplitude), options).outcome);
    };
    while (!overturns(high)) low = high, high *= 1.03;
    while (high - low > 1e-4 * high) (overturns(0.5 * (low + high)) ? high : low) = 0.5 * (low + high);
    return high;
}

/// Sines of 1.2 to 5 times p, within 6 % of that amplitude.
Case make_case(std::size_t index) {
    solver::SplitMix64 random(solver::SplitMix64(31).next() ^ (index * 0xD1342543DE82EF95ull));
    Case made;
    made.specimen = block();
    const double p = made.specimen.blocks[0].frequency_parameter_rad_s(solver::kStandardGravity_m_s2);
    const double w = p * (1.2 + 3.8 * random.uniform());
    const double near = 1.0 + 0.12 * (random.uniform() - 0.5);
    made.motion = solver::sine_acceleration(near * overturning_amplitude_m_s2(made.specimen, w), w);
    return made;
}

Forecast shares(const Case& at, std::size_t members) {
    std::vector<EnsembleDraw> draws;
    for (std::size_t i = 0; i < members; ++i)
        draws.push_back(hil::plan::draw_member(at.specimen, at.uncertainty, i, MotionIs::planned));
    Forecast forecast{};
    for (const std::optional<Outcome>& outcome : outcomes(at, draws)) forecast[place(outcome)] += 1.0;
    for (double& share : forecast) share /= static_cast<double>(members);
    return forecast;
}

/// One more member of the same ensemble, of another seed, changed by `change`.
EnsembleDraw drawn_truth(const Case& at, std::size_t index,
                         const std::function<void(const Case&, EnsembleDraw&, std::size_t)>& change) {
    hil::experiment::UncertaintySection truth = at.uncertainty;
    truth.seed = kTruthSeed;
    EnsembleDraw draw = hil::plan::draw_member(at.specimen, truth, index, MotionIs::planned);
    change(at, draw, index);
    return draw;
}

Forecast at_half_pulse(const Case& at, const EnsembleDraw& truth, bool sees_rotation, std::size_t index) {
    hil::drive::ForecastTrial trial;
    trial.described = at.specimen;
    trial.planned = at.motion;
    trial.achieved = truth.motion(at.motion);
    trial.members.uncertainty = at.uncertainty;
    if (sees_rotation) trial.standing = truth.specimen;
    trial.noise_seed = index + 1;
    const hil::drive::ForecastOutcome live = hil::drive::forecast_at(trial, 0.5 * at.motion.end_s());
    const double falls = hil::run_log::overturning_probability(live.forecast);
    const double rocks = live.forecast.probability[solver::outcome_code(Outcome::rocking)];
    return {std::max(0.0, 1.0 - falls - rocks), rocks, falls};
}

/// Half-width of the band in which the observed share of a bin lies, for all bins at once, with 95 % probability if
/// the forecasts are right: quantiles of simulated bins at the level 5 % / number of bins.
std::array<double, 2> band(const std::vector<double>& probabilities) {
    constexpr int kRepeats = 20000;
    solver::SplitMix64 random(7);
    std::vector<double> observed;
    for (int i = 0; i < kRepeats; ++i) {
        double count = 0.0;
        for (const double p : probabilities) count += random.uniform() < p ? 1.0 : 0.0;
        observed.push_back(count / static_cast<double>(probabilities.size()));
    }
    std::sort(observed.begin(), observed.end());
    const auto tail = static_cast<std::size_t>(kRepeats * 0.05 / kBins / 2.0);
    return {observed[tail], observed[observed.size() - 1 - tail]};
}

struct Scored {
    std::vector<Forecast> forecasts;
    std::vector<std::size_t> happened;  ///< places
};

double brier(const Scored& scored) {
    double sum = 0.0;
    for (std::size_t i = 0; i < scored.forecasts.size(); ++i)
        sum += std::pow(scored.forecasts[i][2] - (scored.happened[i] == 2 ? 1.0 : 0.0), 2);
    return sum / static_cast<double>(scored.forecasts.size());
}

double share_surprised(const Scored& scored) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < scored.forecasts.size(); ++i) count += scored.forecasts[i][scored.happened[i]] < 0.02;
    return static_cast<double>(count) / static_cast<double>(scored.forecasts.size());
}

void print_score(const char* name, const Scored& scored) {
    std::printf("  %-24s Brier score %.5f; what happened had P < 0.02 in %.2f %% of the runs\n", name, brier(scored),
                100.0 * share_surprised(scored));
}

void print_reliability(const char* name, const Scored& scored) {
    std::printf("%s: reliability of P(overturning), bands 95 %% for all %d bins together\n", name, kBins);
    std::printf("  forecast      runs   mean forecast   observed   band\n");
    for (int bin = 0; bin < kBins; ++bin) {
        std::vector<double> probabilities;
        double sum = 0.0, observed = 0.0;
        for (std::size_t i = 0; i < scored.forecasts.size(); ++i) {
            const double p = scored.forecasts[i][2];
            if (std::min(kBins - 1, static_cast<int>(p * kBins)) != bin) continue;
            probabilities.push_back(p);
            sum += p;
            observed += scored.happened[i] == 2 ? 1.0 : 0.0;
        }
        if (probabilities.empty()) continue;
        const double n = static_cast<double>(probabilities.size());
        const std::array<double, 2> within = band(probabilities);
        const bool inside = observed / n >= within[0] && observed / n <= within[1];
        std::printf("  %.1f to %.1f  %6.0f          %.4f     %.4f   %.4f to %.4f  %s\n", 0.1 * bin, 0.1 * (bin + 1), n,
                    sum / n, observed / n, within[0], within[1], inside ? "inside" : "OUTSIDE");
    }
}

}  // namespace

int main(int argc, char** argv) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const auto cases = static_cast<std::size_t>(argc > 1 ? std::atoi(argv[1]) : 1000);
    constexpr std::size_t kIdeal = 2000;
    const std::vector<Forecaster> forecasters = {
        {"blind ensemble of 200", [](const Case& at) { return shares(at, hil::plan::kTestEnsemble); }},
        {"ideal: ensemble of 2000", [](const Case& at) { return shares(at, kIdeal); }},
    };
    const auto as_drawn = [](const Case&, EnsembleDraw&, std::size_t) {};
    const auto random_impacts = [](const Case&, EnsembleDraw& draw, std::size_t index) {
        draw.specimen.restitution = {};
        draw.specimen.restitution.model = solver::RestitutionModel::random;
        draw.specimen.restitution.random_defect_ratio = 0.1;
        draw.specimen.restitution.random_seed = index;
    };
    const auto slipping = [](const Case& at, EnsembleDraw& draw, std::size_t) {
        // Between what lets the block rock at all and what sticking would need.
        const double least = std::tan(at.specimen.blocks[0].slenderness_rad());
        const double demand = solver::follow(at.specimen, at.motion).friction_demand.at(0);
        draw.specimen.friction = solver::Friction{std::lerp(least, demand, 0.6), std::lerp(least, demand, 0.4)};
    };
    const auto leaning = [](const Case&, EnsembleDraw& draw, std::size_t) { draw.specimen.initial_tilt_rad *= 2.0; };
    const auto truth = [](auto change) {
        return [change](const Case& at, std::size_t index) { return drawn_truth(at, index, change); };
    };
    const std::vector<Truth> truths = {
        {"(a) as the forecaster assumes", truth(as_drawn)},
        {"(b) restitution differs at every impact (corner defect 0.1)", truth(random_impacts)},
        {"(b) feet slip (friction of 0.6 of what sticking needs above the slenderness, 0.4 sliding)", truth(slipping)},
        {"(b) tilt twice as wide", truth(leaning)},
    };
    std::vector<Case> all;
    for (std::size_t i = 0; i < cases; ++i) all.push_back(make_case(i));
    std::vector<Scored> scored(forecasters.size());
    for (std::size_t f = 0; f < forecasters.size(); ++f)
        for (const Case& at : all) scored[f].forecasts.push_back(forecasters[f].forecast(at));
    for (const Truth& real : truths) {
        std::vector<EnsembleDraw> draws;
        std::vector<std::size_t> happened;
        for (std::size_t i = 0; i < cases; ++i) {
            draws.push_back(real.draw(all[i], i));
            happened.push_back(place(solver::follow(draws[i].specimen, draws[i].motion(all[i].motion)).outcome));
        }
        std::printf(
            "\n%s, %zu runs, %.1f %% overturn\n", real.name, cases,
            100.0 * static_cast<double>(std::count(happened.begin(), happened.end(), 2u)) / static_cast<double>(cases));
        for (std::size_t f = 0; f < forecasters.size(); ++f) {
            scored[f].happened = happened;
            print_score(forecasters[f].name, scored[f]);
        }
        for (const LiveForecaster& live :
             {LiveForecaster{"live at half the pulse", false}, LiveForecaster{"the same, rotation seen", true}}) {
            Scored one{{}, happened};
            for (std::size_t i = 0; i < cases; ++i)
                one.forecasts.push_back(at_half_pulse(all[i], draws[i], live.sees_rotation, i));
            print_score(live.name, one);
        }
        if (&real == &truths.front()) print_reliability(forecasters.front().name, scored.front());
    }
}
