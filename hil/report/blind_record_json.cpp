#include "hil/report/blind_record_json.hpp"

#include <nlohmann/json.hpp>

#include "hil/plan/json_or_null.hpp"

namespace topple::hil::report {

nlohmann::ordered_json blind_record_json(const compare::BlindRecord& record) {
    return {{"proven", record.proven},
            {"statement", plan::text_or_null(record.statement)},
            {"prediction_sha256", plan::text_or_null(record.sha256)},
            {"created_utc", plan::text_or_null(record.created_utc)},
            {"motion_utc", plan::text_or_null(record.motion_utc)},
            {"before_motion_s", plan::or_null(record.before_motion_s)}};
}

}  // namespace topple::hil::report
