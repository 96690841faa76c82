// Members of an ensemble written down one by one with their weights: the file that [uncertainty] members names.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "solver/motion/base_motion.hpp"
#include "solver/study/perturbation.hpp"
#include "solver/study/uncertainty.hpp"

namespace topple::hil::experiment {

inline constexpr std::size_t kMembersRowsMax = 100'000;

/// One row: how far specimen and motion are from what is described.
struct WeightedMember {
    /// width_factors and height_factors: none, one for all feet, or the left and the right one.
    solver::Perturbation perturbation;
    solver::MotionScale motion;
    /// Counts as so many members of equal weight: of all rows together effective_members. Exactly 1 if all are equal.
    double weight = 1.0;
    std::size_t line = 0;  ///< in the file, from 1
};

struct MembersTable {
    std::string file;                  ///< as the experiment file names it
    std::string sha256;                ///< of its content
    std::vector<std::string> keys;     ///< its columns, "weight" left out
    std::vector<WeightedMember> rows;  ///< those of weight 0 left out
    /// (sum of weights)^2 / (sum of their squares), after Kish: so many members of equal weight would be worth as much.
    double effective_members = 0.0;
    bool is_weighted = false;  ///< not all weights are equal

    bool has(std::string_view key) const noexcept;
};

/// A comma separated file with a header: `weight`, >= 0, and factors or additions by the keys of [uncertainty], with
/// width_left, width_right, height_left, height_right of the sides of a body and restitution_face_0, ... of its faces.
/// Throws InputError naming file, line, column and value for anything else.
MembersTable read_members_table(const std::filesystem::path& file);

/// The key of [uncertainty] that a column is about: "width" of "width_left", "restitution_face" of its faces.
std::string_view parameter_of(std::string_view column) noexcept;

/// Throws InputError naming file and line of the first row that makes no valid specimen of it, or a column that it has
/// no part for.
void require_members_of(const MembersTable& table, const solver::Specimen& specimen);

/// Normal, with the weighted mean and standard deviation of the restitution factors.
solver::Distribution restitution_of(const MembersTable& table);

/// "members.csv (SHA-256 0123456789ab..., 400 members worth 213.4)"
std::string members_words(const MembersTable& table);

/// A departure of which a table holds no key, with what its row says.
solver::Perturbation combined(solver::Perturbation drawn, const solver::Perturbation& of_row,
                              const solver::Specimen& specimen);

}  // namespace topple::hil::experiment
