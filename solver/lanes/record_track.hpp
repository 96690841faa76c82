// A base motion as the record lanes read it: polynomial pieces, and the range of acceleration of every stretch.
#pragma once

#include <vector>

#include "solver/lanes/record_lanes.hpp"
#include "solver/motion/base_motion.hpp"

namespace topple::solver {

inline constexpr int kQuinticsPerCycle = 128;

/// The storage behind a RecordTrack. Not copyable because the track points into it.
class RecordPieces {
  public:
    /// What lies before t = 0 is left out; a motion that starts later is preceded by rest. Polynomials are taken as
    /// they are; harmonics are cut into quintics, kQuinticsPerCycle or more of them in a cycle of the fastest, which
    /// differ from the harmonic by less than 1e-12 of its amplitude.
    explicit RecordPieces(const BaseMotion& motion);
    RecordPieces(const RecordPieces&) = delete;
    RecordPieces& operator=(const RecordPieces&) = delete;
    const RecordTrack& track() const noexcept { return track_; }

  private:
    void add(const MotionPiece& piece);
    void add_polynomial(const MotionPiece& piece);
    void add_harmonics(const MotionPiece& piece);
    void finish(RecordPiece piece);
    void build_ranges();

    std::vector<RecordPiece> pieces_;
    std::vector<std::vector<RecordRange>> ranges_;
    RecordTrack track_;
};

}  // namespace topple::solver
