#include "hil/mesh/mass_properties.hpp"

#include <cmath>

namespace topple::hil::mesh {
namespace {

/// Sum that keeps what rounding takes away (Neumaier 1974).
class Sum {
  public:
    void add(double value) noexcept {
        const double next = sum_ + value;
        lost_ += std::abs(sum_) >= std::abs(value) ? (sum_ - next) + value : (value - next) + sum_;
        sum_ = next;
    }
    double value() const noexcept { return sum_ + lost_; }

  private:
    double sum_ = 0.0, lost_ = 0.0;
};

}  // namespace

MassProperties mass_properties(const TriangleMesh& mesh) noexcept {
    // Of the tetrahedron (0, a, b, c) with six times the volume d = a . (b x c) and s = a + b + c:
    // integral of x_i = d s_i / 24, of x_i x_j = d (a_i a_j + b_i b_j + c_i c_j + s_i s_j) / 120.
    const SpacePoint origin = box_of(mesh.points).centre();
    constexpr std::size_t kPairs[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
    Sum volume;
    std::array<Sum, 3> first;
    std::array<Sum, 6> second;
    for (const Triangle& triangle : mesh.triangles) {
        const SpacePoint a = mesh.points[triangle[0]] - origin, b = mesh.points[triangle[1]] - origin,
                         c = mesh.points[triangle[2]] - origin;
        const double d = dot(a, cross(b, c));
        const SpacePoint s{a[0] + b[0] + c[0], a[1] + b[1] + c[1], a[2] + b[2] + c[2]};
        volume.add(d);
        for (std::size_t i = 0; i < 3; ++i) first[i].add(d * s[i]);
        for (std::size_t n = 0; n < 6; ++n) {
            const auto [i, j] = kPairs[n];
            second[n].add(d * (a[i] * a[j] + b[i] * b[j] + c[i] * c[j] + s[i] * s[j]));
        }
    }
    MassProperties result;
    result.volume = volume.value() / 6.0;
    SpacePoint centre;
    for (std::size_t i = 0; i < 3; ++i) {
        centre[i] = first[i].value() / 24.0 / result.volume;
        result.centre[i] = origin[i] + centre[i];
    }
    std::array<double, 6> moment;  // of second order, about the centre
    for (std::size_t n = 0; n < 6; ++n)
        moment[n] = second[n].value() / 120.0 - result.volume * centre[kPairs[n][0]] * centre[kPairs[n][1]];
    result.inertia = {moment[1] + moment[2], moment[0] + moment[2], moment[0] + moment[1],
                      moment[3],             moment[4],             moment[5]};
    return result;
}

}  // namespace topple::hil::mesh
