#include "hil/experiment/aux_channels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <set>

#include "hil/experiment/sections.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kWordBytesMax = 64;

std::string column_word(std::string_view text) {
    std::string word = text::folder_word(text, kWordBytesMax);
    std::replace(word.begin(), word.end(), '-', '_');
    return word;
}

std::string key_of(std::size_t channel, std::string_view what) { return fmt::format("aux_{}_{}", channel, what); }

std::optional<double> number_at(const std::map<std::string, std::string>& metadata, const std::string& key) {
    const auto found = metadata.find(key);
    double value = 0.0;
    if (found == metadata.end()) return std::nullopt;
    const char *begin = found->second.data(), *end = begin + found->second.size();
    const auto [rest, error] = std::from_chars(begin, end, value);
    if (error != std::errc() || rest != end) return std::nullopt;
    return value;
}

}  // namespace

std::string AuxChannel::column() const { return fmt::format("aux_{}_{}", column_word(name), column_word(unit)); }

std::vector<AuxChannel> read_aux_channels(TomlTable& machine) {
    if (!machine.has("aux")) return {};
    constexpr NumberRange kScale{-1e12, 1e12};
    std::vector<AuxChannel> channels;
    std::set<std::string> columns;
    for (TomlTable& table : machine.tables("aux")) {
        AuxChannel channel{table.text("name"), table.text("unit"), table.number("scale", kScale),
                           table.number_or("offset", kScale, 0.0)};
        table.finish();
        if (channel.scale == 0.0) table.fail("scale", "must not be 0: every voltage would read the same");
        if (!columns.insert(channel.column()).second)
            table.fail("name", fmt::format("another [[aux]] already has the column {}", channel.column()));
        channels.push_back(std::move(channel));
        if (channels.size() > kAuxListedMax)
            table.fail_here(fmt::format("at most {} [[aux]] are allowed", kAuxListedMax));
    }
    return channels;
}

std::map<std::string, std::string> aux_metadata(std::span<const AuxChannel> channels) {
    std::map<std::string, std::string> metadata;
    for (std::size_t i = 0; i < channels.size(); ++i) {
        metadata[key_of(i, "name")] = channels[i].name;
        metadata[key_of(i, "unit")] = channels[i].unit;
        metadata[key_of(i, "scale")] = fmt::format("{}", channels[i].scale);
        metadata[key_of(i, "offset")] = fmt::format("{}", channels[i].offset);
    }
    return metadata;
}

std::vector<AuxChannel> aux_of_metadata(const std::map<std::string, std::string>& metadata) {
    std::vector<AuxChannel> channels;
    for (std::size_t i = 0; i < kAuxListedMax; ++i) {
        const auto name = metadata.find(key_of(i, "name")), unit = metadata.find(key_of(i, "unit"));
        const auto scale = number_at(metadata, key_of(i, "scale")), offset = number_at(metadata, key_of(i, "offset"));
        if (name == metadata.end() || unit == metadata.end() || !scale || !offset) break;
        channels.push_back({name->second, unit->second, *scale, *offset});
    }
    return channels;
}

}  // namespace topple::hil::experiment
