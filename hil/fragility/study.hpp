// One fragility study: its motions, its runs and how they are shared out.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/fragility.hpp"
#include "hil/fragility/motions.hpp"
#include "hil/plan/ensemble.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"

namespace topple::hil::fragility {

/// Runs that are made and written together: of one specimen along one motion, some values, all members.
struct Chunk {
    std::size_t index = 0, specimen = 0, motion = 0;
    std::size_t first_value = 0, value_count = 0;
};

/// What became of one run.
struct RunResult {
    std::optional<solver::Outcome> outcome;  ///< empty: its solution failed
    std::optional<solver::Side> direction;   ///< of a fall
    bool has_uplifted = false;
    /// Largest |theta|/alpha in units of kPeakUnit; of no meaning if it fell, or if peaks are not wanted.
    unsigned peak = 0;

    bool operator==(const RunResult&) const = default;
};
inline constexpr double kPeakUnit = 1e-4;

struct Study {
    experiment::Experiment experiment;
    experiment::FragilitySection section;
    solver::SolverOptions options;
    std::vector<StudyMotion> motions{};
    std::vector<double> sense{};  ///< of each specimen: -1 feels the motion mirrored
    /// [specimen][member]: the same draws as of every other ensemble; one as described if there are no members.
    std::vector<std::vector<plan::EnsembleDraw>> members{};
    std::string fingerprint{};  ///< SHA-256 of everything that the results depend on

    std::size_t member_count() const noexcept { return members.front().size(); }
    std::size_t value_count() const noexcept { return section.values.size(); }
    std::size_t run_count() const noexcept;
    double scale(std::size_t motion, std::size_t value) const {
        return section.values[value] / motions[motion].intensity;
    }
    std::size_t values_per_chunk() const noexcept;
    std::size_t chunks_per_motion() const noexcept;
    std::size_t chunk_count() const noexcept;
    Chunk chunk(std::size_t index) const;  ///< specimen by specimen, motion by motion, value by value
};

/// Reads every motion and draws every member. `model`: empty for the file's. Throws InputError.
Study make_study(const experiment::Experiment& experiment, const std::string& model, unsigned threads);

/// Of each run, [value][member]. Any number of threads at once; the results depend on nothing but study and chunk.
std::vector<RunResult> solve(const Study& study, const Chunk& chunk, MotionShelf& shelf);

/// A motion that is scaled by more than the section's limit.
struct BeyondLimit {
    std::size_t motion = 0;
    double least = 1.0, largest = 1.0;  ///< factors over all values
    std::size_t values = 0;             ///< so many of them
};
std::vector<BeyondLimit> beyond_limit(const Study& study);

}  // namespace topple::hil::fragility
