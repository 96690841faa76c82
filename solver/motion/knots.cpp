#include "solver/motion/knots.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace topple::solver {
namespace {

/// Second derivative of the quintic through two states, h apart.
std::array<double, 4> cubic_acceleration(const BaseState& from, const BaseState& to, double h) {
    const double way = to.displacement_m - from.displacement_m - h * from.velocity_m_s;
    const double gain = (to.velocity_m_s - from.velocity_m_s) * h;
    const double from_a = from.acceleration_m_s2 * h * h, to_a = to.acceleration_m_s2 * h * h;
    // x = x0 + v0 tau + a0 tau^2/2 + c3 s^3 + c4 s^4 + c5 s^5 with s = tau/h.
    const double c3 = 10.0 * way - 4.0 * gain - 1.5 * from_a + 0.5 * to_a;
    const double c4 = -15.0 * way + 7.0 * gain + 1.5 * from_a - to_a;
    const double c5 = 6.0 * way - 3.0 * gain - 0.5 * from_a + 0.5 * to_a;
    const double h3 = h * h * h;
    return {from.acceleration_m_s2, 6.0 * c3 / h3, 12.0 * c4 / (h3 * h), 20.0 * c5 / (h3 * h * h)};
}

}  // namespace

BaseMotion motion_through(std::span<const double> time_s, std::span<const BaseState> knots) {
    if (time_s.size() != knots.size() || knots.size() < 2)
        throw std::invalid_argument("motion through knots: as many times as knots are needed, at least 2");
    std::vector<MotionPiece> pieces(knots.size() - 1);
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        if (!(time_s[i + 1] > time_s[i]))
            throw std::invalid_argument("motion through knots: times do not increase at knot " + std::to_string(i + 1));
        pieces[i].start_s = time_s[i];
        pieces[i].end_s = time_s[i + 1];
        pieces[i].polynomial = cubic_acceleration(knots[i], knots[i + 1], time_s[i + 1] - time_s[i]);
    }
    return BaseMotion(std::move(pieces), knots.front().displacement_m, knots.front().velocity_m_s);
}

}  // namespace topple::solver
