// The equations of a foot that turns about its corners, written down once more and stepped plainly: Runge-Kutta of
// fourth order, bisection onto the faces, angular momentum about the new corner. It shares nothing with the solver.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "solver/specimen.hpp"

namespace topple::tests {

struct PivotChange {
    double time_s;
    std::size_t face;
    double rate_before_rad_s;
};

struct PivotReference {
    std::vector<PivotChange> changes;  // the first 64
    int side = 0;                      // overturned to the left (-1), to the right (+1), or not
    bool rests = false;
    bool lifts = false;  // a corner would have had to pull at some time
    double peak_rad = 0.0;
};

class PivotWalk {
  public:
    PivotWalk(const solver::Specimen& specimen, std::function<double(double)> base_m_s2, double step_s)
        : corners_(specimen.foot->corners_m),
          mass_(specimen.blocks[0].mass_kg),
          inertia_(specimen.foot->inertia_kg_m2),
          base_(std::move(base_m_s2)),
          step_s_(step_s) {
        for (std::size_t i = 0; i + 1 < corners_.size(); ++i)
            slope_.push_back(std::atan2(corners_[i + 1][1] - corners_[i][1], corners_[i + 1][0] - corners_[i][0]));
        if (!specimen.initial_rotation_rad.empty()) theta_ = specimen.initial_rotation_rad[0];
        while (corner_ < slope_.size() && theta_ > slope_[corner_]) ++corner_;
        if (theta_ == 0.0) rests_on_ = solver::standing_face(*specimen.foot);
    }

    PivotReference run(double excited_until_s, double until_s) {
        while (t_ < until_s && found_.side == 0) {
            if (rests_on_) {
                if (t_ > excited_until_s) break;
                if (!stays(*rests_on_)) leave_face();
                if (rests_on_) t_ += step_s_;
            } else {
                advance();
            }
        }
        found_.rests = rests_on_.has_value();
        return found_;
    }

  private:
    // Of the mass centre from the corner, clockwise by theta.
    std::array<double, 2> arm(double theta) const {
        const double x = -corners_[corner_][0], z = -corners_[corner_][1];
        return {x * std::cos(theta) + z * std::sin(theta), z * std::cos(theta) - x * std::sin(theta)};
    }
    double acceleration(double t, double theta) const {
        const auto c = arm(theta);
        return mass_ * (kG * c[0] - base_(t) * c[1]) / (inertia_ + mass_ * (c[0] * c[0] + c[1] * c[1]));
    }
    std::array<double, 2> stepped(double h) const {
        const double a1 = acceleration(t_, theta_), w1 = rate_;
        const double a2 = acceleration(t_ + h / 2, theta_ + h / 2 * w1), w2 = rate_ + h / 2 * a1;
        const double a3 = acceleration(t_ + h / 2, theta_ + h / 2 * w2), w3 = rate_ + h / 2 * a2;
        const double a4 = acceleration(t_ + h, theta_ + h * w3), w4 = rate_ + h * a3;
        return {theta_ + h / 6 * (w1 + 2 * w2 + 2 * w3 + w4), rate_ + h / 6 * (a1 + 2 * a2 + 2 * a3 + a4)};
    }
    // Which face has been reached, if any.
    std::optional<std::size_t> beyond(double theta) const {
        if (corner_ < slope_.size() && theta > slope_[corner_]) return corner_;
        if (corner_ > 0 && theta < slope_[corner_ - 1]) return corner_ - 1;
        return std::nullopt;
    }
    void advance() {
        double h = step_s_;
        auto end = stepped(h);
        const auto face = beyond(end[0]);
        if (face) {
            double low = 0.0, high = h;
            while (high - low > 1e-15) {
                const double middle = 0.5 * (low + high);
                if (middle == low || middle == high) break;
                (beyond(stepped(middle)[0]) ? high : low) = middle;
            }
            h = high;
            end = stepped(h);
        }
        t_ += h;
        theta_ = end[0];
        rate_ = end[1];
        found_.peak_rad = std::max(found_.peak_rad, std::abs(theta_));
        const auto c = arm(theta_);
        if (kG - c[0] * acceleration(t_, theta_) - c[1] * rate_ * rate_ < 0.0) found_.lifts = true;
        if (face) return land(*face);
        if (std::abs(theta_) >= 1.5707963267948966) found_.side = theta_ < 0.0 ? -1 : 1;
    }
    void land(std::size_t face) {
        if (found_.changes.size() < 64) found_.changes.push_back({t_, face, rate_});
        theta_ = slope_[face];
        const auto old = arm(theta_);
        const std::size_t from = corner_;
        corner_ = from == face ? face + 1 : face;
        const auto now = arm(theta_);
        const double ratio = (inertia_ + mass_ * (old[0] * now[0] + old[1] * now[1])) /
                             (inertia_ + mass_ * (now[0] * now[0] + now[1] * now[1]));
        rate_ *= std::max(0.0, ratio);
        if (ratio > 0.0 && std::abs(rate_) > 1e-5) return;
        rate_ = 0.0;
        rests_on_ = face;
        if (!stays(face)) leave_face();
    }
    // The line of weight and drive meets the base so far left of the mass centre.
    double pressure_x(std::size_t face) const { return level(face, face)[1] * base_(t_) / kG; }
    // Corner relative to the mass centre with the face level: [to the right, mass centre above it].
    std::array<double, 2> level(std::size_t face, std::size_t corner) const {
        const double s = std::sin(slope_[face]), c = std::cos(slope_[face]);
        const double x = corners_[corner][0], z = corners_[corner][1];
        return {x * c + z * s, x * s - z * c};
    }
    // It does so inside the face.
    bool stays(std::size_t face) const {
        const double at = -pressure_x(face);
        return at >= level(face, face)[0] && at <= level(face, face + 1)[0];
    }
    void leave_face() {
        const std::size_t face = *rests_on_;
        corner_ = -pressure_x(face) < level(face, face)[0] ? face : face + 1;
        theta_ = slope_[face];
        rests_on_.reset();
    }

    static constexpr double kG = solver::kStandardGravity_m_s2;
    std::vector<solver::ProfilePoint> corners_;
    std::vector<double> slope_;
    double mass_, inertia_;
    std::function<double(double)> base_;
    double step_s_, t_ = 0.0, theta_ = 0.0, rate_ = 0.0;
    std::size_t corner_ = 0;
    std::optional<std::size_t> rests_on_;
    PivotReference found_;
};

}  // namespace topple::tests
