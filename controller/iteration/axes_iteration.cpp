#include "controller/iteration/axes_iteration.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace topple::controller {
namespace {

using firmware_iface::Feedback;
using firmware_iface::MachineDescription;

/// The same table with y in the place of x: pass_error and feasibility are of the first axis.
MachineDescription y_first(MachineDescription machine) {
    std::swap(static_cast<firmware_iface::AxisDescription&>(machine), *machine.y);
    return machine;
}

std::vector<Feedback> y_first(std::span<const Feedback> feedback) {
    std::vector<Feedback> exchanged(feedback.begin(), feedback.end());
    for (Feedback& sample : exchanged) {
        std::swap(sample.axes[0], sample.axes[1]);
        std::swap(sample.acceleration_x_m_s2, sample.acceleration_y_m_s2);
    }
    return exchanged;
}

}  // namespace

bool rests(const Profile& target) {
    return target.motion.empty() || target.motion.extremes().acceleration_peak_m_s2 == 0.0;
}

AxesIteration::AxesIteration(std::span<const Profile> targets, const MachineDescription& machine, double payload_kg,
                             const IterationSettings& settings)
    : targets_(targets.begin(), targets.end()) {
    if (targets_.size() != machine.axis_count())
        throw std::invalid_argument("drive iteration: a motion is needed for each axis of the machine");
    for (std::size_t i = 0; i < targets_.size(); ++i) {
        axes_.emplace_back();
        if (!rests(targets_[i]))
            axes_.back().emplace(targets_[i], i == 0 ? machine : y_first(machine), payload_kg, settings);
    }
}

std::vector<Profile> AxesIteration::drives() const {
    std::vector<Profile> all;
    for (std::size_t i = 0; i < axes_.size(); ++i) all.push_back(axes_[i] ? axes_[i]->drive() : targets_[i]);
    return all;
}

void AxesIteration::learn(std::span<const Feedback> feedback, std::uint64_t start_us) {
    ++pass_count_;
    for (std::size_t i = 0; i < axes_.size(); ++i) {
        if (!axes_[i]) continue;
        const std::vector<Feedback> exchanged = i == 0 ? std::vector<Feedback>() : y_first(feedback);
        const std::span<const Feedback> of_axis = i == 0 ? feedback : std::span<const Feedback>(exchanged);
        if (axes_[i]->end() == IterationEnd::none)
            axes_[i]->learn(of_axis, start_us);
        else
            axes_[i]->watch(of_axis, start_us);
    }
}

bool AxesIteration::ended() const noexcept {
    return std::all_of(axes_.begin(), axes_.end(), [](const std::optional<DriveIteration>& axis) {
        return !axis || axis->end() != IterationEnd::none;
    });
}

}  // namespace topple::controller
