#include "hil/experiment/toml_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/experiment/toml_document.hpp"
#include "hil/text/nearest_word.hpp"

namespace topple::hil::experiment {
namespace {

using text::nearest_word;

std::string join(const std::vector<std::string_view>& words) {
    return fmt::format("\"{}\"", fmt::join(words, "\", \""));
}

}  // namespace

bool NumberRange::contains(double value) const noexcept {
    return std::isfinite(value) && (low_excluded ? value > low : value >= low) &&
           (high_excluded ? value < high : value <= high);
}

std::string NumberRange::text() const {
    const bool bounded_below = low > std::numeric_limits<double>::lowest();
    const bool bounded_above = high < std::numeric_limits<double>::max();
    std::string words = "a finite number";
    if (bounded_below) words = fmt::format("a number {} {}", low_excluded ? ">" : ">=", low);
    if (bounded_above) words += fmt::format("{} {} {}", bounded_below ? " and" : "", high_excluded ? "<" : "<=", high);
    return words;
}

/// A length that makes sense once it is taken for millimetres.
std::string guessed_unit(std::string_view key, double value, const NumberRange& range) {
    const bool is_length = (key.ends_with("_m") && value > range.high) || key.starts_with("foot[");
    if (!is_length || !range.contains(value / 1000.0)) return {};
    return fmt::format(" (millimetres? {} is in m: {})", key, value / 1000.0);
}

struct TomlTable::Impl {
    std::shared_ptr<const TomlDocument> document;
    const toml::table* table = nullptr;
    std::string path;                // dotted name of this table, empty for the top level
    std::vector<std::string> asked;  // keys some accessor knows
    std::vector<std::string> forbidden;

    const toml::node* find(std::string_view key) {
        if (std::find(asked.begin(), asked.end(), key) == asked.end()) asked.emplace_back(key);
        return table->get(key);
    }
    const toml::node& require(std::string_view key);
    std::string full_name(std::string_view key) const {
        return path.empty() ? std::string(key) : fmt::format("{}.{}", path, key);
    }
    std::vector<std::string> allowed() const;
    [[noreturn]] void refuse_unknown(const toml::key& key) const;
    [[noreturn]] void refuse(std::string_view key, const toml::node& node, const std::string& allowed) const {
        document->fail_at(node.source().begin, fmt::format("{} = {} is not allowed: must be {}", full_name(key),
                                                           document->written(node.source()), allowed));
    }
    double number(std::string_view key, const toml::node& node, const NumberRange& range) const {
        const std::optional<double> value = real_number(node);
        if (!value) refuse(key, node, fmt::format("{} ({} was given)", range.text(), type_name(node)));
        if (!range.contains(*value)) refuse(key, node, range.text() + guessed_unit(key, *value, range));
        return *value;
    }
    std::unique_ptr<Impl> child(const toml::table& inner, std::string name) const {
        auto impl = std::make_unique<Impl>();
        impl->document = document;
        impl->table = &inner;
        impl->path = std::move(name);
        return impl;
    }
};

std::vector<std::string> TomlTable::Impl::allowed() const {
    std::vector<std::string> keys;
    for (const std::string& key : asked)
        if (std::find(forbidden.begin(), forbidden.end(), key) == forbidden.end()) keys.push_back(key);
    std::sort(keys.begin(), keys.end());
    return keys;
}

void TomlTable::Impl::refuse_unknown(const toml::key& key) const {
    const std::vector<std::string> known = allowed();
    const std::string suggestion = nearest_word(key.str(), known);
    const toml::node* node = table->get(key);
    std::string message = fmt::format("unknown key {} = {}", full_name(key.str()),
                                      node ? document->written(node->source()) : std::string());
    if (!suggestion.empty()) message += fmt::format("; did you mean {}?", suggestion);
    message += fmt::format("; allowed here: {}", fmt::join(known, ", "));
    document->fail_at(key.source().begin, message);
}

const toml::node& TomlTable::Impl::require(std::string_view key) {
    if (const toml::node* node = find(key)) return *node;
    for (const auto& [present, node] : *table) {
        const std::string word(present.str());
        if (std::find(asked.begin(), asked.end(), word) == asked.end() &&
            !nearest_word(word, {std::string(key)}).empty())
            document->fail_at(present.source().begin,
                              fmt::format("unknown key {} = {}; did you mean {}?", full_name(word),
                                          document->written(node.source()), key));
    }
    document->fail_at(table->source().begin, fmt::format("{} is missing: required in {}", full_name(key),
                                                         path.empty() ? "the file" : fmt::format("[{}]", path)));
}

TomlTable TomlTable::parse(std::string text, const std::string& file) {
    auto document = TomlDocument::parse(std::move(text), file);
    auto impl = std::make_unique<Impl>();
    impl->table = &document->root;
    impl->document = std::move(document);
    return TomlTable(std::move(impl));
}

TomlTable::TomlTable(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
TomlTable::TomlTable(TomlTable&&) noexcept = default;
TomlTable& TomlTable::operator=(TomlTable&&) noexcept = default;
TomlTable::~TomlTable() = default;

bool TomlTable::has(std::string_view key) { return impl_->find(key) != nullptr; }

void TomlTable::forbid(std::string_view key, const std::string& why) {
    if (impl_->table->get(key)) fail(key, why);
    impl_->forbidden.emplace_back(key);
}

double TomlTable::number(std::string_view key, const NumberRange& range) {
    return impl_->number(key, impl_->require(key), range);
}

double TomlTable::number_or(std::string_view key, const NumberRange& range, double fallback) {
    return optional_number(key, range).value_or(fallback);
}

std::optional<double> TomlTable::optional_number(std::string_view key, const NumberRange& range) {
    const toml::node* node = impl_->find(key);
    if (!node) return std::nullopt;
    return impl_->number(key, *node, range);
}

std::vector<double> TomlTable::numbers(std::string_view key, const NumberRange& range, std::size_t count_max) {
    const toml::node& node = impl_->require(key);
    const toml::array* array = node.as_array();
    if (!array) return {impl_->number(key, node, range)};
    if (array->empty() || array->size() > count_max)
        impl_->refuse(key, node, fmt::format("one number or an array of 1 to {} numbers", count_max));
    std::vector<double> values;
    for (const toml::node& element : *array) values.push_back(impl_->number(key, element, range));
    return values;
}

std::vector<std::array<double, 2>> TomlTable::number_pairs(std::string_view key, const NumberRange& range,
                                                           std::size_t count_min, std::size_t count_max) {
    const toml::node& node = impl_->require(key);
    const toml::array* array = node.as_array();
    if (!array || array->size() < count_min || array->size() > count_max)
        impl_->refuse(key, node,
                      fmt::format("an array of {} to {} pairs of numbers, [[a, b], ...]{}", count_min, count_max,
                                  array ? fmt::format(" ({} given)", array->size()) : ""));
    std::vector<std::array<double, 2>> pairs;
    for (const toml::node& element : *array) {
        const std::string name = fmt::format("{}[{}]", key, pairs.size());
        const toml::array* pair = element.as_array();
        if (!pair || pair->size() != 2) impl_->refuse(name, element, "a pair of numbers, [a, b]");
        pairs.push_back(
            {impl_->number(name + "[0]", *pair->get(0), range), impl_->number(name + "[1]", *pair->get(1), range)});
    }
    return pairs;
}

std::int64_t TomlTable::integer_or(std::string_view key, std::int64_t low, std::int64_t high, std::int64_t fallback) {
    const toml::node* node = impl_->find(key);
    if (!node) return fallback;
    const auto* integer = node->as_integer();
    if (!integer || integer->get() < low || integer->get() > high)
        impl_->refuse(key, *node, fmt::format("an integer from {} to {}", low, high));
    return integer->get();
}

bool TomlTable::boolean_or(std::string_view key, bool fallback) {
    const toml::node* node = impl_->find(key);
    if (!node) return fallback;
    if (!node->is_boolean()) impl_->refuse(key, *node, "true or false");
    return node->as_boolean()->get();
}

std::string TomlTable::text(std::string_view key) {
    const toml::node& node = impl_->require(key);
    if (!node.is_string() || node.as_string()->get().empty()) impl_->refuse(key, node, "a text in quotes, not empty");
    return node.as_string()->get();
}

std::string TomlTable::text_or(std::string_view key, std::string_view fallback) {
    return has(key) ? text(key) : std::string(fallback);
}

std::string TomlTable::one_of(std::string_view key, const std::vector<std::string_view>& allowed) {
    const toml::node& node = impl_->require(key);
    const auto* word = node.as_string();
    if (word && std::find(allowed.begin(), allowed.end(), word->get()) != allowed.end()) return word->get();
    std::string words = "one of " + join(allowed);
    if (word) {
        const std::string near = nearest_word(word->get(), {allowed.begin(), allowed.end()});
        if (!near.empty()) words += fmt::format("; did you mean \"{}\"?", near);
    }
    impl_->refuse(key, node, words);
}

std::string TomlTable::one_of_or(std::string_view key, const std::vector<std::string_view>& allowed,
                                 std::string_view fallback) {
    return has(key) ? one_of(key, allowed) : std::string(fallback);
}

std::vector<std::string> TomlTable::texts(std::string_view key) {
    const toml::node* node = impl_->find(key);
    if (!node) return {};
    if (node->is_string()) return {text(key)};
    std::vector<std::string> words;
    if (const toml::array* array = node->as_array())
        for (const toml::node& element : *array) {
            const auto* word = element.as_string();
            if (!word && words.empty()) return {};
            if (!word || word->get().empty()) impl_->refuse(key, element, "a text in quotes, not empty");
            words.push_back(word->get());
        }
    return words;
}

bool TomlTable::is_text(std::string_view key) {
    const toml::node* node = impl_->find(key);
    return node && node->is_string();
}

bool TomlTable::is_table(std::string_view key) {
    const toml::node* node = impl_->find(key);
    return node && node->is_table();
}

TomlTable TomlTable::table(std::string_view key) {
    const toml::node& node = impl_->require(key);
    if (!node.is_table()) impl_->refuse(key, node, "a table");
    return TomlTable(impl_->child(*node.as_table(), impl_->full_name(key)));
}

std::vector<TomlTable> TomlTable::tables(std::string_view key) {
    std::vector<TomlTable> found;
    const toml::node* node = impl_->find(key);
    if (!node) return found;
    if (node->is_table()) {
        found.push_back(table(key));
        return found;
    }
    const toml::array* array = node->as_array();
    if (!array || array->empty()) impl_->refuse(key, *node, "a table or an array of tables");
    for (const toml::node& element : *array) {
        if (!element.is_table()) impl_->refuse(key, element, "a table or an array of tables");
        found.push_back(TomlTable(impl_->child(*element.as_table(), impl_->full_name(key))));
    }
    return found;
}

std::vector<std::string> TomlTable::keys() const {
    std::vector<std::string> names;
    for (const auto& [key, node] : *impl_->table) names.emplace_back(key.str());
    return names;
}

std::string TomlTable::scalar_text(std::string_view key) {
    const toml::node& node = impl_->require(key);
    if (node.is_table() || node.is_array()) impl_->refuse(key, node, "a text, number, date or boolean");
    if (const auto* word = node.as_string()) return word->get();
    return impl_->document->written(node.source());
}

void TomlTable::finish() const {
    const toml::key* first = nullptr;
    for (const auto& [key, node] : *impl_->table) {
        if (std::find(impl_->asked.begin(), impl_->asked.end(), key.str()) != impl_->asked.end()) continue;
        const auto at = [](const toml::key& k) { return std::pair(k.source().begin.line, k.source().begin.column); };
        if (!first || at(key) < at(*first)) first = &key;
    }
    if (first) impl_->refuse_unknown(*first);
}

void TomlTable::fail(std::string_view key, const std::string& message) const {
    const toml::node* node = impl_->table->get(key);
    if (!node) fail_here(fmt::format("{}: {}", impl_->full_name(key), message));
    impl_->document->fail_at(node->source().begin, fmt::format("{} = {}: {}", impl_->full_name(key),
                                                               impl_->document->written(node->source()), message));
}

void TomlTable::fail_here(const std::string& message) const {
    impl_->document->fail_at(impl_->table->source().begin, message);
}

}  // namespace topple::hil::experiment
