#include "hil/identification/servo_response.hpp"

#include <algorithm>
#include <cmath>

namespace topple::hil::identification {
namespace {

using firmware_iface::AxisSetpoint;
using firmware_iface::Servo;
using firmware_iface::ServoParameters;

constexpr double kAnswer_s = 0.5;          // the observer and the filter of the setpoint have forgotten by then
constexpr double kForgotten_ratio = 1e-9;  // of the largest; what follows is left out
constexpr double kUnlimited_n = 1e15;

std::vector<double> answer(const ServoParameters& parameters, const AxisSetpoint& setpoint, double position_m) {
    Servo servo(parameters);
    servo.reset(0.0);
    const auto count = static_cast<std::size_t>(std::lround(kAnswer_s / parameters.sample_s));
    std::vector<double> force(count);
    double before = 0.0, largest = 0.0;
    for (std::size_t i = 0; i < count; ++i) {
        const double now = servo.step(i == 0 ? setpoint : AxisSetpoint{}, i == 0 ? position_m : 0.0);
        force[i] = now - before;
        before = now;
        largest = std::max(largest, std::abs(force[i]));
    }
    while (!force.empty() && std::abs(force.back()) <= kForgotten_ratio * largest) force.pop_back();
    return force;
}

}  // namespace

ServoResponse::ServoResponse(const ServoParameters& parameters) : sample_s_(parameters.sample_s) {
    ServoParameters linear = parameters;
    linear.force_max_n = kUnlimited_n;
    linear.gains.coulomb_n = 0.0;
    setpoint_position_ = answer(linear, {1.0, 0.0, 0.0}, 0.0);
    setpoint_velocity_ = answer(linear, {0.0, 1.0, 0.0}, 0.0);
    setpoint_acceleration_ = answer(linear, {0.0, 0.0, 1.0}, 0.0);
    position_ = answer(linear, {}, 1.0);
}

std::complex<double> ServoResponse::transform(const Pulse& pulse, double angular_frequency_rad_s) const {
    const std::complex<double> step = std::polar(1.0, -angular_frequency_rad_s * sample_s_);
    std::complex<double> sum = 0.0, turn = 1.0;
    for (const double force : pulse) {
        sum += force * turn;
        turn *= step;
    }
    return sum / (1.0 - step);
}

std::complex<double> ServoResponse::setpoint_n_m(double angular_frequency_rad_s) const {
    const std::complex<double> s(0.0, angular_frequency_rad_s);
    return transform(setpoint_position_, angular_frequency_rad_s) +
           s * transform(setpoint_velocity_, angular_frequency_rad_s) +
           s * s * transform(setpoint_acceleration_, angular_frequency_rad_s);
}

std::complex<double> ServoResponse::position_n_m(double angular_frequency_rad_s) const {
    return -transform(position_, angular_frequency_rad_s);
}

}  // namespace topple::hil::identification
