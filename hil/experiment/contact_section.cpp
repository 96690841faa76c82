#include <fmt/format.h>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

solver::ContactDynamics read_contact_dynamics(TomlTable& file) {
    solver::ContactDynamics contact;
    if (!file.has("contact_dynamics")) return contact;
    TomlTable section = file.table("contact_dynamics");
    contact.time_step_s = section.number_or("time_step_s", between(1e-7, 0.01), contact.time_step_s);
    contact.theta = section.number_or("theta", between(0.5, 1.0), contact.theta);
    contact.activation = section.number_or("activation", between(0.0, 1.0), contact.activation);
    contact.restitution = section.number_or("restitution", between(0.0, 1.0), contact.restitution);
    contact.tolerance = section.number_or("tolerance", between(1e-14, 1e-4), contact.tolerance);
    section.finish();
    return contact;
}

}  // namespace topple::hil::experiment
