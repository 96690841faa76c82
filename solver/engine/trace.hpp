// What a run remembers: impacts, peaks, fallen bodies, history.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "solver/engine/law.hpp"
#include "solver/options.hpp"

namespace topple::solver {

/// Rates of all bodies around one impact.
template <int B>
struct ImpactRecord {
    double time_s = 0.0;
    int interface_index = 0;
    Row<B> before{}, after{};
    int face = -1;  ///< of a foot: on which face; else -1
};

/// A rotation changes its direction.
struct TurnRecord {
    double time_s = 0.0;
    int body = 0;
    double rotation_rad = 0.0;
};
inline constexpr std::size_t kTurningPointsMax = 10000;  ///< kept of a run

/// How the bodies stand and move at one instant, absolute.
template <int B>
struct Pose {
    Row<B> rotation{}, rate{};
    Supports<B> supports{};
    double slip_m = 0.0;
};

template <int B>
struct HistoryRecord {
    double time_s = 0.0, base_acceleration_m_s2 = 0.0;
    Pose<B> pose;
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
template <int B>
class Trace {
  public:
    explicit Trace(const SolverOptions& options)
        : impacts_max_(options.impacts_max),
          history_step_s_(options.history_step_s),
          turns_max_(options.outcome_only ? 0 : kTurningPointsMax),
          impacts_(std::min<std::size_t>(options.impacts_max, options.outcome_only ? 32 : 512)),
          turns_(options.outcome_only ? 0 : 512) {}

    void impact(const ImpactRecord<B>& record) {
        if (impacts_.values().size() < impacts_max_)
            impacts_.push_back(record);
        else
            truncated_ = true;
    }
    void turn(const TurnRecord& record) {
        if (turns_.values().size() < turns_max_) turns_.push_back(record);
    }
    /// Rotations of the bodies that stand.
    void peak(const Row<B>& rotation, int standing) noexcept {
        for (int i = 0; i < standing; ++i) peak_[i] = std::max(peak_[i], std::abs(rotation[i]));
    }
    /// Body `index` is gone over the side (-1 left, +1 right); call from the lowest upwards.
    void fall(int index, int side, double time_s) noexcept {
        if (fallen_count_ == 0) first_fall_s_ = time_s;
        fallen_[fallen_count_++] = index;
        fallen_side_[index] = side;
        peak_[index] = kHalfPi;
    }

    bool keeps_history() const noexcept { return history_step_s_ > 0.0; }
    double next_sample_s() const noexcept {
        return keeps_history() ? grid_count_ * history_step_s_ : std::numeric_limits<double>::infinity();
    }
    /// Keeps a sample; `grid`: it is the one of next_sample_s().
    void sample(HistoryRecord<B> record, int standing, bool grid) {
        for (int i = standing; i < B; ++i) {
            record.pose.rotation[i] = fallen_side_[i] * kHalfPi;
            record.pose.rate[i] = 0.0;
            record.pose.supports[i] = fallen_side_[i];
        }
        history_.push_back(record);
        if (grid) grid_count_ += 1.0;
    }

    const std::vector<ImpactRecord<B>>& impacts() const noexcept { return impacts_.values(); }
    const std::vector<TurnRecord>& turns() const noexcept { return turns_.values(); }
    const std::vector<HistoryRecord<B>>& history() const noexcept { return history_; }
    bool truncated() const noexcept { return truncated_; }
    double peak(int body) const noexcept { return peak_[body]; }
    int fallen_side(int body) const noexcept { return fallen_side_[body]; }
    int fallen_count() const noexcept { return fallen_count_; }
    int fallen(int order) const noexcept { return fallen_[order]; }
    double first_fall_s() const noexcept { return first_fall_s_; }

  private:
    std::size_t impacts_max_ = 0;
    double history_step_s_ = 0.0;
    std::size_t turns_max_;
    RoomyVector<ImpactRecord<B>> impacts_;
    RoomyVector<TurnRecord> turns_;
    std::vector<HistoryRecord<B>> history_;
    double grid_count_ = 0.0;
    bool truncated_ = false;
    Row<B> peak_{};
    std::array<int, static_cast<std::size_t>(B)> fallen_side_{}, fallen_{};
    int fallen_count_ = 0;
    double first_fall_s_ = 0.0;
};

}  // namespace topple::solver
