// The vectorised kernel of records: each lane is one body on its way along the record, at a place of its own. Included
// once per instruction set, as kernel.hpp is; the equation is the one there, in the record's time.
//
// Records have short pieces: a step is at most one piece, by Taylor series of low order. Bodies at rest go to the next
// piece that can lift them through a tree of ranges; a lane that is finished takes the next run at once. Lanes are
// independent: results do not depend on the neighbours.
#pragma once

#include <math.h>

#include "solver/lanes/body_corners.hpp"
#include "solver/lanes/coasting.hpp"
#include "solver/lanes/lane_state.hpp"
#include "solver/lanes/record_lanes.hpp"

namespace topple::solver {
namespace {

inline constexpr int kRecordOrder = 6;                   // of the rate
inline constexpr double kRecordTolerance = 1e-13;        // of a rate over p per step
inline constexpr double kRecordStepMax = 0.06;           // times p
inline constexpr unsigned kLooksMax = 1000000;           // at events of one run; then the scalar solver takes over
inline constexpr double kRecordUpliftTolerance = 1e-12;  // over g, as in uplift.hpp

/// The lanes' state, in memory between steps.
struct RecordState {
    LaneArray rotation, rate, sine, cosine;  // |theta| less origin, its rate, sin u, cos u
    LaneArray origin, low, high;             // |theta| at the end of the corner from which it came; the ends from there
    LaneArray base[kRecordTerms];            // of the present piece, m/s2, m/s3, ...
    LaneArray passed, left;                  // of the present piece, s
    LaneArray push, tilt;                    // of the side: -s k A/g and s k sin(seat)
    LaneArray gravity;                       // k cos(seat)
    LaneArray rate_slope_kept;               // 0 for the step from an uplift by crossing, where u'' = 0 exactly
    LaneArray rate_unit, quickest;           // p; the larger of it and the base's fastest frequency
    LaneArray step_max;
    LaneArray inverse_alpha, peak;  // of the side; largest |theta|/alpha so far
};

/// What a step leaves behind for those that look into it.
struct RecordStep {
    LaneArray rotation, rate[kRecordOrder + 1];  // rotation at its start; Taylor coefficients of the rate
    LaneArray length, passed, left;              // its length; time passed and left at its start
};

/// What only scalar code needs of a lane.
struct RecordBook {
    const LaneBody* body = nullptr;
    size_t run = 0, piece = 0;
    double frequency_squared = 1.0;  // by which the record is faster
    double inverse_alpha[2] = {0.0, 0.0};
    double amplitude = 0.0;                     // of the base acceleration over g, s2/m
    double lift_above = 0.0, lift_below = 0.0;  // base acceleration of the record that lifts it from rest, m/s2
    int side = 0, corner = 0;                   // index of the side and of the corner on which it is
    // ---- of the face that it met last; 0: its corner on the left ----
    int face = -1, place = 0, place_above = 0;  // index; the corner on which it is; that to which lift_above lifts
    double lifting_ratio[2] = {0.0, 0.0};       // base acceleration over g, away from a corner, that lifts it to there
    double seat_push[2] = {0.0, 0.0};           // k cos(alpha)
    double restitution[2] = {0.0, 0.0};         // when it leaves that corner
    double stiffness = 0.0;                     // the largest of all corners
    double lost_ratio = 1.0;                    // 1 - r of the livelier side
    double reach_rad = 0.0;                     // to the nearest other face
    double since = 0.0;
    bool fresh = false, lifted = false, busy = false;
    unsigned impacts = 0, looks = 0;
};

struct StepPolynomial;

class RecordKernel {
  public:
    RecordKernel(const RecordTrack& track, const RecordRun* runs, RecordRunEnd* ends, size_t count)
        : track_(track), runs_(runs), ends_(ends), count_(count) {}
    void run();

  private:
    // ---- one lane at a time ----
    void refill(int l);
    void finish(int l, LaneEnd end, int side);
    void make_idle(int l);
    void enter_face(int l, int face);
    void enter_piece(int l, size_t piece);
    void enter_corner(int l, int place);
    void turn_about(int l, int corner, bool from_low);
    void begin(int l);
    void release(int l, int corner, double rotation);
    bool stays_without_push(int l) const;
    void lift_at_end(int l);
    void end_of_record(int l);
    void go_on(int l);
    double base_at(int l, double passed) const;
    double now(int l) const { return track_.pieces[book_[l].piece].start_s + s_.passed.lane[l]; }
    // ---- rest and uplift ----
    void rest(int l);
    bool find_uplift_in_piece(int l);
    size_t next_lifting_piece(int l, size_t from) const;
    void lift(int l, int place, bool by_crossing);
    // ---- events ----
    void look(int l);
    bool meets_upper_face(int l, const StepPolynomial& rotation, double until);
    bool is_on_last_corner(int l) const;
    void impact(int l, bool is_outward, double time, double rate_before);
    void fall(int l, double time);
    double weight_on(int l, int place, double base_ratio) const;
    bool settles(int l, double rate) const;
    double hops_after(int l, double rate) const;
    // ---- all lanes ----
    template <bool is_linear>
    void step_all();
    template <int kForces>
    void forces(int part, Register (&f)[kForces]);
    template <bool is_linear>
    unsigned step_part(int part);

    const RecordTrack& track_;
    const RecordRun* runs_;
    RecordRunEnd* ends_;
    size_t count_, next_ = 0;
    RecordState s_{};
    RecordStep step_{};
    RecordBook book_[kLanes];
    int busy_ = 0;
};

}  // namespace
}  // namespace topple::solver
