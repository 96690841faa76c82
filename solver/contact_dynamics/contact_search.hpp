// Which corners touch which faces in a stack, or the base under a foot: fixed places ("slots") that remember the face
// through which a corner came.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "solver/contact_dynamics/contact.hpp"
#include "solver/foot_roll.hpp"

namespace topple::solver::contact {

class Beam;

/// Slots of one interface: lower corners of the upper block on the lower body, then upper corners of the lower block
/// on the upper one; left before right. On the base only the first two are in use. A foot has a slot for each corner
/// instead, from the left.
inline constexpr int kSlotsPerInterface = 4;
/// Corners this close to an edge count as on the horizontal face, m.
inline constexpr double kLateralTolerance_m = 1e-6;

enum class Face {
    level,  ///< top face of a lower body, lower face of an upper one, the base
    left,
    right,
};

/// What is kept of a corner from step to step.
struct Slot {
    Face face = Face::level;
    bool is_closed = false, was_closed = false;  ///< in this step and in the one before
    double gap_m = 0.0;                          ///< to `face`, negative inside
    double widest_m = 0.0;                       ///< largest gap since it was last closed
    Vec2 place_m;                                ///< in the axes of the body with the face, from its centre
    Local impulse;                               ///< of the step before on this face: start of the iteration
    Mode mode;
};

/// Bodies from the base (0) upwards and the slots of the interfaces between them.
struct Assembly {
    std::vector<Body> bodies;                ///< [0] the base, [k + 1] block k
    std::vector<Slot> slots;                 ///< kSlotsPerInterface per block, or one per corner of the foot
    int standing = 0;                        ///< blocks that still take part, from the bottom
    std::shared_ptr<const FootRoll> foot{};  ///< of the only body; null: rectangles

    /// Slots of the interface below a block.
    int slots_below(int block) const noexcept {
        return foot ? static_cast<int>(foot->corner_count()) : block == 0 ? 2 : kSlotsPerInterface;
    }
    /// Of a foot, at the poses sought: the corner with the least gap.
    int lowest_corner() const noexcept;
};

/// Closes and opens the slots of the standing blocks at the poses sought (Body::sine, cosine, sought_m) and appends one
/// contact per closed slot, from the base upwards: normal, rows, W; friction, rebound and impulses are left alone.
/// A slot is closed exactly if its gap is not positive. A corner inside a block belongs to the face that it was
/// nearest to outside; near an edge to the horizontal face. Coinciding corners make one contact, that of the upper
/// block's corner. `depth_m`: penetration up to which a corner at an edge still counts as on the horizontal face.
/// `beam`: the base, null if it is rigid. Of several corners of a foot that are closed at once only the outermost two
/// make contacts: velocity is linear along the base, so that those between part as soon as these do.
/// Takes no memory if `contacts` has room for every slot.
void find_contacts(Assembly& assembly, Beam* beam, double depth_m, std::vector<Contact>& contacts) noexcept;

}  // namespace topple::solver::contact
