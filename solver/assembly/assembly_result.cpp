// What is told of the blocks: centroid, index of inertia, kinetic energy, history.
#include <algorithm>
#include <limits>
#include <utility>

#include "solver/assembly/assembly_run.hpp"

namespace topple::solver {

double AssemblyRun::centroid_m(const State& state) const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i) sum += assembly_.blocks[i].mass_kg * state.position_m[i];
    return sum / total_kg_;
}

double AssemblyRun::inertia_kg_m2(const State& state) const noexcept {
    const double centre = centroid_m(state);
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i)
        sum += assembly_.blocks[i].mass_kg * (state.position_m[i] - centre) * (state.position_m[i] - centre);
    return sum;
}

double AssemblyRun::inertia_growth(const State& state) const noexcept {
    const double centre = centroid_m(state);
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i)
        sum += assembly_.blocks[i].mass_kg * (state.position_m[i] - centre) * state.velocity_m_s[i];
    return sum;
}

double AssemblyRun::kinetic_energy_j() const noexcept {
    double sum = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
        const double v = now_.velocity_m_s[i] + now_.base_m_s;
        sum += 0.5 * assembly_.blocks[i].mass_kg * v * v;
    }
    return sum;
}

void AssemblyRun::note_inertia(const State& state) {
    inertia_max_kg_m2_ = std::max(inertia_max_kg_m2_, inertia_kg_m2(state));
}

void AssemblyRun::keep_sample(const State& state) {
    AssemblySample sample{
        state.time_s, state.base_m, {}, {}, centroid_m(state) + state.base_m, std::numeric_limits<double>::quiet_NaN()};
    if (count_ > 1) sample.inertia_index = inertia_kg_m2(state) / inertia_start_kg_m2_;
    for (std::size_t i = 0; i < count_; ++i) {
        sample.position_m.push_back(state.position_m[i] + state.base_m);
        sample.velocity_m_s.push_back(state.velocity_m_s[i] + state.base_m_s);
    }
    result_.history.push_back(std::move(sample));
}

AssemblyPrediction AssemblyRun::result() const {
    AssemblyPrediction result = result_;
    result.end_time_s = now_.time_s;
    result.centroid_m = centroid_m(now_) + now_.base_m;
    if (at_rest()) result.settled_time_s = rests_since_s_;
    if (count_ > 1) {
        result.inertia_index_max = inertia_max_kg_m2_ / inertia_start_kg_m2_;
        result.inertia_index_end = inertia_kg_m2(now_) / inertia_start_kg_m2_;
    }
    if (energy_start_j_ > 0.0) result.kinetic_energy_index_max = energy_max_j_ / energy_start_j_;
    return result;
}

}  // namespace topple::solver
