#include "solver/study/uncertainty.hpp"

#include <cmath>
#include <numbers>

#include "solver/numerics/random_sequence.hpp"

namespace topple::solver {
namespace {

/// Uniform in -1..1: twice the normal distribution's probability up to the draw, less 1.
double uniform_of(double standard_normal) noexcept { return std::erf(standard_normal / std::numbers::sqrt2); }

/// The seed goes through the generator once so that neighbouring seeds and indices do not share sequences.
SplitMix64 stream_of(std::uint64_t seed, std::uint64_t index) noexcept {
    return SplitMix64(SplitMix64(seed).next() ^ (index * 0xD1342543DE82EF95ull));
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
    return kind == DistributionKind::lognormal ? std::exp(spread * standard_normal) : 1.0 + offset(standard_normal);
}

double Distribution::offset(double standard_normal) const noexcept {
    switch (kind) {
        case DistributionKind::fixed:
        case DistributionKind::lognormal: return 0.0;
        case DistributionKind::normal: return spread * standard_normal;
        case DistributionKind::uniform: return spread * uniform_of(standard_normal);
    }
    return 0.0;
}

MemberDraw draw_member(const Uncertainty& uncertainty, std::uint64_t seed, std::uint64_t index, std::size_t feet) {
    SplitMix64 random = stream_of(seed, index);
    const auto [restitution, width] = normal_pair(random);
    const double tilt = normal_pair(random)[0];
    MemberDraw member;
    Perturbation& specimen = member.perturbation;
    specimen.restitution_factor = uncertainty.restitution.factor(restitution);
    specimen.tilt_rad = uncertainty.tilt_rad.offset(tilt);
    for (std::size_t foot = 0; foot < feet; ++foot)
        specimen.width_factors.push_back(uncertainty.width.factor(foot == 0 ? width : normal_pair(random)[0]));
    // A sequence of their own, whatever the number of feet.
    constexpr std::uint64_t kSecondStream = 0x5851F42D4C957F2Dull;
    SplitMix64 second = stream_of(seed ^ kSecondStream, index);
    const auto [amplitude, frequency] = normal_pair(second);
    const auto [position, friction] = normal_pair(second);
    member.motion = {uncertainty.amplitude.factor(amplitude), uncertainty.frequency.factor(frequency)};
    specimen.impulse_position_factor = uncertainty.impulse_position.factor(position);
    specimen.friction_factor = uncertainty.friction.factor(friction);
    for (std::size_t foot = 0; foot < feet; ++foot)
        specimen.height_factors.push_back(uncertainty.height.factor(normal_pair(second)[0]));
    return member;
}

}  // namespace topple::solver
