// The object `blind_record` of summary.json.
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "hil/compare/blind_record.hpp"

namespace topple::hil::report {

/// What is not known is null.
nlohmann::ordered_json blind_record_json(const compare::BlindRecord& record);

}  // namespace topple::hil::report
