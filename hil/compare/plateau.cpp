#include "hil/compare/plateau.hpp"

#include <algorithm>
#include <cmath>

#include "hil/signal/even_grid.hpp"
#include "hil/signal/statistics.hpp"

namespace topple::hil::compare {
namespace {

bool is_constant(const solver::MotionPiece& piece) {
    return piece.harmonics.empty() && piece.polynomial[0] != 0.0 && piece.polynomial[1] == 0.0 &&
           piece.polynomial[2] == 0.0 && piece.polynomial[3] == 0.0 &&
           piece.end_s - piece.start_s >= kPlateauShortest_s;
}

/// Mean, slope and scatter of the achieved acceleration between two times.
void measure_level(const AchievedMotion& motion, double from_s, double to_s, Plateau& plateau) {
    std::vector<double> time_s, value;
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        const double t = motion.grid.time_s(i);
        if (t < from_s || t > to_s) continue;
        time_s.push_back(t - 0.5 * (from_s + to_s));
        value.push_back(motion.achieved.acceleration_m_s2[i]);
    }
    plateau.mean_m_s2 = signal::mean(value);
    const double middle_s = signal::mean(time_s);
    double product = 0.0, square = 0.0;
    for (std::size_t i = 0; i < value.size(); ++i) {
        product += (time_s[i] - middle_s) * (value[i] - plateau.mean_m_s2);
        square += (time_s[i] - middle_s) * (time_s[i] - middle_s);
    }
    plateau.slope_m_s3 = square > 0.0 ? product / square : 0.0;
    std::vector<double> about_line;
    for (std::size_t i = 0; i < value.size(); ++i)
        about_line.push_back(value[i] - plateau.mean_m_s2 - plateau.slope_m_s3 * (time_s[i] - middle_s));
    plateau.ripple_m_s2 = signal::root_mean_square(about_line);
    const double independent = std::max(1.0, 2.0 * motion.bandwidth_hz * (to_s - from_s));
    plateau.mean_error_m_s2 = plateau.ripple_m_s2 / std::sqrt(independent);
}

}  // namespace

std::vector<Plateau> find_plateaus(const AchievedMotion& motion, const solver::BaseMotion& planned) {
    std::vector<Plateau> plateaus;
    if (motion.empty() || std::none_of(planned.pieces().begin(), planned.pieces().end(), is_constant)) return plateaus;
    const MotionTrace wanted = trace_of_motion(planned, motion.grid, motion.bandwidth_hz);
    const auto gain = [&](const std::vector<double>& velocity_m_s, const Plateau& p) {
        return signal::interpolate(motion.grid, velocity_m_s, p.end_s) -
               signal::interpolate(motion.grid, velocity_m_s, p.start_s);
    };
    for (const solver::MotionPiece& piece : planned.pieces()) {
        if (!is_constant(piece) || piece.end_s > motion.grid.end_s()) continue;
        Plateau plateau{.start_s = piece.start_s, .end_s = piece.end_s, .planned_m_s2 = piece.polynomial[0]};
        measure_level(motion, piece.start_s + kPlateauEdge_s, piece.end_s - kPlateauEdge_s, plateau);
        plateau.planned_gain_m_s = gain(wanted.velocity_m_s, plateau);
        plateau.gain_m_s = gain(motion.achieved.velocity_m_s, plateau);
        plateaus.push_back(plateau);
    }
    return plateaus;
}

}  // namespace topple::hil::compare
