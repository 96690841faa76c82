// The frequency response of the device's position servo, found by asking the servo itself.
#pragma once

#include <complex>
#include <vector>

#include "firmware_iface/device/servo.hpp"

namespace topple::hil::identification {

/// The servo is linear as long as its force is not limited and the speed keeps its sign (the Coulomb part of the
/// friction is then a constant). A pulse at each input, sample by sample through firmware_iface::Servo, gives all there
/// is to know: F(f) = setpoint(f) R(f) - position(f) X(f).
class ServoResponse {
  public:
    explicit ServoResponse(const firmware_iface::ServoParameters& parameters);

    /// Force per setpoint's displacement, whose velocity and acceleration come with it; N/m.
    std::complex<double> setpoint_n_m(double angular_frequency_rad_s) const;
    /// Force against a displacement that is measured; N/m.
    std::complex<double> position_n_m(double angular_frequency_rad_s) const;

  private:
    using Pulse = std::vector<double>;  // answer to a pulse, differenced: the integrator's remainder is gone
    std::complex<double> transform(const Pulse& pulse, double angular_frequency_rad_s) const;

    double sample_s_;
    Pulse setpoint_position_, setpoint_velocity_, setpoint_acceleration_, position_;
};

}  // namespace topple::hil::identification
