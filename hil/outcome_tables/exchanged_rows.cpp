#include "hil/outcome_tables/exchanged_rows.hpp"

#include <nlohmann/json.hpp>

namespace topple::hil::outcome_tables {
namespace {

using Json = nlohmann::json;

Json json_of(std::size_t index, const RowPrediction& row) {
    Json json{{"row", index},
              {"model", row.model},
              {"outcome", solver::outcome_code(row.outcome)},
              {"members", row.members},
              {"failed", row.failed_members},
              {"weights", {row.weight, row.sound_weight}},
              {"count", row.member_count},
              {"peak_velocity_m_s", row.peak_velocity_m_s},
              {"is_stack", row.is_stack}};
    if (row.refused) json["refused"] = {row.refused->column, row.refused->reason};
    return json;
}

RowPrediction row_of(const Json& json) {
    RowPrediction row;
    row.model = json.at("model");
    row.outcome = solver::outcome_of_code(json.at("outcome"));
    row.members = json.at("members").get<std::vector<double>>();
    row.failed_members = json.at("failed");
    row.weight = json.at("weights").at(0);
    row.sound_weight = json.at("weights").at(1);
    row.member_count = json.at("count");
    row.peak_velocity_m_s = json.at("peak_velocity_m_s");
    row.is_stack = json.at("is_stack");
    if (json.contains("refused")) row.refused = Refusal{json.at("refused").at(0), json.at("refused").at(1)};
    return row;
}

}  // namespace

std::string exchanged_text(const std::vector<RowPrediction>& rows, const std::vector<char>& mine) {
    Json list = Json::array();
    for (std::size_t i = 0; i < rows.size(); ++i)
        if (mine[i]) list.push_back(json_of(i, rows[i]));
    return list.dump(-1, ' ', false, Json::error_handler_t::replace);
}

void take_exchanged(const std::string& text, std::vector<RowPrediction>& rows) {
    for (const Json& one : Json::parse(text)) rows.at(one.at("row").get<std::size_t>()) = row_of(one);
}

}  // namespace topple::hil::outcome_tables
