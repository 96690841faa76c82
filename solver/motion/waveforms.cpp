// The waveforms: what each excitation type is, as pieces of base acceleration.
#include <cmath>
#include <stdexcept>
#include <string>
#include <utility>

#include "solver/motion/base_motion.hpp"

namespace topple::solver {
namespace {

constexpr double kTwoPi = 6.283185307179586476925286766559;

void require(bool condition, const char* what) {
    if (!condition) throw std::invalid_argument(what);
}

void require_positive(double value, const char* name) {
    if (!(std::isfinite(value) && value > 0.0))
        throw std::invalid_argument(std::string(name) + " must be finite and above 0");
}

MotionPiece constant_piece(double start_s, double duration_s, double acceleration_m_s2) {
    MotionPiece piece;
    piece.start_s = start_s;
    piece.end_s = start_s + duration_s;
    piece.polynomial[0] = acceleration_m_s2;
    return piece;
}

MotionPiece harmonic_piece(double angular_frequency_rad_s, double cycles) {
    require_positive(angular_frequency_rad_s, "angular frequency");
    require_positive(cycles, "cycles");
    MotionPiece piece;
    piece.end_s = kTwoPi * cycles / angular_frequency_rad_s;
    return piece;
}

/// Adds the acceleration of the displacement amplitude_m * sin(w tau + phase). A negative w is allowed.
void add_displacement_sine(MotionPiece& piece, double amplitude_m, double w, double phase_rad) {
    const double wa = std::abs(w);
    if (wa == 0.0) return;  // a constant displacement has no acceleration
    const double a = -amplitude_m * w * w;
    const double sign = w < 0.0 ? -1.0 : 1.0;
    piece.harmonics.push_back({wa, {sign * a * std::cos(phase_rad), 0.0}, {a * std::sin(phase_rad), 0.0}});
}

enum class Ramp { up, full, down };

/// A r sin(w t) over one stretch that begins at start_s; r = (1 -+ cos(pi tau / T))/2 as a sum of three sines.
MotionPiece ramped_piece(double amplitude_m, double w, double start_s, double duration_s, Ramp ramp) {
    MotionPiece piece;
    piece.start_s = start_s;
    piece.end_s = start_s + duration_s;
    const double phase = w * start_s;
    if (ramp == Ramp::full) {
        add_displacement_sine(piece, amplitude_m, w, phase);
        return piece;
    }
    const double envelope_w = 0.5 * kTwoPi / duration_s;
    const double side = ramp == Ramp::up ? -0.25 : 0.25;
    add_displacement_sine(piece, 0.5 * amplitude_m, w, phase);
    add_displacement_sine(piece, side * amplitude_m, w + envelope_w, phase);
    add_displacement_sine(piece, side * amplitude_m, w - envelope_w, phase);
    return piece;
}

}  // namespace

BaseMotion sine_acceleration(double amplitude_m_s2, double angular_frequency_rad_s, double cycles) {
    MotionPiece piece = harmonic_piece(angular_frequency_rad_s, cycles);
    piece.harmonics.push_back({angular_frequency_rad_s, {amplitude_m_s2, 0.0}, {0.0, 0.0}});
    return BaseMotion({std::move(piece)});
}

BaseMotion cosine_acceleration(double amplitude_m_s2, double angular_frequency_rad_s, double cycles) {
    MotionPiece piece = harmonic_piece(angular_frequency_rad_s, cycles);
    piece.harmonics.push_back({angular_frequency_rad_s, {0.0, 0.0}, {amplitude_m_s2, 0.0}});
    return BaseMotion({std::move(piece)});
}

BaseMotion constant_acceleration(double amplitude_m_s2, double duration_s) {
    require_positive(duration_s, "duration");
    return BaseMotion({constant_piece(0.0, duration_s, amplitude_m_s2)});
}

BaseMotion constant_acceleration_and_stop(double amplitude_m_s2, double duration_s, double deceleration_m_s2) {
    require_positive(duration_s, "duration");
    require(std::isfinite(amplitude_m_s2), "amplitude must be finite");
    const double deceleration = std::abs(deceleration_m_s2);
    require_positive(deceleration, "deceleration");
    if (amplitude_m_s2 == 0.0) return constant_acceleration(0.0, duration_s);
    const double stop_s = std::abs(amplitude_m_s2) * duration_s / deceleration;
    return BaseMotion({constant_piece(0.0, duration_s, amplitude_m_s2),
                       constant_piece(duration_s, stop_s, -std::copysign(deceleration, amplitude_m_s2))});
}

BaseMotion harmonic_displacement(double displacement_m, double angular_frequency_rad_s, double ramp_cycles,
                                 double cycles) {
    require_positive(angular_frequency_rad_s, "angular frequency");
    require_positive(ramp_cycles, "ramp cycles (without a ramp the base would need a step of velocity)");
    require(std::isfinite(cycles) && cycles >= 2.0 * ramp_cycles, "cycles must include both ramps: >= 2 ramp cycles");
    const double w = angular_frequency_rad_s;
    const double ramp_s = kTwoPi * ramp_cycles / w;
    const double full_s = kTwoPi * (cycles - 2.0 * ramp_cycles) / w;
    std::vector<MotionPiece> pieces{ramped_piece(displacement_m, w, 0.0, ramp_s, Ramp::up)};
    if (full_s > 1e-9 * ramp_s) pieces.push_back(ramped_piece(displacement_m, w, ramp_s, full_s, Ramp::full));
    pieces.push_back(ramped_piece(displacement_m, w, pieces.back().end_s, ramp_s, Ramp::down));
    return BaseMotion(std::move(pieces));
}

BaseMotion displacement_sine(double displacement_m, double angular_frequency_rad_s, double cycles) {
    const double w = angular_frequency_rad_s;
    const MotionPiece sine{0.0, kTwoPi * cycles / w, {}, {{w, {-displacement_m * w * w, 0.0}, {}}}};
    return BaseMotion({sine}, 0.0, displacement_m * w);
}

BaseMotion rest_to_rest(double distance_m, double velocity_peak_m_s, double acceleration_peak_m_s2) {
    require(std::isfinite(distance_m), "distance must be finite");
    require_positive(velocity_peak_m_s, "velocity peak");
    require_positive(acceleration_peak_m_s2, "acceleration peak");
    if (distance_m == 0.0) return {};
    // x = D (10 s^3 - 15 s^4 + 6 s^5), s = t/T: peaks of v 15/8 D/T at s = 1/2, of a 10/sqrt(3) D/T^2.
    const double distance = std::abs(distance_m);
    const double duration_s = std::fmax(1.875 * distance / velocity_peak_m_s,
                                        std::sqrt(10.0 / std::sqrt(3.0) * distance / acceleration_peak_m_s2));
    MotionPiece piece;
    piece.end_s = duration_s;
    const double scale = distance_m / (duration_s * duration_s);
    piece.polynomial = {0.0, 60.0 * scale / duration_s, -180.0 * scale / (duration_s * duration_s),
                        120.0 * scale / (duration_s * duration_s * duration_s)};
    return BaseMotion({std::move(piece)});
}

BaseMotion sampled_acceleration(const std::vector<double>& time_s, const std::vector<double>& acceleration_m_s2,
                                double initial_velocity_m_s) {
    require(time_s.size() == acceleration_m_s2.size(), "record: times and accelerations differ in number");
    require(time_s.size() >= 2, "record: fewer than 2 samples");
    std::vector<MotionPiece> pieces(time_s.size() - 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!(time_s[i + 1] > time_s[i]))
            throw std::invalid_argument("record: times do not increase at sample " + std::to_string(i + 1));
        pieces[i].start_s = time_s[i];
        pieces[i].end_s = time_s[i + 1];
        pieces[i].polynomial[0] = acceleration_m_s2[i];
        pieces[i].polynomial[1] = (acceleration_m_s2[i + 1] - acceleration_m_s2[i]) / (time_s[i + 1] - time_s[i]);
    }
    return BaseMotion(std::move(pieces), 0.0, initial_velocity_m_s);
}

BaseMotion double_pulse(double peak_velocity_m_s, double rise_time_s, double gap_m, double friction_deceleration_m_s2,
                        double stopper_rebound_ratio) {
    const double speed = std::abs(peak_velocity_m_s);
    require_positive(speed, "peak velocity");
    require_positive(rise_time_s, "rise time");
    require_positive(friction_deceleration_m_s2, "friction deceleration");
    require(stopper_rebound_ratio >= 0.0 && stopper_rebound_ratio <= 1.0, "stopper rebound ratio must be 0 .. 1");
    const double free_travel_m = gap_m - 0.5 * speed * rise_time_s;
    require(std::isfinite(gap_m) && free_travel_m > 0.0, "gap must exceed the travel while the velocity rises");
    const double direction = std::copysign(1.0, peak_velocity_m_s);
    const double friction = friction_deceleration_m_s2;

    std::vector<MotionPiece> pieces{constant_piece(0.0, rise_time_s, direction * speed / rise_time_s)};
    const auto append = [&](double duration_s, double acceleration_m_s2) {
        if (duration_s > 0.0) pieces.push_back(constant_piece(pieces.back().end_s, duration_s, acceleration_m_s2));
    };
    const double square_at_stopper = speed * speed - 2.0 * friction * free_travel_m;
    const double arrival = square_at_stopper > 0.0 ? std::sqrt(square_at_stopper) : 0.0;
    append((speed - arrival) / friction, -direction * friction);
    if (arrival > 0.0) {
        const double rebound = stopper_rebound_ratio * arrival;
        append(rise_time_s, -direction * (arrival + rebound) / rise_time_s);
        append(rebound / friction, direction * friction);
    }
    return BaseMotion(std::move(pieces));
}

}  // namespace topple::solver
