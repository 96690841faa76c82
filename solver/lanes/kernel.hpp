// The vectorised kernel of outcome maps and ensembles: each lane is one wave and one body. Included once per
// instruction set, by files that name its entry point (through all.hpp, which brings the parts that are declared here).
//
// Equation of a body resting on side s = -1 (left) or +1 (right), u = |theta| - alpha_s:
//   u'' = k_s [cos(seat) sin u - s (a(t) - sin(seat)) cos u]            docs/physics.md#outcome-maps
// A lane that is finished takes the next point at once. Lanes are independent: results do not depend on the
// neighbours.
#pragma once

#include <math.h>

#include "solver/lanes/lane_state.hpp"
#include "solver/lanes/rocking_lanes.hpp"

namespace topple::solver {
namespace {

class Kernel {
  public:
    Kernel(const LaneProblem& problem, const LanePoint* points, LaneOutcome* outcomes, size_t count)
        : p_(problem), points_(points), outcomes_(outcomes), count_(count) {}
    void run();

  private:
    // ---- one lane at a time ----
    void refill(int l);
    void finish(int l, LaneEnd end, int side);
    void make_idle(int l);
    bool start_piece(int l);
    bool enter_piece(int l);
    bool next_piece(int l);
    double now(int l) const { return p_.origin + book_[l].pieces_before + book_[l].piece_time; }
    void resume(int l, bool base_moves);
    void set_rotation(int l, double rotation);
    void keep(int l, LaneEnd end, int side);
    void end_of_wave(int l);
    void enter_side(int l, int side);
    void rest(int l);
    bool find_uplift(int l);
    bool find_uplift_by_search(int l);
    double crossing_time(int l, double target, bool is_rising, double left, double& slope_there) const;
    double base_at(int l, double piece_time) const;
    void lift(int l, int side, bool by_crossing);
    void impact(int l, double rate_before);
    bool settles(int l, double rate) const;
    void decide(int l);
    void sum_up_base(int l);
    double base_threshold(int l, int side) const;
    const LaneBody& body(int l) const { return *book_[l].body; }
    // ---- all lanes ----
    void expand();
    void expand_by_two(const LaneArray* force, int n, int part);
    void choose_step();
    void advance();
    void after_step(int l);
    bool escapes(int l) const;
    bool stays_up(int l) const;
    enum class Event { none, impact, fallen };
    Event first_event(int l, double& time);
    struct Instant {
        double time, rate, acceleration;
    };
    double turn_of_rate(int l, double direction, const Instant& from, const Instant& to) const;

    const LaneProblem& p_;
    const LanePoint* points_;
    LaneOutcome* outcomes_;
    size_t count_, next_ = 0;
    LaneState s_{};
    StepSeries c_{};
    LaneArray step_{}, doubt_{}, rest_{};
    LaneArray end_rotation_{}, end_rate_{}, end_sine_{}, end_cosine_{}, end_base_{}, end_slope_{};
    LaneBook book_[kLanes];
    int busy_ = 0;
};

}  // namespace
}  // namespace topple::solver
