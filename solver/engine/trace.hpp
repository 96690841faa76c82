// What a run remembers: impacts, peaks, fallen blocks, history.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/options.hpp"
#include "solver/stack/guard.hpp"
#include "solver/stack/stack_state.hpp"

namespace topple::solver {

/// Absolute rates around one impact.
template <int N>
struct ImpactRecord {
    double time_s = 0.0;
    int interface_index = 0;
    Row<N> before_rad_s{}, after_rad_s{};
};

template <int N>
struct HistoryRecord {
    double time_s = 0.0, base_acceleration_m_s2 = 0.0;
    Row<N> rotation_rad{}, rate_rad_s{};
    Supports<N> supports{};
};

/// A vector whose copies keep some free room, so that they too can grow a while without taking memory.
template <class T>
class RoomyVector {
  public:
    explicit RoomyVector(std::size_t room) : room_(room) { values_.reserve(room); }
    RoomyVector(const RoomyVector& other) : room_(other.room_) { *this = other; }
    RoomyVector& operator=(const RoomyVector& other) {
        if (this == &other) return *this;
        room_ = other.room_;
        values_.clear();
        values_.reserve(std::max(room_, other.values_.size() + room_ / 2));
        values_.assign(other.values_.begin(), other.values_.end());
        return *this;
    }
    RoomyVector(RoomyVector&&) noexcept = default;
    RoomyVector& operator=(RoomyVector&&) noexcept = default;
    ~RoomyVector() = default;

    void push_back(const T& value) { values_.push_back(value); }
    const std::vector<T>& values() const noexcept { return values_; }

  private:
    std::size_t room_;
    std::vector<T> values_;
};

/// Room for the first 512 impacts (32 if only the outcome counts) is taken at the start and in every copy, so
/// that a usual run takes no memory while it steps; longer lists and histories grow in doubling lumps.
template <int N>
class Trace {
  public:
    explicit Trace(const SolverOptions& options)
        : impacts_max_(options.impacts_max),
          history_step_s_(options.history_step_s),
          impacts_(std::min<std::size_t>(options.impacts_max, options.outcome_only ? 32 : 512)) {}

    void impact(const ImpactRecord<N>& record) {
        if (impacts_.values().size() < impacts_max_)
            impacts_.push_back(record);
        else
            truncated_ = true;
    }
    void peak(const StackState<N>& state) noexcept { peak(state.motion, state.standing); }
    void peak(const Motion<N>& motion, int n) noexcept {
        double theta = 0.0;
        for (int i = 0; i < n; ++i) {
            theta += motion.phi_rad[i];
            peak_rad_[i] = std::max(peak_rad_[i], std::abs(theta));
        }
    }
    /// Block `index` is gone over the side (-1 left, +1 right); call from the lowest upwards.
    void fall(int index, int side, double time_s) noexcept {
        if (fallen_count_ == 0) first_fall_s_ = time_s;
        fallen_[fallen_count_++] = index;
        fallen_side_[index] = side;
        peak_rad_[index] = kHalfPi;
    }

    bool keeps_history() const noexcept { return history_step_s_ > 0.0; }
    double next_sample_s() const noexcept {
        return keeps_history() ? grid_count_ * history_step_s_ : std::numeric_limits<double>::infinity();
    }
    /// Sample of the present state; on the grid, `grid` counts it off.
    void sample(double time_s, double base_acceleration_m_s2, const Motion<N>& motion, const Supports<N>& supports,
                int standing, bool grid) {
        HistoryRecord<N> record{time_s, base_acceleration_m_s2, {}, {}, {}};
        double theta = 0.0, rate = 0.0;
        for (int i = 0; i < N; ++i) {
            theta += motion.phi_rad[i];
            rate += motion.psi_rad_s[i];
            const bool up = i < standing;
            record.rotation_rad[i] = up ? theta : fallen_side_[i] * kHalfPi;
            record.rate_rad_s[i] = up ? rate : 0.0;
            record.supports[i] = up ? supports[i] : fallen_side_[i];
        }
        history_.push_back(record);
        if (grid) grid_count_ += 1.0;
    }

    const std::vector<ImpactRecord<N>>& impacts() const noexcept { return impacts_.values(); }
    const std::vector<HistoryRecord<N>>& history() const noexcept { return history_; }
    bool truncated() const noexcept { return truncated_; }
    double peak_rad(int block) const noexcept { return peak_rad_[block]; }
    int fallen_side(int block) const noexcept { return fallen_side_[block]; }
    int fallen_count() const noexcept { return fallen_count_; }
    int fallen(int order) const noexcept { return fallen_[order]; }
    double first_fall_s() const noexcept { return first_fall_s_; }

  private:
    std::size_t impacts_max_ = 0;
    double history_step_s_ = 0.0;
    RoomyVector<ImpactRecord<N>> impacts_;
    std::vector<HistoryRecord<N>> history_;
    double grid_count_ = 0.0;
    bool truncated_ = false;
    Row<N> peak_rad_{};
    std::array<int, static_cast<std::size_t>(N)> fallen_side_{}, fallen_{};
    int fallen_count_ = 0;
    double first_fall_s_ = 0.0;
};

}  // namespace topple::solver
