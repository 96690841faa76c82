#include "hil/experiment/referenced_files.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "hil/experiment/photo.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/files/sha256.hpp"

namespace topple::hil::experiment {
namespace {

namespace fs = std::filesystem;

constexpr const char* kMeshKey = "mesh";

/// A value in the text of the experiment file, from its first quotation mark to behind its last.
struct Place {
    std::size_t begin = 0, end = 0;
    std::string value;
};

/// Byte of a position that the parser counts in lines and characters, both from 1.
std::size_t byte_of(std::string_view text, const toml::source_position& position) {
    std::size_t byte = 0;
    for (toml::source_index line = 1; line < position.line; ++line)
        byte = std::min(text.find('\n', byte), text.size() - 1) + 1;
    for (toml::source_index column = 1; column < position.column && byte < text.size(); ++column) {
        ++byte;
        while (byte < text.size() && (static_cast<unsigned char>(text[byte]) & 0xC0) == 0x80)
            ++byte;  // inside a character
    }
    return byte;
}

void add_place(const toml::node* node, std::string_view text, std::vector<Place>& places) {
    if (node == nullptr || !node->is_string()) return;
    const toml::source_region& region = node->source();
    places.push_back({byte_of(text, region.begin), byte_of(text, region.end), node->as_string()->get()});
}

void add_excitation(const toml::node_view<const toml::node>& section, std::string_view text,
                    std::vector<Place>& places) {
    for (const char* key : {"file", "displacement_file"}) {
        add_place(section[key].node(), text, places);
        if (const toml::array* parts = section["parts"].as_array())
            for (const toml::node& part : *parts)
                if (const toml::table* table = part.as_table()) add_place(table->get(key), text, places);
    }
}

/// specimen = "file", a list of such names, or [[specimen]] tables with `file`.
void add_specimens(const toml::node* specimen, std::string_view text, std::vector<Place>& places) {
    const auto add_one = [&](const toml::node& node) {
        add_place(&node, text, places);
        if (const toml::table* table = node.as_table())
            for (const char* key : {"file", kMeshKey}) add_place(table->get(key), text, places);
    };
    if (specimen == nullptr) return;
    const toml::array* list = specimen->as_array();
    if (list == nullptr) return add_one(*specimen);
    for (const toml::node& node : *list) add_one(node);
}

/// Every file that is copied: records, specimens, the photograph, what was learned and a table of members.
std::vector<Place> copied_places(const toml::table& file, std::string_view text) {
    std::vector<Place> places;
    add_excitation(file["excitation"], text, places);
    add_excitation(file["excitation_y"], text, places);
    add_excitation(file["vertical_excitation"], text, places);
    add_specimens(file.get("specimen"), text, places);
    add_place(file["notes"][kPhotoKey].node(), text, places);
    add_place(file["uncertainty"]["prior"].node(), text, places);
    add_place(file["uncertainty"]["members"].node(), text, places);
    return places;
}

/// Letters, digits, '-', '_' and '.' of a file's name, no longer than 80.
std::string plain_name(const fs::path& file) {
    constexpr std::size_t kLongest = 80;
    std::string name;
    for (const char c : file.filename().string()) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '.';
        name += plain ? c : '_';
    }
    return name.size() <= kLongest ? name : name.substr(name.size() - kLongest);  // the ending says what it is
}

class Collector {
  public:
    explicit Collector(const Experiment& experiment) : experiment_(experiment) { result_.text = experiment.text; }

    PortableExperiment collect() {
        const std::string_view text = experiment_.text;
        const toml::table file = toml::parse(text);
        const toml::table& view = file;
        std::vector<Place> machine;
        add_place(view["table"]["machine"].node(), text, machine);
        std::vector<std::pair<Place, std::string>> changes;
        for (const Place& place : copied_places(file, text)) changes.emplace_back(place, copy_of(place.value));
        for (Place& place : machine)
            if (is_file(place.value)) changes.emplace_back(place, "machine.toml");
        rewrite(std::move(changes));
        return std::move(result_);
    }

  private:
    fs::path source_of(const std::string& name) const { return experiment_.source.parent_path() / name; }
    bool is_file(const std::string& name) const {
        std::error_code ignored;
        return fs::is_regular_file(source_of(name), ignored) && name != TableSection{}.machine;
    }

    std::string copy_of(const std::string& name) {
        const fs::path source = fs::weakly_canonical(source_of(name));
        const auto known = names_.find(source);
        if (known != names_.end()) return known->second;
        const std::string copy = fmt::format("referenced/{}_{}", names_.size() + 1, plain_name(source));
        names_.emplace(source, copy);
        result_.files.push_back({copy, files::read_text_file(source_of(name))});
        if (source.extension() == ".toml") take_mesh_along(result_.files.size() - 1, name);
        return copy;
    }

    /// A specimen file may name a mesh beside itself; the copies are in one folder.
    void take_mesh_along(std::size_t file, const std::string& name) {
        std::vector<Place> places;
        try {
            add_place(toml::parse(std::string_view(result_.files[file].text)).get(kMeshKey), result_.files[file].text,
                      places);
        } catch (const toml::parse_error&) {  // not a specimen file
        }
        for (const Place& place : places) {
            const std::string copy = copy_of((fs::path(name).parent_path() / place.value).string());
            result_.files[file].text.replace(place.begin, place.end - place.begin,
                                             fmt::format("\"{}\"", fs::path(copy).filename().string()));
        }
    }

    // From the back, so that the places in front stay where they are; and read again, to be sure of what was written.
    void rewrite(std::vector<std::pair<Place, std::string>> changes) {
        std::sort(changes.begin(), changes.end(),
                  [](const auto& a, const auto& b) { return a.first.begin > b.first.begin; });
        for (const auto& [place, name] : changes)
            result_.text.replace(place.begin, place.end - place.begin, fmt::format("\"{}\"", name));
        std::vector<Place> now;
        try {
            now = copied_places(toml::parse(std::string_view(result_.text)), result_.text);
        } catch (const toml::parse_error&) {
            now.clear();
        }
        const bool right = std::all_of(now.begin(), now.end(), [&](const Place& place) {
            return std::any_of(result_.files.begin(), result_.files.end(),
                               [&](const auto& file) { return file.name == place.value; });
        });
        if (!right || (now.empty() && !result_.files.empty()))
            throw files::InputError(fmt::format(
                "{}: the paths in it could not be replaced by those of the run folder's copies: write them as "
                "plain \"...\" on one line",
                experiment_.source.string()));
    }

    const Experiment& experiment_;
    PortableExperiment result_;
    std::map<fs::path, std::string> names_;
};

}  // namespace

std::map<std::string, std::string> PortableExperiment::hashes() const {
    std::map<std::string, std::string> hashes;
    for (const File& file : files) hashes[kReferencedHashKey + file.name] = files::sha256_hex(file.text);
    return hashes;
}

PortableExperiment make_portable(const Experiment& experiment) { return Collector(experiment).collect(); }

void write_portable(const PortableExperiment& experiment, const fs::path& folder) {
    files::write_durably(folder / "experiment.toml", experiment.text);
    for (const PortableExperiment::File& file : experiment.files) {
        std::error_code error;
        fs::create_directories((folder / file.name).parent_path(), error);
        if (error) throw files::OutputError(fmt::format("{}: {}", (folder / file.name).string(), error.message()));
        files::write_durably(folder / file.name, file.text);
    }
}

}  // namespace topple::hil::experiment
