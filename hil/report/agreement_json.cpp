#include "hil/report/agreement_json.hpp"

#include <optional>
#include <vector>

#include "hil/plan/json_or_null.hpp"

namespace topple::hil::report {
namespace {

using plan::or_null;
using Json = nlohmann::ordered_json;

Json restitution_json(const std::optional<compare::ApparentRestitution>& restitution) {
    if (!restitution) return nullptr;
    return {{"ratio", restitution->ratio},
            {"standard_error", restitution->standard_error},
            {"lobes", restitution->lobe_count}};
}

// Numbers and words have the same keys; a word has no distribution but its shares in words.
Json criteria_json(const std::vector<compare::Criterion>& criteria) {
    Json list = Json::array();
    for (const compare::Criterion& c : criteria) {
        const bool word = !c.median;
        list.push_back({{"name", c.name},
                        {"unit", c.unit},
                        {"predicted",
                         word ? Json(c.predicted_word) : Json{{"median", *c.median}, {"p5", *c.low}, {"p95", *c.high}}},
                        {"measured", word ? Json(c.measured_word) : or_null(c.measured)},
                        {"probability", c.probability},
                        {"spread_ratio", c.spread},
                        {"spread_cap_ratio", or_null(c.cap)},
                        {"counts", c.counts}});
    }
    return list;
}

}  // namespace

Json agreement_json(const compare::Agreement& a) {
    if (!a.verdict) return nullptr;
    return {{"verdict", name(*a.verdict)},
            {"probability", a.probability},
            {"criteria_counted", a.counted()},
            {"criteria", criteria_json(a.criteria)},
            {"outcome_equal", or_null(a.outcome_equal)},
            {"side_equal", or_null(a.side_equal)},
            {"rotation_rms_rad", or_null(a.rotation_rms_rad)},
            {"rotation_rms_ratio", or_null(a.rotation_rms_ratio)},
            {"restitution",
             {{"predicted", restitution_json(a.restitution_predicted)},
              {"measured", restitution_json(a.restitution_measured)}}},
            {"members", a.members},
            {"reasons", a.reasons}};
}

}  // namespace topple::hil::report
