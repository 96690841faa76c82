// What is not known is null in every JSON document: one piece for all of them.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace topple::hil::plan {

template <typename T>
nlohmann::ordered_json or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json(nullptr);
}

/// The word of an enumeration that has a name().
template <typename T>
nlohmann::ordered_json name_or_null(const std::optional<T>& value) {
    return value ? nlohmann::ordered_json(name(*value)) : nlohmann::ordered_json(nullptr);
}

/// Empty: not known.
inline nlohmann::ordered_json text_or_null(const std::string& text) {
    return text.empty() ? nlohmann::ordered_json(nullptr) : nlohmann::ordered_json(text);
}

}  // namespace topple::hil::plan
