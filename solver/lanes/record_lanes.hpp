// Many rocking bodies along one record, each along it as strong and as fast as its run asks: interface of the
// vectorised kernel. Plain structs only, for the same reason as in rocking_lanes.hpp.
#pragma once

#include <stddef.h>

#include "solver/lanes/rocking_lanes.hpp"

namespace topple::solver {

/// One piece of a record: base acceleration, m/s2, as a polynomial of the time since its start.
inline constexpr int kRecordTerms = 6;
struct RecordPiece {
    double start_s = 0.0, length_s = 0.0;
    double polynomial[kRecordTerms] = {};  ///< m/s2, m/s3, ...
    double slope_peak = 0.0;               ///< bound of its slope, m/s3
};

/// Least and largest base acceleration of a stretch, m/s2.
struct RecordRange {
    double low, high;
};

/// A record from t = 0 on. Level 0 of the ranges has one for each piece, each further level one for kRangeFan of the
/// level below, up to a single one.
inline constexpr size_t kRangeFan = 16;
inline constexpr int kRangeLevels = 16;
struct RecordTrack {
    const RecordPiece* pieces = nullptr;
    size_t piece_count = 0;
    bool is_linear = true;       ///< no piece has a quadratic or higher term
    double fastest_rad_s = 0.0;  ///< largest angular frequency of a harmonic; 0: there is none
    const RecordRange* ranges[kRangeLevels] = {};
    size_t range_count[kRangeLevels] = {};
    int levels = 0;
    bool tells_all = true;  ///< peaks and times after its end are wanted, not only the outcome
};

/// Its body's stiffness_ratio is p^2 in 1/s2: the lanes' time is that of the record.
struct RecordRun {
    const LaneBody* body = nullptr;
    double amplitude = 1.0;  ///< factor of the base acceleration over g, s2/m; negative: the other way round
    double frequency = 1.0;  ///< the record is passed through so many times faster, > 0
};

struct RecordRunEnd {
    LaneEnd end = LaneEnd::unsolved;
    signed char side = 0;     ///< -1 left, +1 right, if overturning
    bool lifted = false;      ///< ever
    double peak_ratio = 0.0;  ///< largest |theta| over alpha of its side
    double time = 0.0;        ///< of the fall to pi/2, or since when it rests (above 1e200: never), s of the record
    int face = 0;             ///< of a body that does not fall: on which it ends; -1: it rocks on and on
    unsigned impacts = 0;     ///< since the last uplift from rest, if overturning
    unsigned looks = 0;       ///< at events, for benches
};

using RecordSolver = void (*)(const RecordTrack&, const RecordRun*, RecordRunEnd*, size_t count);

/// The fastest variant that this processor can run.
RecordSolver record_solver() noexcept;

void solve_record_baseline(const RecordTrack&, const RecordRun*, RecordRunEnd*, size_t count);
#ifdef TOPPLE_LANES_AVX2
void solve_record_avx2(const RecordTrack&, const RecordRun*, RecordRunEnd*, size_t count);
#endif

}  // namespace topple::solver
