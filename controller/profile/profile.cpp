#include "controller/profile/profile.hpp"

namespace topple::controller {

solver::BaseState Profile::at(double time_s) const noexcept {
    solver::BaseState state = motion.at(time_s);
    state.displacement_m += start_position_m;
    return state;
}

}  // namespace topple::controller
