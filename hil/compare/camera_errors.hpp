// What a camera's clock adds to the errors of a reading.
#pragma once

#include "hil/compare/filmed_rotation.hpp"
#include "hil/compare/reading.hpp"

namespace topple::hil::compare {

/// The error of its clock and, if that was fitted to the prediction, that times are then known no better than those of
/// a table whose delay is not known.
ReadingErrors reading_errors(const FilmedRotation& filmed);

}  // namespace topple::hil::compare
