#include "solver/contact_dynamics/start.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <utility>

namespace topple::solver::contact {
namespace {

double at_or_zero(const std::vector<double>& values, std::size_t i) { return i < values.size() ? values[i] : 0.0; }

Support support_of(double rotation_rad, double rate_rad_s) {
    const double side = rotation_rad != 0.0 ? rotation_rad : rate_rad_s;
    return side > 0.0 ? Support::right : side < 0.0 ? Support::left : Support::full;
}

Body body_of(double mass_kg, double inertia_kg_m2, double half_width_m, double half_height_m) {
    Body body;
    body.inverse_mass_1_kg = 1.0 / mass_kg;
    body.inverse_inertia_1_kg_m2 = 1.0 / inertia_kg_m2;
    body.half_width_m = half_width_m;
    body.half_height_m = half_height_m;
    return body;
}

void pose(Body& body, double rotation_rad, double rate_rad_s) {
    body.rotation_rad = rotation_rad;
    body.rate_rad_s = rate_rad_s;
    body.sine = std::sin(rotation_rad);
    body.cosine = std::cos(rotation_rad);
}

double pivot_sign(Support support) { return support == Support::right ? 1.0 : support == Support::left ? -1.0 : 0.0; }

/// Rounding must not open a corner that touches: sinks what stands on interface `k` by the last digits.
void sink(Assembly& assembly, Beam* beam, int k) {
    std::vector<Contact> contacts;
    contacts.reserve(assembly.slots.size());
    Body& upper = assembly.bodies[static_cast<std::size_t>(k) + 1];
    const double digit_m = 1e-16 * (std::abs(upper.centre_m.z) + upper.half_width_m + upper.half_height_m);
    for (int digits = 1; digits <= 64; digits *= 2) {
        assembly.standing = k + 1;
        find_contacts(assembly, beam, kLateralTolerance_m, contacts);
        const auto closed =
            std::count_if(contacts.begin(), contacts.end(), [k](const Contact& c) { return c.lower == k; });
        const double flat_rad = assembly.foot ? assembly.foot->slope_rad(assembly.foot->face_near(upper.rotation_rad))
                                              : assembly.bodies[static_cast<std::size_t>(k)].rotation_rad;
        const bool stands_flat = upper.rotation_rad == flat_rad;
        if (closed >= (stands_flat ? 2 : 1)) break;
        const Body& lower = assembly.bodies[static_cast<std::size_t>(k)];
        upper.centre_m = upper.centre_m - digits * digit_m * Vec2{lower.sine, lower.cosine};
        upper.sought_m = upper.centre_m;
    }
}

/// The only body, on the corner of its rotation.
void add_foot(Assembly& assembly, const Specimen& specimen, const Posture& posture) {
    assembly.foot = std::make_shared<const FootRoll>(*specimen.foot);
    const FootRoll& foot = *assembly.foot;
    const std::size_t stands = foot.standing_face();
    const ProfilePoint &left = foot.corner_m(stands), &right = foot.corner_m(stands + 1);
    Body body =
        body_of(specimen.blocks.front().mass_kg, specimen.foot->inertia_kg_m2, 0.5 * (right[0] - left[0]), -left[1]);
    pose(body, posture.rotation_rad[0], posture.rate_rad_s[0]);
    const std::size_t corner = foot.corner_at(body.rotation_rad, body.rate_rad_s);
    const Vec2 to_centre = turned({-foot.corner_m(corner)[0], -foot.corner_m(corner)[1]}, body.sine, body.cosine);
    body.centre_m = body.sought_m = Vec2{foot.laid_m(corner) + posture.slip_m, 0.0} + to_centre;
    body.velocity_m_s = Vec2{posture.slip_rate_m_s, 0.0} + body.rate_rad_s * perpendicular(to_centre);
    assembly.bodies.push_back(body);
    assembly.slots.resize(foot.corner_count());
    sink(assembly, nullptr, 0);
}

}  // namespace

Posture initial_posture(const Specimen& specimen) {
    Posture posture;
    double rotation_below_rad = 0.0, rate_below_rad_s = 0.0;
    for (std::size_t i = 0; i < specimen.blocks.size(); ++i) {
        const double rotation_rad = at_or_zero(specimen.initial_rotation_rad, i);
        const double rate_rad_s = at_or_zero(specimen.initial_rotation_rate_rad_s, i);
        posture.rotation_rad.push_back(rotation_rad);
        posture.rate_rad_s.push_back(rate_rad_s);
        posture.support.push_back(support_of(rotation_rad - rotation_below_rad, rate_rad_s - rate_below_rad_s));
        rotation_below_rad = rotation_rad;
        rate_below_rad_s = rate_rad_s;
    }
    return posture;
}

std::optional<Beam> beam_of(const Specimen& specimen, const Posture& posture, const SolverOptions& options) {
    if (!specimen.beam || specimen.blocks.empty()) return std::nullopt;
    double weight_n = 0.0;
    for (const Block& block : specimen.blocks) weight_n += block.mass_kg * options.gravity_m_s2;
    std::optional<Beam> beam(std::in_place, *specimen.beam, weight_n, options.gravity_m_s2, options.contact.time_step_s,
                             options.contact.theta);
    const double half_m = 0.5 * specimen.blocks.front().width_m, side = pivot_sign(posture.support.front());
    if (!(specimen.beam->length_m > 2.0 * half_m))
        throw std::invalid_argument("base.beam.length_m: the beam is not longer than the block that stands on it");
    beam->settle_under({-half_m, half_m}, {0.5 * (1.0 - side) * weight_n, 0.5 * (1.0 + side) * weight_n});
    return beam;
}

Assembly assembly_of(const Specimen& specimen, const Posture& posture, Beam* beam) {
    Assembly assembly;
    const std::size_t count = posture.rotation_rad.size();
    assembly.bodies.emplace_back();
    if (specimen.foot && count == 1) add_foot(assembly, specimen, posture);
    Vec2 pivot{posture.slip_m, 0.0}, pivot_velocity{posture.slip_rate_m_s, 0.0};
    for (std::size_t i = 0; i < count && !assembly.foot; ++i) {
        const Block& block = specimen.blocks[i];
        Body body = body_of(block.mass_kg, 1.0, 0.5 * block.width_m, 0.5 * block.height_m);
        body.inverse_inertia_1_kg_m2 =
            12.0 / (block.mass_kg * (block.width_m * block.width_m + block.height_m * block.height_m));
        pose(body, posture.rotation_rad[i], posture.rate_rad_s[i]);
        const double own_m = pivot_sign(posture.support[i]) * body.half_width_m;
        // The pivot lies on the face below at the place of this block's corner.
        const Body& below = assembly.bodies.back();
        const Vec2 along = turned({own_m, 0.0}, below.sine, below.cosine);
        pivot = pivot + along;
        if (i == 0 && beam) pivot.z = beam->axis_m(own_m != 0.0 ? pivot.x : body.half_width_m);
        pivot_velocity = pivot_velocity + below.rate_rad_s * perpendicular(along);
        const Vec2 to_centre = turned({-own_m, body.half_height_m}, body.sine, body.cosine);
        body.centre_m = body.sought_m = pivot + to_centre;
        body.velocity_m_s = pivot_velocity + body.rate_rad_s * perpendicular(to_centre);
        const Vec2 to_top = turned({-own_m, 2.0 * body.half_height_m}, body.sine, body.cosine);
        pivot = pivot + to_top;
        pivot_velocity = pivot_velocity + body.rate_rad_s * perpendicular(to_top);
        assembly.bodies.push_back(body);
        assembly.slots.resize(assembly.slots.size() + kSlotsPerInterface);
        sink(assembly, beam, static_cast<int>(i));
    }
    assembly.standing = static_cast<int>(count);
    if (count == 1 && specimen.initial_velocity_m_s)
        assembly.bodies[1].velocity_m_s = {(*specimen.initial_velocity_m_s)[0], (*specimen.initial_velocity_m_s)[1]};
    for (Slot& slot : assembly.slots) slot.is_closed = slot.was_closed = slot.gap_m <= 0.0 && slot.is_closed;
    return assembly;
}

}  // namespace topple::solver::contact
