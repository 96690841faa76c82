// What a prior leaves open of a specimen, and the specimen that a draw of it means.
#pragma once

#include <Eigen/Core>
#include <cstddef>
#include <vector>

#include "hil/learn/run_evidence.hpp"
#include "solver/study/uncertainty.hpp"

namespace topple::hil::learn {

/// The columns of a draw: the open parameters, and behind them one number for the amplitude of all motions, which is
/// not learned but not known either.
struct OpenParameters {
    std::vector<solver::SpecimenParameter> parameters;
    solver::Uncertainty prior;

    Eigen::Index count() const { return static_cast<Eigen::Index>(parameters.size()); }
    Eigen::Index columns() const { return count() + 1; }
    double motion_factor(const Eigen::VectorXd& draw) const { return 1.0 + kMotionError_ratio * draw[count()]; }
    /// In the order of solver::SpecimenParameter; 0 where nothing is open.
    solver::StandardDraw standard(const Eigen::VectorXd& draw) const;
};

/// Does the distribution leave anything to learn?
bool is_open(const solver::Distribution& distribution) noexcept;
/// At any of its interfaces.
bool has_friction(const solver::Specimen& specimen) noexcept;

/// What cannot matter to this specimen stays out; so do sizes of several feet, each of which has its own.
OpenParameters open_parameters(const solver::Uncertainty& prior, const solver::Specimen& specimen);

/// The specimen of a draw; sizes of several feet are those of an ensemble's member of this number. Throws
/// std::invalid_argument if it is no valid specimen.
solver::Specimen specimen_at(const solver::Specimen& described, const OpenParameters& open, const Eigen::VectorXd& draw,
                             std::size_t number);

}  // namespace topple::hil::learn
