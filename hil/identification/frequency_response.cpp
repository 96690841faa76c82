#include "hil/identification/frequency_response.hpp"

#include <cmath>
#include <numbers>

namespace topple::hil::identification {

std::vector<LineResponse> frequency_response(std::span<const double> frequency_hz, std::span<const Spectrum> inputs,
                                             std::span<const Spectrum> outputs) {
    return frequency_response(frequency_hz, inputs, outputs, inputs);
}

// With R = X it is H1. The error: the residual E = Y - H X gives H an error of sum(E conj R) / sum(X conj R), of the
// variance s^2 sum |R|^2 / |sum(X conj R)|^2.
std::vector<LineResponse> frequency_response(std::span<const double> frequency_hz, std::span<const Spectrum> inputs,
                                             std::span<const Spectrum> outputs, std::span<const Spectrum> references) {
    constexpr std::size_t kFewestRecords = 3;
    std::vector<LineResponse> lines;
    const std::size_t records = inputs.size();
    if (records < kFewestRecords) return lines;
    for (std::size_t k = 0; k < frequency_hz.size(); ++k) {
        std::complex<double> output_reference = 0.0, input_reference = 0.0, output_input = 0.0;
        double input = 0.0, output = 0.0, reference = 0.0, residual = 0.0;
        for (std::size_t i = 0; i < records; ++i) {
            const std::complex<double> x = inputs[i][k], y = outputs[i][k], r = references[i][k];
            output_reference += y * std::conj(r);
            input_reference += x * std::conj(r);
            output_input += y * std::conj(x);
            input += std::norm(x);
            output += std::norm(y);
            reference += std::norm(r);
        }
        if (!(input > 0.0) || !(output > 0.0) || !(std::norm(input_reference) > 0.0)) continue;
        LineResponse line;
        line.frequency_hz = frequency_hz[k];
        line.response = output_reference / input_reference;
        line.coherence = std::norm(output_input) / (input * output);
        if (!(line.coherence >= kCoherenceMin)) continue;
        for (std::size_t i = 0; i < records; ++i) residual += std::norm(outputs[i][k] - line.response * inputs[i][k]);
        // Of the complex number; each of its parts has half of the variance.
        const double variance = residual / static_cast<double>(records - 1) * reference / std::norm(input_reference);
        line.error_ratio = std::sqrt(0.5 * variance) / std::abs(line.response);
        if (line.error_ratio > kErrorMax_ratio) continue;
        lines.push_back(line);
    }
    return lines;
}

double fit_error_ratio(const LineResponse& line) noexcept {
    constexpr double kFloor_ratio = 0.005;
    return std::hypot(line.error_ratio, kFloor_ratio);
}

double misfit_ratio(std::span<const LineResponse> lines, std::span<const std::complex<double>> model) {
    double squares = 0.0, weights = 0.0;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const double error = fit_error_ratio(lines[k]), weight = 1.0 / (error * error);
        squares += weight * std::norm(lines[k].response / model[k] - 1.0);
        weights += weight;
    }
    return weights > 0.0 ? std::sqrt(squares / weights) : 0.0;
}

double bandwidth_hz(std::span<const LineResponse> lines) {
    constexpr double kHalfPower = 1.0 / std::numbers::sqrt2;
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const double now = std::abs(lines[k].response);
        if (now >= kHalfPower) continue;
        if (k == 0) return lines[k].frequency_hz;
        const double before = std::abs(lines[k - 1].response), share = (before - kHalfPower) / (before - now);
        return lines[k - 1].frequency_hz + share * (lines[k].frequency_hz - lines[k - 1].frequency_hz);
    }
    return 0.0;
}

}  // namespace topple::hil::identification
