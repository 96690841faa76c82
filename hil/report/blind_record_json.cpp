#include "hil/report/blind_record_json.hpp"

#include <nlohmann/json.hpp>

namespace topple::hil::report {

nlohmann::ordered_json blind_record_json(const compare::BlindRecord& record) {
    using Json = nlohmann::ordered_json;
    const auto text_json = [](const std::string& text) { return text.empty() ? Json(nullptr) : Json(text); };
    return {{"proven", record.proven},
            {"statement", text_json(record.statement)},
            {"prediction_sha256", text_json(record.sha256)},
            {"created_utc", text_json(record.created_utc)},
            {"motion_utc", text_json(record.motion_utc)},
            {"before_motion_s", record.before_motion_s ? Json(*record.before_motion_s) : Json(nullptr)}};
}

}  // namespace topple::hil::report
