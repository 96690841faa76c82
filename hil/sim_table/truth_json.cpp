#include "hil/sim_table/truth_json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace topple::hil::sim_table {

std::string truth_json(const TruthReport& report) {
    nlohmann::ordered_json json;
    json["origin"] = name(report.origin);
    json["seed"] = report.seed;
    json["specimens"] = nlohmann::ordered_json::array();
    for (const solver::Perturbation& truth : report.specimens) {
        const auto& widths = truth.width_factors;
        const bool alike = widths.empty() || std::equal(widths.begin() + 1, widths.end(), widths.begin());
        const nlohmann::ordered_json width = widths.empty() ? 1.0 : widths.front();
        json["specimens"].push_back({{"restitution_factor", truth.restitution_factor},
                                     {"tilt_rad", truth.tilt_rad},
                                     {"width_factor", alike ? width : nlohmann::ordered_json(nullptr)},
                                     {"width_factors", widths}});
    }
    return json.dump();
}

}  // namespace topple::hil::sim_table
