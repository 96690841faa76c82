#include "hil/cli/map_fragility.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <memory>
#include <optional>
#include <sstream>
#include <vector>

#include "firmware_iface/fault.hpp"
#include "hil/cli/ranks.hpp"
#include "hil/cli/signals.hpp"
#include "hil/cluster/work_shares.hpp"
#include "hil/experiment/fragility.hpp"
#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/fragility/chunk_file.hpp"
#include "hil/fragility/study.hpp"
#include "hil/fragility/study_folder.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using cluster::WorkShares;
using files::InputError;
using fragility::Study;
using Clock = std::chrono::steady_clock;

/// What every rank must know before the work begins; the first one finds it out.
struct Start {
    std::filesystem::path folder;
    std::vector<std::size_t> open;  ///< chunks to be done
};

std::string start_text(const Start& start) {
    std::string text = start.folder.string() + '\n';
    for (std::size_t i = 0; i < start.open.size(); ++i) {  // as ranges "first count"
        std::size_t last = i;
        while (last + 1 < start.open.size() && start.open[last + 1] == start.open[last] + 1) ++last;
        text += fmt::format("{} {}\n", start.open[i], last - i + 1);
        i = last;
    }
    return text;
}

Start read_start(const std::string& text) {
    std::istringstream lines(text);
    std::string folder;
    std::getline(lines, folder);
    Start start{folder, {}};
    for (std::size_t first = 0, count = 0; lines >> first >> count;)
        for (std::size_t i = 0; i < count; ++i) start.open.push_back(first + i);
    return start;
}

void tell_limits(const Study& study) {
    constexpr std::size_t kTold = 5;
    const auto beyond = fragility::beyond_limit(study);
    if (beyond.empty()) return;
    std::string names;
    for (std::size_t i = 0; i < std::min(beyond.size(), kTold); ++i)
        names += fmt::format("{}{} (x {:.3g} to x {:.3g})", i > 0 ? ", " : "",
                             study.motions[beyond[i].motion].listed.name, beyond[i].least, beyond[i].largest);
    text::tell("topple: warning: {} of {} motions are scaled beyond scale_limit = {:g}: {}{}\n", beyond.size(),
               study.motions.size(), study.section.scale_limit, names,
               beyond.size() > kTold ? ", ...: index.html lists them" : "");
}

/// Before create_run_folder says it: a study that is there can be gone on with.
void refuse_existing(const std::string& out) {
    if (!out.empty() && std::filesystem::exists(std::filesystem::path(out) / "study.txt"))
        throw InputError(fmt::format(
            "{}: already exists; a run never overwrites a folder, choose another --out, or go on with --resume {}", out,
            out));
}

Start begin(const Study& study, const FragilityOptions& options, unsigned threads) {
    if (options.resume.empty()) refuse_existing(options.out);
    tell_limits(study);
    Start start;
    if (options.resume.empty()) {
        start.folder = fragility::begin_study(study, options.out);
        for (std::size_t i = 0; i < study.chunk_count(); ++i) start.open.push_back(i);
        return start;
    }
    start.folder = options.resume;
    fragility::TakenUp found = fragility::take_up(study, start.folder, threads);
    for (const std::string& damaged : found.damaged) text::tell("topple: damaged, done again: {}\n", damaged);
    start.open = std::move(found.open);
    text::tell("topple: {} of {} chunks are done already\n", study.chunk_count() - start.open.size(),
               study.chunk_count());
    return start;
}

/// Share done and time left: over itself on a terminal, else a line every half minute.
class Progress {
  public:
    Progress(std::size_t all, std::size_t runs_per_chunk)
        : all_(all), runs_per_chunk_(runs_per_chunk), is_terminal_(::isatty(STDERR_FILENO) == 1) {}
    ~Progress() {
        if (is_terminal_) text::tell_over("");
    }
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    void operator()(std::size_t done) {
        constexpr std::chrono::seconds kEvery{30};
        const auto now = Clock::now();
        if (done == 0 || (!is_terminal_ && now - told_ < kEvery)) return;
        told_ = now;
        const double passed_s = std::chrono::duration<double>(now - begun_).count();
        const double left_s = passed_s * static_cast<double>(all_ - done) / static_cast<double>(done);
        const std::string line = fmt::format("chunks: {} of {} ({:.0f} %), about {:.0f} runs/s, {} left", done, all_,
                                             100.0 * static_cast<double>(done) / static_cast<double>(all_),
                                             static_cast<double>(done * runs_per_chunk_) / passed_s, duration(left_s));
        if (is_terminal_)
            text::tell_over(line);
        else
            text::tell("{}\n", line);
    }

  private:
    static std::string duration(double seconds) {
        const auto whole = static_cast<long>(seconds + 0.5);
        if (whole < 120) return fmt::format("{} s", whole);
        return whole < 7200 ? fmt::format("{} min", whole / 60) : fmt::format("{:.1f} h", seconds / 3600);
    }

    std::size_t all_, runs_per_chunk_;
    bool is_terminal_;
    Clock::time_point begun_ = Clock::now(), told_ = begun_;
};

void work_off(WorkShares& shares, const Study& study, const Start& start, unsigned threads,
              const std::atomic<bool>& stop) {
    Progress progress(start.open.size(), study.values_per_chunk() * study.member_count());
    fragility::MotionShelf shelf(study.experiment, study.motions, study.options);
    cluster::Sharing how{threads, &stop, [&](std::size_t done) { progress(done); }};
    shares.share_out(start.open.size(), how, [&](std::size_t i) {
        const fragility::Chunk chunk = study.chunk(start.open[i]);
        fragility::write_chunk(study, chunk, fragility::solve(study, chunk, shelf), start.folder);
    });
}

/// Ranks of different files would each refuse the chunks of the others.
void require_one_study(WorkShares& shares, const Study& study) {
    const std::string first = shares.from_first(study.fingerprint);
    on_all(shares, [&] {
        if (study.fingerprint != first)
            throw InputError("sees another file, record or Topple than rank 0: all ranks need the same ones");
        return true;
    });
}

/// A partial result is no success, whatever made it so.
void require_whole(const Study& study, const fragility::Published& published, const std::filesystem::path& folder,
                   bool is_stopped_here) {
    if (published.chunks_done == study.chunk_count()) return;
    std::string why = is_stopped_here ? fmt::format("stopped by {}", stop_signal_name())
                                      : "stopped at another rank, or files are not seen here";
    if (!published.damage.empty()) why = "damaged: " + published.damage;
    throw firmware_iface::DeviceError(
        fmt::format("{}; the result is of the {} of {} chunks that are done; go on with --resume {}", why,
                    published.chunks_done, study.chunk_count(), folder.string()));
}

}  // namespace

void run_fragility_study(const FragilityOptions& options, const std::string& file, const std::function<void()>& check) {
    const std::unique_ptr<WorkShares> shares = cluster::all_ranks();
    const unsigned threads = options.threads > 0 ? options.threads : cluster::usual_threads();
    const std::atomic<bool>& stop = stop_on_signals();
    const Study study = on_all(*shares, [&] {
        const experiment::Experiment experiment = experiment::read_experiment_for(file, options.model);
        if (!experiment::read_fragility(experiment))
            throw InputError(file +
                             ": of `map`, mpirun shares out fragility studies only, and there is no [fragility] in it");
        check();
        return fragility::make_study(experiment, options.model, threads);
    });
    require_one_study(*shares, study);
    const std::string begun = on_all(
        *shares, [&] { return shares->is_first() ? start_text(begin(study, options, threads)) : std::string(); });
    const Start start = read_start(shares->from_first(begun));
    on_all(*shares, [&] {
        fragility::require_seen(study, start.folder);
        return true;
    });
    work_off(*shares, study, start, threads, stop);
    if (!shares->is_first()) return;
    const fragility::Published published = fragility::publish(study, start.folder, threads);
    text::print_out("{}", published.text);
    text::print_out("written: {}\n", start.folder.string());
    if (const cluster::Traffic traffic = shares->traffic(); traffic.messages > 0)
        text::tell("topple: {} ranks exchanged {} messages, {} bytes, for {} chunks\n", shares->count(),
                   traffic.messages, traffic.bytes, start.open.size());
    require_whole(study, published, start.folder, stop);
    if (!published.missing.empty()) throw files::OutputError("figures: " + published.missing);
}

}  // namespace topple::hil::cli
