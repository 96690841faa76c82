// What a recording of a table says at the lines of the multisine and, over a stroke, on the mean.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "firmware_iface/samples.hpp"
#include "hil/identification/excitation.hpp"

namespace topple::hil::identification {

/// The auxiliary input that measures the drive's force.
struct ForceChannel {
    std::size_t input = 0;  ///< of the device, from 0
    double scale_n_v = 1.0, offset_n = 0.0;
};

/// One motion as it was fed back.
struct Recording {
    std::span<const firmware_iface::Feedback> feedback;
    std::uint64_t start_us = 0;  ///< device time of the first setpoint
};

/// The channels of one stretch, table frame, without the carrier's motion.
struct StretchSamples {
    std::vector<double> time_s, setpoint_m, position_m;
    std::vector<double> acceleration_m_s2, force_n;  ///< empty: the device does not report it
    Stretch stretch;
};

/// Empty, with the reason, if feedback of the stretch is missing or it does not come at even times: lines would leak.
struct CutStretch {
    std::optional<StretchSamples> samples;
    std::string missing;
};
CutStretch cut_stretch(const Recording& recording, const IdentificationMotion& motion, const Stretch& stretch,
                       const firmware_iface::MachineDescription& machine, const std::optional<ForceChannel>& force);

/// Amplitudes X_k of sum_k Re(X_k exp(i 2 pi f_k t)); the samples span whole periods of every line and are even.
std::vector<std::complex<double>> line_spectrum(std::span<const double> time_s, std::span<const double> samples,
                                                std::span<const double> frequency_hz);

/// Of one stretch, all channels. What is not reported stays empty.
struct LineSpectra {
    std::vector<std::complex<double>> setpoint_m, position_m, acceleration_m_s2, force_n;
};
LineSpectra line_spectra(const StretchSamples& samples, std::span<const double> frequency_hz);

}  // namespace topple::hil::identification
