// Many runs of one record side by side: bodies, each along the record as strong and as fast as its run asks.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>

#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::solver {

/// One run: whose, and how much stronger and faster than given the record is. A negative amplitude turns it round.
struct SuitePoint {
    std::size_t member = 0;  ///< index of the specimen
    MotionScale scale;
};

/// What one run gave.
struct SuiteRun {
    SolverStatus status = SolverStatus::ok;
    std::optional<Outcome> outcome;           ///< empty if status is not ok
    std::optional<Side> direction;            ///< of the (first) block that overturns
    std::optional<std::size_t> resting_face;  ///< of a foot that does not fall: on which face it ends
    bool uplifted = false;                    ///< has rocked at all, or was released from a tilt
    /// Largest |theta| over the slenderness alpha of the side to which it leans (of a foot: of the face on which it
    /// stands), to the end of the run; after a fall at least (pi/2) / alpha of the side of the fall. Of a stack: the
    /// largest over its blocks, alpha that of one block of the whole height. NaN if status is not ok.
    double peak_rotation_ratio = 0.0;
    /// When the (first) block has fallen to |theta| = pi/2, or since when everything rests (0: it never moved);
    /// infinite: it rocks on for longer than SolverOptions::settle_limit_s. NaN if status is not ok.
    double end_time_s = 0.0;
};

/// Solver of such runs. Single bodies without friction (lanes_cover) are solved in lanes; everything else, and a base
/// that never moves, run by run by the scalar solver. A run's result depends on nothing but its
/// specimen, its scale, the record and the options: the same bytes, whatever else is asked with it.
class RecordSuite {
  public:
    /// Of the options everything counts that predict() uses, but for history, outcome_only and the number of impacts
    /// kept. Throws std::invalid_argument for options that validate() refuses.
    explicit RecordSuite(const BaseMotion& record, const SolverOptions& options = {});
    ~RecordSuite();
    RecordSuite(RecordSuite&&) noexcept;
    RecordSuite& operator=(RecordSuite&&) noexcept;

    /// Solves points[i] into runs[i]. Any number of threads may call it at once. Throws std::invalid_argument for sizes
    /// that differ, a member that is not there, a scale that is not finite or a frequency that is not above 0, and as
    /// predict() for a specimen.
    void solve(std::span<const Specimen> members, std::span<const SuitePoint> points, std::span<SuiteRun> runs) const;
    /// One of them by the scalar solver; slow, for checks.
    SuiteRun solve_by_run(const Specimen& specimen, const MotionScale& scale) const;
    /// Are runs of this specimen solved in lanes?
    bool in_lanes(const Specimen& specimen) const;

    const BaseMotion& record() const noexcept;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::solver
