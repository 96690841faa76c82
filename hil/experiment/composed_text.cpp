#include "hil/experiment/composed_text.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <locale>
#include <sstream>
#include <utility>
#include <vector>

#include "hil/experiment/toml_document.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/text/number_text.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

namespace fs = std::filesystem;
using files::InputError;

constexpr std::size_t kFileBytesMax = 256 * 1024;

/// Keys that say the same in another unit.
constexpr std::array<std::pair<const char*, const char*>, 2> kSame{
    {{"amplitude_m_s2", "amplitude_g"}, {"frequency_hz", "angular_frequency_rad_s"}}};

/// Numbers that are whole are written as such, so that 3 and 3.0 are the same text.
void insert(toml::table& table, const std::string& key, const std::string& value) {
    constexpr double kWholeMax = 1e15;
    if (value == "true" || value == "false") {
        table.insert_or_assign(key, value == "true");
    } else if (const auto number = text::parse_number(value)) {
        if (std::floor(*number) == *number && std::abs(*number) < kWholeMax)
            table.insert_or_assign(key, static_cast<std::int64_t>(*number));
        else
            table.insert_or_assign(key, *number);
    } else {
        table.insert_or_assign(key, value);
    }
}

void set_last(toml::table& table, const std::string& key, const std::string& value) {
    const toml::node* there = table.get(key);
    if (key == "friction" && text::parse_number(value)) {
        toml::table pair;
        insert(pair, "static", value);
        insert(pair, "kinetic", value);
        pair.is_inline(true);
        table.insert_or_assign(key, std::move(pair));
        return;
    }
    for (const auto& [one, other] : kSame) {
        if (key == one) table.erase(other);
        if (key == other) table.erase(one);
    }
    if (there && there->is_string())
        table.insert_or_assign(key, value);
    else
        insert(table, key, value);
}

[[noreturn]] void refuse(std::string_view key, std::string_view part) {
    throw InputError(fmt::format("{}: \"{}\" is no table of the file, so nothing in it can be set", text::one_line(key),
                                 text::one_line(part)));
}

void set(toml::table& table, const std::vector<std::string>& parts, std::size_t at,
         const ComposedText::Setting& setting) {
    if (at + 1 == parts.size()) return set_last(table, parts[at], setting.value);
    if (!table.contains(parts[at])) table.insert(parts[at], toml::table{});
    toml::node& next = *table.get(parts[at]);
    if (toml::table* inner = next.as_table()) return set(*inner, parts, at + 1, setting);
    toml::array* list = next.as_array();
    if (!list || list->empty()) refuse(setting.key, parts[at]);
    const auto index = text::parse_whole_number(parts[at + 1]);
    const auto set_in = [&](std::size_t element, std::size_t further) {
        toml::table* inner = element < list->size() ? list->get(element)->as_table() : nullptr;
        if (!inner || further >= parts.size()) refuse(setting.key, parts[at]);
        set(*inner, parts, further, setting);
    };
    if (index) return set_in(*index, at + 2);
    if (at == 0) return set_in(0, at + 1);  // [[specimen]]: the first
    for (std::size_t i = 0; i < list->size(); ++i) set_in(i, at + 1);
}

void make_absolute(toml::node& name, const fs::path& beside) {
    if (auto* text = name.as_string()) *text = fs::absolute(beside / text->get()).lexically_normal().string();
}

/// [[specimen]] of an experiment file, with the names of further files as seen from anywhere; or the file itself.
void exchange_specimen(toml::table& root, const fs::path& path) {
    const auto document = TomlDocument::parse(files::read_text_file(path, kFileBytesMax), path.string());
    const fs::path beside = path.parent_path();
    toml::table other = document->root;
    toml::node* specimen = other.get("specimen");
    if (!specimen) {
        if (other.contains("excitation")) throw InputError(path.string() + ": no [specimen] in it");
        other.erase("name");
        other.erase("notes");
        root.insert_or_assign("specimen", std::move(other));
        return;
    }
    const auto of_one = [&](toml::node& node) {
        make_absolute(node, beside);
        if (toml::table* table = node.as_table())
            if (toml::node* file = table->get("file")) make_absolute(*file, beside);
    };
    of_one(*specimen);
    if (toml::array* list = specimen->as_array())
        for (toml::node& node : *list) of_one(node);
    root.insert_or_assign("specimen", std::move(*specimen));
}

void exchange_motion(toml::table& root, const fs::path& file) {
    toml::table* excitation = root.get_as<toml::table>("excitation");
    if (!excitation || (*excitation)["type"].value<std::string>() != "record") {
        root.insert_or_assign("excitation", toml::table{{"type", "record"}});
        excitation = root.get_as<toml::table>("excitation");
    }
    excitation->insert_or_assign("file", fs::absolute(file).string());
}

}  // namespace

ComposedText::ComposedText(std::string text, const std::string& file)
    : document_(TomlDocument::parse(std::move(text), file)) {}

bool ComposedText::has(std::string_view key) const {
    const toml::node* node = &document_->root;
    for (const std::string& part : key_parts(key)) {
        if (const toml::array* list = node->as_array()) {
            const auto index = text::parse_whole_number(part);
            node = list->get(index ? static_cast<std::size_t>(*index) : 0);
            if (!node) return false;
            if (index) continue;
        }
        const toml::table* table = node->as_table();
        node = table ? table->get(part) : nullptr;
        if (!node) return false;
    }
    return true;
}

std::string ComposedText::with(std::span<const Setting> settings, const Exchange& exchange) const {
    toml::table root = document_->root;
    if (exchange.specimen) exchange_specimen(root, *exchange.specimen);
    if (exchange.motion) exchange_motion(root, *exchange.motion);
    for (const Setting& setting : settings) set(root, key_parts(setting.key), 0, setting);
    std::ostringstream out;
    out.imbue(std::locale::classic());
    out << root << '\n';
    return out.str();
}

}  // namespace topple::hil::experiment
