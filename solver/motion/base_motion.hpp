// The motion of the base under the specimen, in closed form: what a waveform is, once, for everybody.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace topple::solver {

/// Kinematic state of the base along x (right positive) at one instant.
struct BaseState {
    double displacement_m = 0.0;
    double velocity_m_s = 0.0;
    double acceleration_m_s2 = 0.0;
    double jerk_m_s3 = 0.0;  ///< of the open piece; the step of acceleration at a break is not part of it
};

/// One term (sine_m_s2[0] + sine_m_s2[1] tau) sin(w tau) + (cosine_m_s2[0] + cosine_m_s2[1] tau) cos(w tau).
struct HarmonicTerm {
    double angular_frequency_rad_s = 0.0;  ///< w > 0
    std::array<double, 2> sine_m_s2{};     ///< [0] in m/s2, [1] in m/s3
    std::array<double, 2> cosine_m_s2{};   ///< [0] in m/s2, [1] in m/s3
};

/// One stretch of base acceleration, a(tau) = sum_k polynomial[k] tau^k + sum of harmonics, tau = t - start_s.
struct MotionPiece {
    double start_s = 0.0;
    double end_s = 0.0;                  ///< > start_s
    std::array<double, 4> polynomial{};  ///< m/s2, m/s3, m/s4, m/s5
    std::vector<HarmonicTerm> harmonics;

    double acceleration_m_s2(double time_s) const noexcept;
};

/// How much stronger and faster the same shape of motion is: a(t) -> amplitude a(frequency t).
struct MotionScale {
    double amplitude = 1.0;  ///< factor of every acceleration
    double frequency = 1.0;  ///< factor of every frequency, > 0

    bool changes() const noexcept { return amplitude != 1.0 || frequency != 1.0; }
};

/// Base motion from rest or from a given state: contiguous pieces from the first start to the last end.
/// Before the first piece the base keeps its initial velocity (it rests by default), so that the initial
/// state holds at the first start; after the last one it keeps its velocity (zero acceleration). Jumps of acceleration
/// occur only at piece borders ("breaks"), where `at` gives the right-hand and `before` the left-hand limit. Velocity
/// and displacement are continuous and closed form.
class BaseMotion {
  public:
    BaseMotion() = default;  ///< a base that never moves
    /// Throws std::invalid_argument for pieces that are not finite, not contiguous or of no length.
    explicit BaseMotion(std::vector<MotionPiece> pieces, double initial_displacement_m = 0.0,
                        double initial_velocity_m_s = 0.0);

    BaseState at(double time_s) const noexcept;      ///< right-hand limit at a break
    BaseState before(double time_s) const noexcept;  ///< left-hand limit at a break
    const std::vector<MotionPiece>& pieces() const noexcept { return pieces_; }
    double start_s() const noexcept;  ///< start of the first piece, 0 if there is none
    double end_s() const noexcept;    ///< end of the last piece, 0 if there is none
    bool empty() const noexcept { return pieces_.empty(); }

    /// Largest |x|, |v|, |a| and the signed extremes of x over [start, end], to rounding (dense search + refinement).
    struct Extremes {
        double displacement_min_m = 0.0, displacement_max_m = 0.0;
        double velocity_peak_m_s = 0.0, velocity_peak_time_s = 0.0;
        double acceleration_peak_m_s2 = 0.0, acceleration_peak_time_s = 0.0;
    };
    Extremes extremes() const;

    BaseMotion scaled(double factor) const;  ///< displacement, velocity and acceleration times factor
    /// The same accelerations, passed through faster: a(t) -> a(ratio t), velocities over ratio, displacements over
    /// its square. Throws for a ratio that is not above 0.
    BaseMotion faster(double ratio) const;
    BaseMotion scaled(const MotionScale& scale) const;  ///< a(t) -> amplitude a(frequency t)
    BaseMotion shifted(double delay_s) const;           ///< the same motion later by delay_s
    BaseMotion then(const BaseMotion& next) const;      ///< next's pieces appended, its start moved to end_s()
    BaseMotion plus(const BaseMotion& other) const;     ///< superposition: union of breaks, sum of accelerations

  private:
    std::vector<MotionPiece> pieces_;
    std::vector<double> displacement_m_, velocity_m_s_;  // at each piece start, and at the last end
};

/// a0 sin(w t) over `cycles` periods from rest (thesis eq. 5.4). Net displacement 2 pi a0 cycles / w^2.
BaseMotion sine_acceleration(double amplitude_m_s2, double angular_frequency_rad_s, double cycles = 1.0);
/// a0 cos(w t) over `cycles` periods from rest (thesis eq. 5.5). Starts with a step of acceleration.
BaseMotion cosine_acceleration(double amplitude_m_s2, double angular_frequency_rad_s, double cycles = 1.0);
/// Constant acceleration for duration_s; afterwards constant velocity.
BaseMotion constant_acceleration(double amplitude_m_s2, double duration_s);
/// Constant acceleration, then -|deceleration| (against the velocity) until the base is at rest.
BaseMotion constant_acceleration_and_stop(double amplitude_m_s2, double duration_s, double deceleration_m_s2);
/// Displacement A r(t) sin(w t) over `cycles` in all, r = (1 - cos(pi t/T))/2 from 0 to 1 over the first ramp_cycles
/// and back over the last ones; rests at both ends with zero acceleration at the start. Where a ramp ends the
/// acceleration is continuous if ramp_cycles is a multiple of 1/2. Throws if ramp_cycles <= 0 or cycles < 2
/// ramp_cycles.
BaseMotion harmonic_displacement(double displacement_m, double angular_frequency_rad_s, double ramp_cycles,
                                 double cycles);
/// Displacement A sin(w t) over `cycles` from t = 0: the base has the velocity A w at once.
BaseMotion displacement_sine(double displacement_m, double angular_frequency_rad_s, double cycles);
/// Quintic from rest to rest over distance_m (signed) with the given peaks not exceeded. Zero distance: empty.
BaseMotion rest_to_rest(double distance_m, double velocity_peak_m_s, double acceleration_peak_m_s2);
/// Acceleration samples joined by straight lines. Throws if sizes differ, fewer than 2, or times do not increase.
BaseMotion sampled_acceleration(const std::vector<double>& time_s, const std::vector<double>& acceleration_m_s2,
                                double initial_velocity_m_s = 0.0);
/// Thesis chapter 8: the base reaches peak_velocity_m_s (signed) at constant acceleration within rise_time_s, slows
/// down by friction, and if it has travelled gap_m from its start before resting, a stopper turns its velocity v into
/// -ratio v, again within rise_time_s; then friction until rest. Throws if the gap is shorter than the rise's travel.
BaseMotion double_pulse(double peak_velocity_m_s, double rise_time_s, double gap_m, double friction_deceleration_m_s2,
                        double stopper_rebound_ratio);

}  // namespace topple::solver
