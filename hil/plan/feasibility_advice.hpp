// What to change in an experiment whose motion its table cannot make.
#pragma once

#include <span>
#include <string>

#include "controller/feasibility.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

/// Replaces the advice of failed checks of stroke, velocity and acceleration by what this kind of excitation can do
/// about it: centring where that suffices, else by how much its own keys must change. Kinds without such keys keep
/// theirs.
/// `axes`: profiles in the order x, y.
void fit_advice(const experiment::Experiment& experiment, std::span<const controller::Profile> axes,
                controller::FeasibilityReport& report);

}  // namespace topple::hil::plan
