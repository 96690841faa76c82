// Frequency response from several records of the same lines, with the coherence and the error that their spread shows.
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace topple::hil::identification {

/// Lines below it are not shown and not used: more than a fifth of the output's power is not the input's doing.
inline constexpr double kCoherenceMin = 0.8;

/// And lines that are not known to a quarter.
inline constexpr double kErrorMax_ratio = 0.25;
/// With fewer of the lines the table has play, or was moved too weakly: what is missing lies where it resonates, so
/// that no resonance is told.
inline constexpr double kLinesMinShare = 0.9;

/// One line.
struct LineResponse {
    double frequency_hz = 0.0;
    std::complex<double> response;
    double coherence = 0.0;  ///< |sum(Y conj X)|^2 / (sum |X|^2 sum |Y|^2), 0 .. 1
    /// Standard error of the response over its magnitude; of its real, as of its imaginary part. Its phase has the same
    /// error in rad.
    double error_ratio = 0.0;
};

using Spectrum = std::vector<std::complex<double>>;  ///< one amplitude per line

/// From a known input: H1 = sum(Y conj X) / sum(|X|^2) over the records. Lines with a coherence of at least
/// kCoherenceMin; `inputs[i]` and `outputs[i]` belong together. Fewer than three records: none, since there is no
/// spread to judge by.
std::vector<LineResponse> frequency_response(std::span<const double> frequency_hz, std::span<const Spectrum> inputs,
                                             std::span<const Spectrum> outputs);

/// From an input that is measured, and noisy, in a loop that a known `reference` R drives: sum(Y conj R) / sum(X conj
/// R). The noise of X does not bias it, as it would H1. Derived in docs/identification.md#frequency-response.
std::vector<LineResponse> frequency_response(std::span<const double> frequency_hz, std::span<const Spectrum> inputs,
                                             std::span<const Spectrum> outputs, std::span<const Spectrum> references);

/// Weight of a line in a fit: no line is believed more than to half a percent, since no model is perfect.
double fit_error_ratio(const LineResponse& line) noexcept;
/// rms of |measured / model - 1| over the lines, each weighted by 1 / fit_error_ratio^2.
double misfit_ratio(std::span<const LineResponse> lines, std::span<const std::complex<double>> model);

/// Where the magnitude first falls below 1/sqrt(2) of 1, between the lines by straight lines; 0 if it does not.
double bandwidth_hz(std::span<const LineResponse> lines);

}  // namespace topple::hil::identification
