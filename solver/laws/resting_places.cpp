#include "solver/laws/resting_places.hpp"

#include <algorithm>
#include <cmath>

#include "solver/laws/foot_body.hpp"

namespace topple::solver {
namespace {

/// A foot on its seat, or its mirror image: the way to the left is that of the image to the right.
struct Profile {
    std::vector<ProfilePoint> corners_m;
    FaceRange roll;
    double overturned_rad = 0.0;
    std::vector<double> slope_rad;              ///< of each face
    std::vector<double> to_right_ratio;         ///< of an impact on each face, from its left to its right corner
    std::vector<double> along_m;                ///< where each corner meets the seat, downhill towards the right
    double inertia_kg_m2 = 0.0, mass_kg = 0.0;  ///< about the mass centre
    double tilt_rad = 0.0, gravity_m_s2 = 0.0;  ///< clockwise positive

    double radius_m(std::size_t corner) const noexcept {
        return std::hypot(corners_m[corner][0], corners_m[corner][1]);
    }
    /// Rotation at which the mass centre is over a corner.
    double balance_rad(std::size_t corner) const noexcept {
        return std::atan2(corners_m[corner][0], -corners_m[corner][1]) - tilt_rad;
    }
    /// Height of the mass centre while the body turns about a corner.
    double height_m(std::size_t corner, double rotation_rad) const noexcept {
        return radius_m(corner) * std::cos(balance_rad(corner) - rotation_rad) - along_m[corner] * std::sin(tilt_rad);
    }
    double inertia_about(std::size_t corner) const noexcept {
        return inertia_kg_m2 + mass_kg * radius_m(corner) * radius_m(corner);
    }
    double lift_j(double from_m, double to_m) const noexcept { return mass_kg * gravity_m_s2 * (to_m - from_m); }
    bool rests_on(std::size_t face) const noexcept {
        return balance_rad(face) < slope_rad[face] && slope_rad[face] < balance_rad(face + 1);
    }
};

Profile profile_of(const Specimen& specimen, double gravity_m_s2) {
    const Foot& foot = *specimen.foot;
    Profile profile;
    profile.corners_m = foot.corners_m;
    profile.roll = faces_of_roll(foot);
    profile.overturned_rad = foot.overturned_rad;
    profile.inertia_kg_m2 = foot.inertia_kg_m2;
    profile.mass_kg = specimen.blocks.front().mass_kg;
    profile.tilt_rad = specimen.initial_tilt_rad;
    profile.gravity_m_s2 = gravity_m_s2;
    profile.along_m.push_back(0.0);
    for (const FootFace& face : faces_of(foot, profile.mass_kg)) {
        profile.slope_rad.push_back(face.slope_rad);
        profile.along_m.push_back(profile.along_m.back() + face.length_m);
    }
    for (const auto& ratio : face_ratios(specimen)) profile.to_right_ratio.push_back(ratio[0]);
    return profile;
}

Profile mirrored(const Profile& profile, const std::vector<std::array<double, 2>>& ratios) {
    Profile image = profile;
    std::reverse(image.corners_m.begin(), image.corners_m.end());
    for (ProfilePoint& corner : image.corners_m) corner[0] = -corner[0];
    const std::size_t faces = profile.slope_rad.size();
    image.roll = {faces - profile.roll.end, faces - profile.roll.first};
    std::reverse(image.slope_rad.begin(), image.slope_rad.end());
    for (double& slope : image.slope_rad) slope = -slope;
    std::reverse(image.along_m.begin(), image.along_m.end());
    for (double& along : image.along_m) along = -along;
    image.tilt_rad = -image.tilt_rad;
    image.to_right_ratio.clear();
    for (auto ratio = ratios.rbegin(); ratio != ratios.rend(); ++ratio) image.to_right_ratio.push_back((*ratio)[1]);
    return image;
}

/// The corner about which it passes the hill to the right of a face on which it rests.
std::size_t corner_of_hill(const Profile& profile, std::size_t face) {
    std::size_t corner = face + 1;
    while (corner < profile.roll.end && profile.balance_rad(corner) >= profile.slope_rad[corner]) ++corner;
    return corner;
}

/// Backwards from the top of the hill, where it arrives without any rate.
std::optional<double> rate_to_right(const Profile& profile, std::size_t face, std::size_t hill, double top_rad) {
    double squared = 0.0, to_rad = top_rad;  // of the rate at the end of the arc about `corner`
    for (std::size_t corner = hill;; --corner) {
        const double from_rad = profile.slope_rad[corner - 1];
        const double lift_j = profile.lift_j(profile.height_m(corner, from_rad), profile.height_m(corner, to_rad));
        squared += 2.0 * lift_j / profile.inertia_about(corner);
        if (corner == face + 1) return std::sqrt(std::max(0.0, squared));
        const double ratio = profile.to_right_ratio[corner - 1];
        if (!(ratio > 0.0)) return std::nullopt;
        squared /= ratio * ratio;
        to_rad = from_rad;
    }
}

WayOver way_to_right(const Profile& profile, std::size_t face) {
    const std::size_t hill = corner_of_hill(profile, face);
    WayOver way;
    way.is_at_limit = !(profile.balance_rad(hill) < profile.overturned_rad);
    way.balance_rad = way.is_at_limit ? profile.overturned_rad : profile.balance_rad(hill);
    way.energy_j =
        profile.lift_j(profile.height_m(face + 1, profile.slope_rad[face]), profile.height_m(hill, way.balance_rad));
    way.rate_rad_s = rate_to_right(profile, face, hill, way.balance_rad);
    for (std::size_t next = hill; next < profile.roll.end && !way.face; ++next)
        if (profile.rests_on(next)) way.face = next;
    return way;
}

WayOver as_seen(WayOver way, std::size_t faces) {
    way.balance_rad = -way.balance_rad;
    if (way.face) way.face = faces - 1 - *way.face;
    return way;
}

}  // namespace

std::vector<std::array<double, 2>> face_ratios(const Specimen& specimen) {
    std::vector<std::array<double, 2>> ratios;
    if (!specimen.foot) return ratios;
    for (const FootBody::Face& face : make_foot_body(specimen, kStandardGravity_m_s2).faces)
        ratios.push_back(face.ratio);
    return ratios;
}

std::vector<RestingPlace> resting_places(const Specimen& specimen, double gravity_m_s2) {
    std::vector<RestingPlace> places;
    if (!specimen.foot) return places;
    const Profile profile = profile_of(specimen, gravity_m_s2);
    const Profile image = mirrored(profile, face_ratios(specimen));
    const std::vector<FootFace> faces = faces_of(*specimen.foot, profile.mass_kg);
    const double across_m_s2 = gravity_m_s2 * std::cos(profile.tilt_rad);
    const double along_m_s2 = gravity_m_s2 * std::sin(profile.tilt_rad);
    for (std::size_t i = 0; i < faces.size(); ++i) {
        if (!profile.roll.holds(i) || !profile.rests_on(i)) continue;
        const ProfilePoint &left = profile.corners_m[i], &right = profile.corners_m[i + 1];
        const double dx = right[0] - left[0], dz = right[1] - left[1], length_m = faces[i].length_m;
        const double left_m = -(left[0] * dx + left[1] * dz) / length_m;  // along the face from below the mass centre
        RestingPlace place;
        place.face = i;
        place.rotation_rad = profile.slope_rad[i];
        place.uplift_left_m_s2 = across_m_s2 * left_m / faces[i].height_m + along_m_s2;
        place.uplift_right_m_s2 = across_m_s2 * (length_m - left_m) / faces[i].height_m - along_m_s2;
        place.to_left = as_seen(way_to_right(image, faces.size() - 1 - i), faces.size());
        place.to_right = way_to_right(profile, i);
        places.push_back(place);
    }
    return places;
}

std::array<double, 2> no_return_rad(const Specimen& specimen) {
    if (specimen.foot) {
        const std::vector<RestingPlace> places = resting_places(specimen);
        if (places.empty()) return {0.0, 0.0};
        return {places.front().to_left.balance_rad, places.back().to_right.balance_rad};
    }
    if (specimen.pivots) return {-specimen.pivots->alpha_left_rad, specimen.pivots->alpha_right_rad};
    const double alpha_rad = specimen.blocks.empty() ? 0.0 : specimen.blocks.front().slenderness_rad();
    return {-alpha_rad, alpha_rad};
}

}  // namespace topple::solver
