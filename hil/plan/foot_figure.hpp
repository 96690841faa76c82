// Drawings of irregular bodies: the section in the shaking plane, and what they stand on seen from above.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/files/drawn_figure.hpp"

namespace topple::hil::plan {

/// Panels of a multiplot of gnuplot.
struct FootPanels {
    std::size_t count = 0;
    std::string script;  ///< plots them one after the other and leaves the settings as they are by default
    std::vector<files::FigureFile> data{};
};

/// Of each specimen with a foot its section: hull, corners, mass centre, faces on which it can rest; and of each whose
/// extent across the plane is known, its footprint. Nothing for an experiment without any.
FootPanels foot_panels(const experiment::Experiment& experiment);

}  // namespace topple::hil::plan
