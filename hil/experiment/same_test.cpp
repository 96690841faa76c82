#include "hil/experiment/same_test.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <sstream>
#include <string_view>

#include <toml++/toml.h>

#include "hil/files/errors.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

using Values = std::map<std::string, std::string>;

/// What makes no other test.
bool is_besides(std::string_view key) {
    static constexpr std::string_view kBesides[] = {"name",     "notes",         "uncertainty", "simulation",
                                                    "campaign", "campaign_test", "fragility"};
    return std::find(std::begin(kBesides), std::end(kBesides), key) != std::end(kBesides);
}

bool is_of_table(std::string_view key) { return key == "axis" || key == "direction_rad"; }

void flatten(const toml::node& node, const std::string& key, Values& values) {
    if (const toml::table* table = node.as_table()) {
        for (const auto& [name, below] : *table) flatten(below, key + "." + std::string(name.str()), values);
    } else if (const toml::array* array = node.as_array(); array && array->size() == 1 && array->get(0)->is_table()) {
        flatten(*array->get(0), key, values);  // [[specimen]] once is [specimen]
    } else if (array) {
        for (std::size_t i = 0; i < array->size(); ++i) flatten(*array->get(i), fmt::format("{}.{}", key, i), values);
    } else if (const auto number = node.value<double>(); number && node.is_number()) {
        values[key] = fmt::format("{}", *number);
    } else {
        std::ostringstream written;
        node.visit([&written](const auto& value) { written << value; });
        values[key] = written.str();
    }
}

Values values_of(const std::string& text) {
    Values values;
    try {
        const toml::table file = toml::parse(text);
        for (const auto& [name, node] : file) {
            const std::string key(name.str());
            if (is_besides(key)) continue;
            if (key != "table") {
                flatten(node, key, values);
                continue;
            }
            if (const toml::table* table = node.as_table())
                for (const auto& [word, below] : *table)
                    if (is_of_table(word.str())) flatten(below, "table." + std::string(word.str()), values);
        }
    } catch (const toml::parse_error& error) {
        throw files::InputError(fmt::format("experiment.toml: {}", error.description()));
    }
    return values;
}

}  // namespace

std::vector<std::string> test_differences(const std::string& text, const std::string& other_text) {
    const Values one = values_of(text), other = values_of(other_text);
    Values all = one;
    all.insert(other.begin(), other.end());
    std::vector<std::string> differences;
    const auto shown = [](const Values& values, const std::string& key) {
        const auto found = values.find(key);
        return found == values.end() ? std::string("not there") : text::one_line(found->second);
    };
    for (const auto& [key, value] : all)
        if (shown(one, key) != shown(other, key))
            differences.push_back(
                fmt::format("{}: {} and {}", text::one_line(key), shown(one, key), shown(other, key)));
    return differences;
}

}  // namespace topple::hil::experiment
