// Which points, or which rigid body, belong to which block.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "hil/camera/point_table.hpp"
#include "hil/camera/read_rotation.hpp"

namespace topple::hil::camera {

using Bodies = std::vector<std::vector<std::string>>;  ///< names of points per block

/// Names in quotation marks for a message; the first 40.
std::string quoted(const std::vector<std::string>& names);
/// "FILE: --rotation-block names ...; there are: ...".
[[noreturn]] void refuse_name(const std::string& file, const std::string& name, const std::vector<std::string>& known);
/// Throws InputError if there is none of this name.
const PointPath& point_named(const std::vector<PointPath>& points, const std::string& name, const std::string& file);

/// Throws InputError if the operator named another number of blocks than the test has.
void require_count(const ReadOptions& options, std::size_t blocks, const std::string& file);
/// As the operator said, else as the names say ("marker_0_1", "block 2 a", Motive's "Body:Marker 1"), else all points
/// of a single block. Throws InputError with the question.
Bodies bodies_of(const std::vector<PointPath>& points, const ReadOptions& options, std::size_t blocks,
                 const std::string& file);

}  // namespace topple::hil::camera
