#include "hil/experiment/varied_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "hil/experiment/toml_document.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/nearest_word.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

using files::InputError;

constexpr double kWholeMax = 1e15;  // beyond it a double is no longer every integer

/// { static = , kinetic = }
bool is_friction_pair(std::string_view name, const toml::node& node) {
    const toml::table* table = node.as_table();
    return name == "friction" && table && table->size() == 2 && table->contains("static") && table->contains("kinetic");
}

/// The whole key, so that it can be copied: "specimen[1].width_m" is written specimen.1.width_m.
std::string likely_key(std::string_view key, std::string_view part, const std::vector<std::string>& there) {
    std::string likely(key);
    if (part.find('[') != std::string_view::npos) {
        std::replace(likely.begin(), likely.end(), '[', '.');
        std::erase(likely, ']');
        return likely;
    }
    const std::string near = text::nearest_word(std::string(part), there);
    const auto at = likely.find(part);
    return near.empty() || at == std::string::npos ? near : likely.replace(at, part.size(), near);
}

}  // namespace

struct VariedText::Impl {
    std::shared_ptr<const TomlDocument> document;

    [[noreturn]] void refuse_missing(std::string_view key, std::string_view part, const toml::table& table) const {
        std::vector<std::string> there;
        for (const auto& [name, node] : table) there.emplace_back(name.str());
        const std::string near = likely_key(key, part, there);
        throw InputError(fmt::format(
            "{}: {} is not in the file{}; write it there with any number that is allowed: it "
            "is varied; there are: {}",
            text::one_line(document->file), text::one_line(key),
            near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", text::one_line(near)), fmt::join(there, ", ")));
    }
    [[noreturn]] void refuse_kind(std::string_view key, const toml::node& node) const {
        document->fail_at(node.source().begin, fmt::format("{} = {} is not allowed on an axis: must be a number",
                                                           text::one_line(key), document->written(node.source())));
    }

    void find(std::string_view key, const std::vector<std::string>& parts, std::size_t at, const toml::node& node,
              std::vector<const toml::node*>& found) const {
        const bool is_last = at == parts.size();
        if (const toml::array* array = node.as_array()) {
            if (array->empty()) refuse_kind(key, node);
            const auto index = is_last ? std::nullopt : text::parse_whole_number(parts[at]);
            if (index) {
                if (*index >= array->size())
                    document->fail_at(node.source().begin, fmt::format("{}: there are {} elements, counted from 0",
                                                                       text::one_line(key), array->size()));
                return find(key, parts, at + 1, *array->get(*index), found);
            }
            if (at == 1) return find(key, parts, at, *array->get(0), found);  // [[specimen]]: the first
            for (const toml::node& element : *array) find(key, parts, at, element, found);
            return;
        }
        if (is_last && is_friction_pair(parts.back(), node)) {
            found.push_back(node.as_table()->get("static"));
            found.push_back(node.as_table()->get("kinetic"));
            return;
        }
        if (is_last) {
            if (!real_number(node)) refuse_kind(key, node);
            found.push_back(&node);
            return;
        }
        const toml::table* table = node.as_table();
        if (!table) refuse_kind(key, node);
        const toml::node* next = table->get(parts[at]);
        if (!next) refuse_missing(key, parts[at], *table);
        find(key, parts, at + 1, *next, found);
    }

    std::vector<const toml::node*> find(std::string_view key) const {
        std::vector<const toml::node*> found;
        find(key, key_parts(key), 0, document->root, found);
        return found;
    }
};

VariedText::VariedText(std::string text, const std::string& file) : impl_(std::make_unique<Impl>()) {
    impl_->document = TomlDocument::parse(std::move(text), file);
}
VariedText::~VariedText() = default;
VariedText::VariedText(VariedText&&) noexcept = default;

double VariedText::number(std::string_view key) const { return *real_number(*impl_->find(key).front()); }

bool VariedText::has(std::string_view key) const {
    try {
        impl_->find(key);
        return true;
    } catch (const InputError&) {
        return false;
    }
}

std::string VariedText::with(const std::vector<Change>& changes) const {
    struct Place {
        std::string_view key;
        std::size_t begin, end;
        double value;
        bool is_whole;  // written as an integer, and so is what takes its place: some keys allow nothing else
    };
    const TomlDocument& document = *impl_->document;
    std::vector<Place> places;
    for (const Change& change : changes)
        for (const toml::node* node : impl_->find(change.key)) {
            const std::size_t begin = document.offset(node->source().begin);
            std::size_t end = document.text.find_first_of(" \t\r\n,]}#", begin);
            const bool is_whole =
                node->is_integer() && change.value == std::trunc(change.value) && std::abs(change.value) < kWholeMax;
            places.push_back({change.key, begin, std::min(end, document.text.size()), change.value, is_whole});
        }
    std::sort(places.begin(), places.end(), [](const Place& a, const Place& b) { return a.begin > b.begin; });
    const auto same = std::adjacent_find(places.begin(), places.end(),
                                         [](const Place& a, const Place& b) { return a.begin == b.begin; });
    if (same != places.end())
        throw InputError(fmt::format("{}: {} and {} set the same number", text::one_line(document.file),
                                     text::one_line(same[1].key), text::one_line(same[0].key)));
    std::string text = document.text;
    for (const Place& place : places) {  // from the end, so that what stands before stays where it is
        std::string number = place.is_whole ? fmt::format("{:.0f}", place.value) : fmt::format("{}", place.value);
        if (!place.is_whole && number.find_first_of(".e") == std::string::npos) number += ".0";
        text.replace(place.begin, place.end - place.begin, number);
    }
    return text;
}

}  // namespace topple::hil::experiment
