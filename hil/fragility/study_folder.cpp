#include "hil/fragility/study_folder.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <sstream>

#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/first_difference.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/fragility/chunk_file.hpp"
#include "hil/fragility/outputs.hpp"
#include "hil/host/for_each_index.hpp"
#include "hil/host/version.hpp"
#include "hil/report/html.hpp"

namespace topple::hil::fragility {
namespace {

namespace fs = std::filesystem;
using files::InputError;
using files::Overwrite;

constexpr const char* kStudy = "study.toml";
constexpr const char* kIdentity = "study.txt";  // what the results depend on, a line each

/// One line for each thing that the results depend on, so that a difference can be named.
std::string identity(const Study& study) {
    std::string text = fmt::format("study {}\ntopple {}\n", study.fingerprint, host::version());
    for (const StudyMotion& motion : study.motions)
        text += fmt::format("{} {}\n", motion.sha256.empty() ? "-" : motion.sha256, motion.listed.name);
    return text;
}

/// What each line below the first one, which is of everything, is of: "topple", or the name of a motion.
std::map<std::string, std::string> lines_of(const std::string& identity) {
    std::map<std::string, std::string> lines;
    std::istringstream text(identity);
    std::string line;
    std::getline(text, line);
    while (std::getline(text, line)) {
        const auto space = line.find(' ');
        if (line.starts_with("topple ") && lines.empty())
            lines[""] = line.substr(space + 1);
        else if (space != std::string::npos)
            lines["motion " + line.substr(space + 1)] = line.substr(0, space);
    }
    return lines;
}

std::string changed_line(const std::string& then, const std::string& now) {
    const auto before = lines_of(then), after = lines_of(now);
    const auto of = [](const auto& lines, const std::string& key) {
        const auto found = lines.find(key);
        return found == lines.end() ? std::string() : found->second;
    };
    if (of(before, "") != of(after, ""))
        return fmt::format("it was begun by Topple {}, and this is {}", of(before, ""), of(after, ""));
    for (const auto& [name, hash] : before) {
        if (!after.contains(name)) return name + " is gone";
        if (after.at(name) != hash) return name + " has changed";
    }
    for (const auto& [name, hash] : after)
        if (!before.contains(name)) return name + " is new";
    return {};
}

void require_same(const Study& study, const fs::path& folder) {
    if (!fs::exists(folder / kIdentity))
        throw InputError(fmt::format("{}: not a fragility study that was begun (no {})", folder.string(), kIdentity));
    const std::string then = files::read_text_file(folder / kIdentity), now = identity(study);
    if (then == now) return;
    std::string why = files::first_difference(files::read_text_file(folder / kStudy), study.experiment.text);
    if (!why.empty()) why = "of the file " + why;
    if (why.empty()) why = changed_line(then, now);
    if (why.empty()) why = "the model, or a file that the experiment names, is another one";
    throw InputError(
        fmt::format("--resume {}: was begun with another study: {}; put it back as it was, or begin a new study",
                    folder.string(), why));
}

struct ChunksRead {
    std::size_t done = 0;
    std::string damage;  ///< of one of those that cannot be used
};

/// Counts of one specimen, over all of its chunks that are there.
Tally tally_of(const Study& study, std::size_t specimen, const fs::path& folder, unsigned threads,
               ChunksRead& chunks_read) {
    const std::size_t chunks = study.motions.size() * study.chunks_per_motion();
    Tally all(study);
    std::mutex adding;
    // A chunk is read by one thread and added by one at a time: only counts, so that the order does not matter.
    host::for_each_index(chunks, threads, [&](std::size_t i) {
        const Chunk chunk = study.chunk(specimen * chunks + i);
        const ReadChunk read = read_chunk(study, chunk, folder);
        const std::scoped_lock lock(adding);
        if (!read.damage.empty())
            chunks_read.damage = fmt::format("{}: {}", chunk_path(folder, chunk.index).string(), read.damage);
        if (read.runs.empty()) return;
        all.add(chunk, read.runs);
        ++chunks_read.done;
    });
    return all;
}

/// A figure that stays in the folder, as HTML for the page.
struct DrawnFigure {
    std::string html, missing;
};

template <typename Draw>
DrawnFigure drawn(const fs::path& file, const std::string& caption, const Draw& draw) {
    try {
        if (!draw(file)) return {};
        return {fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                            report::inline_svg(files::read_text_file(file), caption), report::escape_html(caption)),
                ""};
    } catch (const std::runtime_error& error) {
        return {"", error.what()};
    }
}

constexpr std::size_t kFigures = 3;  // of each specimen

DrawnFigure draw_one(const Evaluated& evaluated, const std::vector<Tally>& tallies, const fs::path& folder,
                     std::size_t index) {
    const std::size_t s = index / kFigures, which = index % kFigures;
    const std::string end = evaluated.specimens.size() > 1 ? fmt::format("_{}.svg", s) : std::string(".svg");
    if (which == 0)
        return drawn(folder / ("fragility" + end), "Share of runs that overturned, with the lognormal fit.",
                     [&](const fs::path& file) { return draw_fragility(evaluated, s, file); });
    if (which == 1)
        return drawn(folder / ("ida" + end), "Incremental dynamic analysis: peak rotation over intensity.",
                     [&](const fs::path& file) { return draw_ida(evaluated, tallies[s], s, file); });
    return drawn(folder / ("efficiency" + end),
                 "Scatter of each measure at overturning: the smaller, the more efficient.",
                 [&](const fs::path& file) { return draw_efficiency(evaluated, s, file); });
}

/// One text per specimen.
std::vector<std::string> draw_all(const Evaluated& evaluated, const std::vector<Tally>& tallies, const fs::path& folder,
                                  unsigned threads, std::string& missing) {
    std::vector<DrawnFigure> figures(kFigures * evaluated.specimens.size());
    host::for_each_index(figures.size(), threads,
                         [&](std::size_t i) { figures[i] = draw_one(evaluated, tallies, folder, i); });
    std::vector<std::string> pages(evaluated.specimens.size());
    for (std::size_t i = 0; i < figures.size(); ++i) {
        pages[i / kFigures] += figures[i].html;
        if (!figures[i].missing.empty()) missing = figures[i].missing;
    }
    return pages;
}

}  // namespace

fs::path begin_study(const Study& study, const fs::path& folder) {
    fs::path path = folder;
    if (path.empty())
        path = files::create_default_run_folder(study.experiment.name);
    else
        files::create_run_folder(path);
    std::error_code error;
    fs::create_directories(path / "chunks", error);
    if (error) throw files::OutputError(fmt::format("{}: cannot be created: {}", path.string(), error.message()));
    files::write_durably(path / kStudy, study.experiment.text);
    files::write_durably(path / kIdentity, identity(study));
    return path;
}

TakenUp take_up(const Study& study, const fs::path& folder, unsigned threads) {
    require_same(study, folder);
    std::error_code error;
    fs::create_directories(folder / "chunks", error);
    std::vector<char> is_open(study.chunk_count(), 0);
    std::vector<std::string> damage(study.chunk_count());
    host::for_each_index(study.chunk_count(), threads, [&](std::size_t i) {
        const ReadChunk read = read_chunk(study, study.chunk(i), folder);
        is_open[i] = read.runs.empty();
        if (!read.damage.empty()) damage[i] = fmt::format("{}: {}", chunk_path(folder, i).string(), read.damage);
    });
    TakenUp found;
    for (std::size_t i = 0; i < is_open.size(); ++i) {
        if (is_open[i]) found.open.push_back(i);
        if (!damage[i].empty()) found.damaged.push_back(damage[i]);
    }
    return found;
}

void require_seen(const Study& study, const fs::path& folder) {
    const fs::path chunks = folder / "chunks";
    if (!fs::is_directory(chunks))
        throw InputError(
            fmt::format("{}: not seen here; all ranks need the same folder, on a shared file system", chunks.string()));
    if (files::read_text_file(folder / kIdentity) != identity(study))
        throw InputError(
            fmt::format("{}: seen here is that of another study; all ranks need the same folder, on a "
                        "shared file system",
                        (folder / kIdentity).string()));
}

Published publish(const Study& study, const fs::path& folder, unsigned threads) {
    Evaluated evaluated{study, {}, 0};
    Published published;
    ChunksRead chunks_read;
    std::vector<Tally> tallies;
    for (std::size_t s = 0; s < study.members.size(); ++s) {
        tallies.push_back(tally_of(study, s, folder, threads, chunks_read));
        evaluated.specimens.push_back(evaluate(study, tallies.back(), threads));
    }
    evaluated.chunks_done = chunks_read.done;
    const std::vector<std::string> figures = draw_all(evaluated, tallies, folder, threads, published.missing);
    const auto write = [&](const char* name, const std::string& text) {
        files::write_file(folder / name, text, Overwrite::allow);
    };
    write("curves.csv", curves_csv(evaluated));
    write("counts.csv", counts_csv(evaluated, tallies));
    write("motions.csv", motions_csv(evaluated));
    write("efficiency.csv", efficiency_csv(evaluated));
    write("summary.json", summary_json(evaluated));
    write("index.html", page(evaluated, figures));
    published.text = study_text(evaluated);
    published.chunks_done = chunks_read.done;
    published.damage = chunks_read.damage;
    return published;
}

}  // namespace topple::hil::fragility
