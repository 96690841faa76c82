#include "hil/camera/bodies.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <string_view>

#include "hil/files/errors.hpp"
#include "hil/text/nearest_word.hpp"

namespace topple::hil::camera {
namespace {

using files::InputError;

constexpr std::size_t kNamesQuoted = 40;

std::vector<std::string> names_of(const std::vector<PointPath>& points) {
    std::vector<std::string> names;
    for (const PointPath& point : points) names.push_back(point.name);
    return names;
}

/// Block of "marker_0_1", "block_2.P3", "block 1 a": the first number after the word; empty for other names.
std::optional<std::size_t> block_in(const std::string& name) {
    for (const std::string_view word : {"marker_", "block_", "block "}) {
        if (!name.starts_with(word)) continue;
        std::size_t block = 0;
        const char* const begin = name.data() + word.size();
        const auto [end, error] = std::from_chars(begin, name.data() + name.size(), block);
        if (error == std::errc() && end != name.data() + name.size() && block < 64) return block;
    }
    return std::nullopt;
}

/// Part of a name before its colon, as Motive writes "Body:Marker 1".
std::string owner_in(const std::string& name) {
    const std::size_t colon = name.find(':');
    return colon == std::string::npos ? "" : name.substr(0, colon);
}

/// Points grouped by what their names say; empty if those do not say it.
Bodies grouped(const std::vector<PointPath>& points, std::size_t blocks) {
    Bodies by_number(blocks), by_owner;
    std::vector<std::string> owners;
    bool all_numbered = true, all_owned = true;
    for (const PointPath& point : points) {
        const auto block = block_in(point.name);
        all_numbered = all_numbered && block && *block < blocks;
        if (all_numbered) by_number[*block].push_back(point.name);
        const std::string owner = owner_in(point.name);
        all_owned = all_owned && !owner.empty();
        auto at = std::find(owners.begin(), owners.end(), owner);
        if (at == owners.end()) at = owners.insert(owners.end(), owner), by_owner.emplace_back();
        by_owner[static_cast<std::size_t>(at - owners.begin())].push_back(point.name);
    }
    const auto is_whole = [&](const Bodies& bodies) {
        return bodies.size() == blocks &&
               std::all_of(bodies.begin(), bodies.end(), [](const auto& names) { return !names.empty(); });
    };
    if (all_numbered && is_whole(by_number)) return by_number;
    if (all_owned && is_whole(by_owner)) return by_owner;
    if (blocks == 1) return {names_of(points)};
    return {};
}

}  // namespace

std::string quoted(const std::vector<std::string>& names) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < kNamesQuoted; ++i)
        text += fmt::format("{}\"{}\"", i == 0 ? "" : ", ", names[i]);
    return names.size() > kNamesQuoted ? text + ", ..." : text;
}

void refuse_name(const std::string& file, const std::string& name, const std::vector<std::string>& known) {
    const std::string meant = text::nearest_word(name, known);
    throw InputError(fmt::format("{}: --rotation-block names \"{}\"{}; there are: {}", file, name,
                                 meant.empty() ? "" : fmt::format(" (\"{}\"?)", meant), quoted(known)));
}

const PointPath& point_named(const std::vector<PointPath>& points, const std::string& name, const std::string& file) {
    for (const PointPath& point : points)
        if (point.name == name) return point;
    refuse_name(file, name, names_of(points));
}

void require_count(const ReadOptions& options, std::size_t blocks, const std::string& file) {
    if (options.bodies.empty() || options.bodies.size() == blocks) return;
    throw InputError(
        fmt::format("{}: --rotation-block is given {} times, the test has {} blocks: give it once per block, "
                    "from the bottom up",
                    file, options.bodies.size(), blocks));
}

Bodies bodies_of(const std::vector<PointPath>& points, const ReadOptions& options, std::size_t blocks,
                 const std::string& file) {
    if (!options.bodies.empty()) return options.bodies;
    Bodies bodies = grouped(points, blocks);
    if (bodies.empty())
        throw InputError(fmt::format(
            "{}: which of its points are on which of the {} blocks? Give --rotation-block NAME,NAME,... once "
            "per block, from the bottom up; there are: {}",
            file, blocks, quoted(names_of(points))));
    return bodies;
}

}  // namespace topple::hil::camera
