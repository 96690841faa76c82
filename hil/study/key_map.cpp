#include "hil/study/key_map.hpp"

#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <optional>
#include <stdexcept>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::study {

using experiment::Experiment;
using files::InputError;

KeyMap::KeyMap(const Experiment& experiment, std::string model, const KeyAxes& axes, OptionsOf options)
    : experiment_(experiment), model_(std::move(model)), axes_(axes), options_(std::move(options)) {
    require_ends();
}

Experiment KeyMap::at(double x, double y) const {
    return experiment::read_experiment_text(axes_.text_at(x, y), experiment_.source, model_);
}

void KeyMap::require_ends() const {
    const GridAxis &x = axes_.x().grid, &y = axes_.y().grid;
    const auto reason = [&](double at_x, double at_y) -> std::optional<std::string> {
        try {
            const Experiment one = at(at_x, at_y);
            const solver::SolverOptions options = options_(one);
            for (const solver::Specimen& specimen : one.specimens) solver::model_for(specimen, options.model);
            return std::nullopt;
        } catch (const std::exception& error) {  // InputError, invalid_argument
            return error.what();
        }
    };
    const auto require = [&](const char* option, const KeyAxis& axis, double value, const auto& of_other) {
        const auto low = of_other(true), high = of_other(false);
        if (low && high) throw InputError(fmt::format("{} {}: at {:g}: {}", option, axis.key, value, *low));
    };
    for (const double value : {x.low, x.high})
        require("--x", axes_.x(), value, [&](bool low) { return reason(value, low ? y.low : y.high); });
    for (const double value : {y.low, y.high})
        require("--y", axes_.y(), value, [&](bool low) { return reason(low ? x.low : x.high, value); });
}

ColumnSolver KeyMap::solver(std::size_t specimen, RefusedPoints& refused) const {
    const auto counting = std::make_shared<std::mutex>();
    return [this, specimen, &refused, counting](double x, std::span<const double> y,
                                                std::span<solver::MapOutcome> outcomes) {
        for (std::size_t i = 0; i < y.size(); ++i) {
            outcomes[i] = {};
            outcomes[i].outcome.reset();
            try {
                const Experiment one = at(x, y[i]);
                outcomes[i] =
                    solver::map_outcome(one.specimens.at(specimen), one.excitation.planned_motion(), options_(one));
            } catch (const std::exception& error) {  // InputError, invalid_argument
                const std::lock_guard lock(*counting);
                if (refused.count++ == 0)
                    refused.first_reason =
                        fmt::format("at {} = {:g}, {} = {:g}: {}", axes_.x().key, x, axes_.y().key, y[i], error.what());
            }
        }
    };
}

}  // namespace topple::hil::study
