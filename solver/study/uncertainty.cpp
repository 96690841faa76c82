#include "solver/study/uncertainty.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "solver/numerics/random_sequence.hpp"

namespace topple::solver {
namespace {

/// Uniform in -1..1: twice the normal distribution's probability up to the draw, less 1.
double uniform_of(double standard_normal) noexcept { return std::erf(standard_normal / std::numbers::sqrt2); }

/// The seed goes through the generator once so that neighbouring seeds and indices do not share sequences.
SplitMix64 stream_of(std::uint64_t seed, std::uint64_t index) noexcept {
    return SplitMix64(SplitMix64(seed).next() ^ (index * 0xD1342543DE82EF95ull));
}

/// A sequence of its own once more: what was drawn before there were these stays as it was.
void draw_pose(const Uncertainty& uncertainty, std::uint64_t seed, std::uint64_t index, std::size_t faces,
               Perturbation& specimen) {
    constexpr std::uint64_t kThirdStream = 0xDA3E39CB94B95BDBull;
    SplitMix64 third = stream_of(seed ^ kThirdStream, index);
    const auto [yaw, seat] = normal_pair(third);
    specimen.yaw_rad = uncertainty.yaw_rad.offset(yaw);
    specimen.seat_m = uncertainty.seat_m.offset(seat);
    specimen.wear_m = uncertainty.wear_m.offset(std::abs(normal_pair(third)[0]));
    if (uncertainty.restitution_face.kind == DistributionKind::fixed && uncertainty.restitution_face.centre == 0.0)
        return;
    for (std::size_t face = 0; face < faces; ++face)
        specimen.face_factors.push_back(uncertainty.restitution_face.factor(normal_pair(third)[0]));
}

}  // namespace

std::string_view name(DistributionKind kind) noexcept {
    switch (kind) {
        case DistributionKind::fixed: return "fixed";
        case DistributionKind::normal: return "normal";
        case DistributionKind::lognormal: return "lognormal";
        case DistributionKind::uniform: return "uniform";
    }
    return "?";
}

double Distribution::factor(double standard_normal) const noexcept {
    return kind == DistributionKind::lognormal ? std::exp(centre + spread * standard_normal)
                                               : 1.0 + offset(standard_normal);
}

double Distribution::offset(double standard_normal) const noexcept {
    switch (kind) {
        case DistributionKind::fixed:
        case DistributionKind::lognormal: return centre;
        case DistributionKind::normal: return centre + spread * standard_normal;
        case DistributionKind::uniform: return centre + spread * uniform_of(standard_normal);
    }
    return 0.0;
}

const Distribution& distribution_of(const Uncertainty& uncertainty, SpecimenParameter parameter) noexcept {
    switch (parameter) {
        case SpecimenParameter::impulse_position: return uncertainty.impulse_position;
        case SpecimenParameter::width: return uncertainty.width;
        case SpecimenParameter::height: return uncertainty.height;
        case SpecimenParameter::tilt_rad: return uncertainty.tilt_rad;
        case SpecimenParameter::friction: return uncertainty.friction;
        case SpecimenParameter::restitution: break;
    }
    return uncertainty.restitution;
}

Distribution& distribution_of(Uncertainty& uncertainty, SpecimenParameter parameter) noexcept {
    return const_cast<Distribution&>(distribution_of(std::as_const(uncertainty), parameter));
}

StandardDraw correlated(const Uncertainty& uncertainty, const StandardDraw& independent) noexcept {
    if (!uncertainty.correlation) return independent;
    constexpr double kCut = 4.0;  // as of every independent draw
    StandardDraw together{};
    for (std::size_t row = 0; row < kSpecimenParameters; ++row) {
        for (std::size_t column = 0; column <= row; ++column)
            together[row] += (*uncertainty.correlation)[row][column] * independent[column];
        together[row] = std::clamp(together[row], -kCut, kCut);
    }
    return together;
}

Perturbation perturbation_at(const Uncertainty& uncertainty, const StandardDraw& independent) {
    const auto [restitution, position, width, height, tilt, friction] = correlated(uncertainty, independent);
    Perturbation specimen;
    specimen.restitution_factor = uncertainty.restitution.factor(restitution);
    specimen.width_factors = {uncertainty.width.factor(width)};
    specimen.tilt_rad = uncertainty.tilt_rad.offset(tilt);
    specimen.height_factors = {uncertainty.height.factor(height)};
    specimen.impulse_position_factor = uncertainty.impulse_position.factor(position);
    specimen.friction_factor = uncertainty.friction.factor(friction);
    return specimen;
}

MemberDraw draw_member(const Uncertainty& uncertainty, std::uint64_t seed, std::uint64_t index, std::size_t feet,
                       std::size_t faces) {
    SplitMix64 random = stream_of(seed, index);
    const auto [restitution, width] = normal_pair(random);
    const double tilt = normal_pair(random)[0];
    std::vector<double> further_widths, heights;
    for (std::size_t foot = 1; foot < feet; ++foot) further_widths.push_back(normal_pair(random)[0]);
    // A sequence of their own, whatever the number of feet.
    constexpr std::uint64_t kSecondStream = 0x5851F42D4C957F2Dull;
    SplitMix64 second = stream_of(seed ^ kSecondStream, index);
    const auto [amplitude, frequency] = normal_pair(second);
    const auto [position, friction] = normal_pair(second);
    for (std::size_t foot = 0; foot < feet; ++foot) heights.push_back(normal_pair(second)[0]);
    const double first_height = heights.empty() ? 0.0 : heights.front();
    MemberDraw member{perturbation_at(uncertainty, {restitution, position, width, first_height, tilt, friction}),
                      {uncertainty.amplitude.factor(amplitude), uncertainty.frequency.factor(frequency)}};
    Perturbation& specimen = member.perturbation;
    for (const double foot : further_widths) specimen.width_factors.push_back(uncertainty.width.factor(foot));
    for (std::size_t foot = 1; foot < feet; ++foot)
        specimen.height_factors.push_back(uncertainty.height.factor(heights[foot]));
    if (feet == 0) specimen.width_factors.clear(), specimen.height_factors.clear();
    if (faces > 0) draw_pose(uncertainty, seed, index, faces, specimen);
    return member;
}

}  // namespace topple::solver
