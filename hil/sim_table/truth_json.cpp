#include "hil/sim_table/truth_json.hpp"

#include <nlohmann/json.hpp>

namespace topple::hil {

std::string truth_json(const TruthReport& report) {
    nlohmann::ordered_json json;
    json["origin"] = name(report.origin);
    json["seed"] = report.seed;
    json["specimens"] = nlohmann::ordered_json::array();
    for (const SpecimenTruth& truth : report.specimens)
        json["specimens"].push_back({{"restitution_factor", truth.restitution_factor},
                                     {"tilt_rad", truth.tilt_rad},
                                     {"width_factor", truth.width_factor}});
    return json.dump();
}

}  // namespace topple::hil
