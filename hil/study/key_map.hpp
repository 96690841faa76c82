// Outcome over any two numbers of an experiment file.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "hil/study/key_axis.hpp"
#include "solver/options.hpp"

namespace topple::hil::study {

/// Equations and gravity for an experiment.
using OptionsOf = std::function<solver::SolverOptions(const experiment::Experiment&)>;

/// Points that the file's own reader, or the model, refuses.
struct RefusedPoints {
    std::size_t count = 0;
    std::string first_reason;
};

/// Every point is the experiment file with the two numbers replaced, read by its own reader and solved one by one.
class KeyMap {
  public:
    /// `model` as read_experiment_for. Throws InputError if a number at an end of an axis is refused whatever the
    /// other axis is: "--x KEY: at VALUE: ..." with the reader's own words.
    KeyMap(const experiment::Experiment& experiment, std::string model, const KeyAxes& axes, OptionsOf options);

    /// Of one specimen. A point that is refused has no outcome and is counted in `refused`. Keeps references.
    ColumnSolver solver(std::size_t specimen, RefusedPoints& refused) const;

  private:
    experiment::Experiment at(double x, double y) const;
    void require_ends() const;

    const experiment::Experiment& experiment_;
    std::string model_;
    const KeyAxes& axes_;
    OptionsOf options_;
};

}  // namespace topple::hil::study
