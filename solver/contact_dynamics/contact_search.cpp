#include "solver/contact_dynamics/contact_search.hpp"

#include "solver/contact_dynamics/beam.hpp"

#include <algorithm>
#include <cmath>

namespace topple::solver::contact {
namespace {

/// A point in the axes of a body.
Vec2 in_axes(const Body& body, Vec2 point) noexcept {
    const Vec2 d = point - body.sought_m;
    return turned(d, -body.sine, body.cosine);
}

Vec2 corner(const Body& body, double x_sign, double z_sign) noexcept {
    return body.sought_m + turned({x_sign * body.half_width_m, z_sign * body.half_height_m}, body.sine, body.cosine);
}

/// Gap and face of a corner beside a rectangle; `up` = +1: its level face is the top, -1: the lower one; `margin_m`
/// widens the level face.
bool close(Slot& slot, const Body& box, Vec2 point, double up, double margin_m, double depth_m) noexcept {
    const Vec2 p = slot.place_m = in_axes(box, point);
    const double level = up * p.z - box.half_height_m, side = std::abs(p.x) - box.half_width_m;
    if (level > 0.0 || side > 0.0) {
        const bool beside = side > level && level < -depth_m;
        slot.face = !beside ? Face::level : p.x < 0.0 ? Face::left : Face::right;
    }
    if (slot.face == Face::level) {
        slot.gap_m = level;
        return level <= 0.0 && side <= margin_m && level > -box.half_height_m;
    }
    slot.gap_m = side;
    return side <= 0.0 && level <= 0.0 && up * p.z >= -box.half_height_m;
}

/// From the lower body to the upper one, for a face of the lower (`up` = +1) or of the upper body.
Vec2 normal_of(Face face, const Body& box, double up) noexcept {
    if (face == Face::level) return {box.sine, box.cosine};
    const double out = face == Face::left ? -up : up;
    return {out * box.cosine, -out * box.sine};
}

/// What a slot keeps from the step before, once it is known whether it is closed.
void carry_on(Slot& slot, Face face_before) noexcept {
    if (!slot.is_closed || slot.face != face_before) {
        slot.impulse = {};
        slot.mode = {};
    }
    if (slot.was_closed) slot.widest_m = 0.0;
    slot.widest_m = std::max(slot.widest_m, slot.gap_m);
}

void add_contact(std::vector<Contact>& contacts, int slot, int lower, const Assembly& assembly, Vec2 point,
                 Vec2 normal) noexcept {
    const auto at = static_cast<std::size_t>(lower);
    Contact& contact = contacts.emplace_back();
    contact.lower = lower;
    contact.upper = lower + 1;
    contact.slot = slot;
    set_rows(contact, assembly.bodies[at], assembly.bodies[at + 1], point, normal);
}

void find_under_foot(Assembly& assembly, std::vector<Contact>& contacts) noexcept {
    const Body& body = assembly.bodies[1];
    int first = -1, last = -1;
    for (int j = 0; j < assembly.slots_below(0); ++j) {
        const auto at = static_cast<std::size_t>(j);
        Slot& slot = assembly.slots[at];
        const ProfilePoint& corner = assembly.foot->corner_m(at);
        slot.place_m = body.sought_m + turned({corner[0], corner[1]}, body.sine, body.cosine);
        slot.gap_m = slot.place_m.z;
        slot.was_closed = slot.is_closed;
        slot.is_closed = slot.gap_m <= 0.0;
        carry_on(slot, Face::level);
        if (!slot.is_closed) continue;
        if (first < 0) first = j;
        last = j;
    }
    if (first < 0) return;
    const auto add = [&](int j) {
        add_contact(contacts, j, 0, assembly, assembly.slots[static_cast<std::size_t>(j)].place_m, {0.0, 1.0});
    };
    add(first);
    if (last != first) add(last);
}

}  // namespace

int Assembly::lowest_corner() const noexcept {
    const auto lowest =
        std::min_element(slots.begin(), slots.end(), [](const Slot& a, const Slot& b) { return a.gap_m < b.gap_m; });
    return static_cast<int>(lowest - slots.begin());
}

void find_contacts(Assembly& assembly, Beam* beam, double depth_m, std::vector<Contact>& contacts) noexcept {
    contacts.clear();
    if (assembly.foot && assembly.standing > 0) return find_under_foot(assembly, contacts);
    for (int k = 0; k < assembly.standing; ++k) {
        const auto at = static_cast<std::size_t>(k);
        const Body &lower = assembly.bodies[at], &upper = assembly.bodies[at + 1];
        for (int j = 0; j < assembly.slots_below(k); ++j) {
            const int index = kSlotsPerInterface * k + j;
            Slot& slot = assembly.slots[static_cast<std::size_t>(index)];
            Vec2 base_normal{0.0, 1.0};
            const Face face_before = slot.face;
            slot.was_closed = slot.is_closed;
            const bool of_upper = j < 2;
            const double up = of_upper ? 1.0 : -1.0;
            const Body& box = of_upper ? lower : upper;
            const Vec2 point = corner(of_upper ? upper : lower, j % 2 == 0 ? -1.0 : 1.0, -up);
            if (k == 0) {
                slot.place_m = point;
                const BeamPoint on_base = beam ? beam->find(j, point) : BeamPoint{point.z, {0.0, 1.0}};
                slot.gap_m = on_base.gap_m;
                slot.is_closed = slot.gap_m <= 0.0;
                base_normal = on_base.normal;
            } else {
                slot.is_closed =
                    close(slot, box, point, up, of_upper ? kLateralTolerance_m : -kLateralTolerance_m, depth_m);
            }
            carry_on(slot, face_before);
            if (!slot.is_closed) continue;
            add_contact(contacts, index, k, assembly, point, k == 0 ? base_normal : normal_of(slot.face, box, up));
        }
    }
}

}  // namespace topple::solver::contact
