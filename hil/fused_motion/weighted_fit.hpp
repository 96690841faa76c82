// Gain and bias by weighted least squares with errors in both channels, and the noise that their disagreement shows.
#pragma once

#include "hil/fused_motion/weak_form.hpp"

namespace topple::hil::fused_motion {

/// Two-sided densities of white noise.
struct Noise {
    double acceleration = 0.0;  ///< of the calibrated acceleration, (m/s2)^2/Hz
    double displacement = 0.0;  ///< m^2/Hz
};

/// displacement = gain (reading taken shift_s later) - offset; offset = gain bias.
struct GainFit {
    double gain = 0.0, offset_m_s2 = 0.0;
    double gain_variance = 0.0, offset_variance = 0.0, covariance = 0.0;
    double explained = 0.0;  ///< of -log(likelihood), against gain and offset 0
    bool is_found = false;
};

/// `previous_gain`: with it the noise of the reading is known in its unit, and its attenuation is taken out; 0: is not.
GainFit fit_gain(const WeakForm& form, const Noise& noise, double shift_s, double previous_gain);
/// The explained part alone, as of fit_gain with previous_gain 0; negative sign if the gain is.
double explained_at(const WeakForm& form, const Noise& noise, double shift_s);

/// Of what is left (Whittle's likelihood), no smaller than `least`.
Noise fit_noise(const WeakForm& form, const GainFit& fit, double shift_s, const Noise& start, const Noise& least);
double variance_at(const WeakForm& form, const Noise& noise, std::size_t bin);

/// Of the reading less its bias, times the gain: what the displacement should be.
std::complex<double> calibrated(const WeakForm& form, const GainFit& fit, double shift_s, std::size_t bin);

}  // namespace topple::hil::fused_motion
