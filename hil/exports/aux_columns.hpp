// The auxiliary inputs of a log as columns of an export.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "hil/experiment/aux_channels.hpp"
#include "hil/run_log/records.hpp"

namespace topple::hil::exports {

/// In their unit; those of which the machine file says nothing as aux_<i>_v, in volts.
class AuxColumns {
  public:
    explicit AuxColumns(const run_log::RunData& run) : channels_(experiment::aux_of_metadata(run.metadata)) {
        std::size_t count = 0;
        for (const auto& feedback : run.feedback) count = std::max(count, feedback.aux_count);
        for (std::size_t i = 0; i < count; ++i)
            names_.push_back(i < channels_.size() ? channels_[i].column() : fmt::format("aux_{}_v", i));
    }
    const std::vector<std::string>& names() const noexcept { return names_; }
    std::string unit(std::size_t i) const { return i < channels_.size() ? channels_[i].unit : "V"; }
    std::string description(std::size_t i) const {
        return "Auxiliary input " + std::to_string(i) +
               (i < channels_.size() ? ": " + channels_[i].name : ", in volts");
    }
    /// NaN where this feedback has none.
    double value(const firmware_iface::Feedback& feedback, std::size_t i) const noexcept {
        if (i >= feedback.aux_count) return std::nan("");
        return i < channels_.size() ? channels_[i].physical(feedback.aux_v[i]) : feedback.aux_v[i];
    }

  private:
    std::vector<experiment::AuxChannel> channels_;
    std::vector<std::string> names_;
};

}  // namespace topple::hil::exports
