#include "hil/fragility/chunk_file.hpp"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <iterator>
#include <string_view>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::fragility {
namespace {

constexpr std::string_view kColumns = "value,member,outcome,direction,uplift,peak_rotation_ratio\n";
constexpr std::string_view kHash = "# sha256 ";
constexpr std::size_t kHashDigits = 64, kBytesMax = std::size_t{64} << 20;
constexpr int kPeakDigits = 4;  // of kPeakUnit

std::string head(const Study& study, const Chunk& chunk) {
    return fmt::format(
        "# topple.fragility_chunk/1: chunk {} of {}, specimen {}, motion {}, values {} to {}, {} runs\n"
        "# study {}\n{}",
        chunk.index, study.chunk_count(), chunk.specimen, chunk.motion, chunk.first_value,
        chunk.first_value + chunk.value_count - 1, chunk.value_count * study.member_count(), study.fingerprint,
        kColumns);
}

void append_run(std::string& text, std::size_t value, std::size_t member, const RunResult& run, bool has_peaks) {
    auto out = std::back_inserter(text);
    fmt::format_to(out, "{},{},{},{},", value, member, solver::name(run.outcome),
                   run.direction ? solver::name(*run.direction) : std::string_view{});
    if (has_peaks) text += run.has_uplifted ? '1' : '0';
    text += ',';
    if (has_peaks && run.outcome && !solver::is_overturning(run.outcome))
        fmt::format_to(out, "{}.{:0{}}", run.peak / 10'000, run.peak % 10'000, kPeakDigits);
    text += '\n';
}

/// Takes the next field of a line.
std::string_view field(std::string_view& line, char end) {
    const auto at = line.find(end);
    const std::string_view taken = line.substr(0, at);
    line.remove_prefix(at == std::string_view::npos ? line.size() : at + 1);
    return taken;
}

std::optional<solver::Outcome> outcome_named(std::string_view word) {
    for (unsigned code = 0; code < solver::kFailedCode; ++code) {
        const auto outcome = solver::outcome_of_code(code);
        if (outcome && solver::name(*outcome) == word) return outcome;
    }
    return std::nullopt;
}

std::optional<std::size_t> number(std::string_view text) {
    std::size_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() ? std::optional(value) : std::nullopt;
}

bool read_run(std::string_view line, std::size_t value, std::size_t member, RunResult& run) {
    if (number(field(line, ',')) != value || number(field(line, ',')) != member) return false;
    run.outcome = outcome_named(field(line, ','));
    const std::string_view side = field(line, ',');
    if (!side.empty()) run.direction = side == "left" ? solver::Side::left : solver::Side::right;
    run.has_uplifted = field(line, ',') == "1";
    if (line.empty()) return true;
    const auto whole = number(field(line, '.')), part = number(line);
    if (!whole || !part || line.size() != kPeakDigits) return false;
    run.peak = static_cast<unsigned>(*whole * 10'000 + *part);
    return true;
}

std::string damage_of(const Study& study, const Chunk& chunk, std::string_view text) {
    const auto at = text.rfind(kHash);
    if (at == std::string_view::npos || text.size() < at + kHash.size() + kHashDigits) return "it has no end";
    if (files::sha256_hex(text.substr(0, at)) != text.substr(at + kHash.size(), kHashDigits))
        return "its checksum is not that of its content";
    if (text.substr(at + kHash.size() + kHashDigits) != "\n") return "something follows its checksum";
    if (!text.starts_with(head(study, chunk))) return "it is of another study";
    return {};
}

}  // namespace

std::filesystem::path chunk_path(const std::filesystem::path& folder, std::size_t index) {
    return folder / "chunks" / fmt::format("{:07}.csv", index);
}

void write_chunk(const Study& study, const Chunk& chunk, const std::vector<RunResult>& runs,
                 const std::filesystem::path& folder) {
    std::string text = head(study, chunk);
    const std::size_t members = study.member_count();
    text.reserve(text.size() + 40 * runs.size());
    for (std::size_t i = 0; i < runs.size(); ++i)
        append_run(text, chunk.first_value + i / members, i % members, runs[i], study.section.has_peaks);
    const std::string hash = files::sha256_hex(text);
    text += fmt::format("{}{}\n", kHash, hash);
    files::write_durably(chunk_path(folder, chunk.index), text);
}

ReadChunk read_chunk(const Study& study, const Chunk& chunk, const std::filesystem::path& folder) {
    const std::filesystem::path file = chunk_path(folder, chunk.index);
    std::error_code error;
    if (!std::filesystem::exists(file, error)) return {};
    std::string text;
    try {
        text = files::read_text_file(file, kBytesMax);
    } catch (const files::InputError& unreadable) {
        return {{}, unreadable.what()};
    }
    if (std::string damage = damage_of(study, chunk, text); !damage.empty()) return {{}, std::move(damage)};
    std::string_view rest = std::string_view(text).substr(head(study, chunk).size());
    const std::size_t members = study.member_count();
    ReadChunk read;
    read.runs.resize(chunk.value_count * members);
    for (std::size_t i = 0; i < read.runs.size(); ++i)
        if (!read_run(field(rest, '\n'), chunk.first_value + i / members, i % members, read.runs[i]))
            return {{}, fmt::format("run {} of {} cannot be read", i + 1, read.runs.size())};
    return read;
}

}  // namespace topple::hil::fragility
