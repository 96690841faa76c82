#include "hil/cli/import_table.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "hil/cli/arguments.hpp"
#include "hil/cli/ranks.hpp"
#include "hil/cluster/work_shares.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/ground_motion/read_record.hpp"
#include "hil/outcome_tables/predicted_table.hpp"
#include "hil/outcome_tables/table_output.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

constexpr std::size_t kMembersMax = 1'000'000, kMembersDefault = 200;
constexpr unsigned kThreadsMax = 1024;

void require_new(const std::string& out) {
    std::error_code ignored;
    if (!out.empty() && std::filesystem::exists(out, ignored))
        throw files::InputError(fmt::format("{}: already exists; choose another --out", out));
}

std::filesystem::path made_folder(const std::string& out, const std::string& name) {
    if (out.empty()) return files::create_default_run_folder(name + "_table");
    files::create_run_folder(out);
    return out;
}

}  // namespace

void add_import_table_options(CLI::App& command, ImportTableOptions& options) {
    command
        .add_option("--experiment", options.experiment,
                    "FILE is a table of tests (CSV): each row is this experiment with the row's keys, motion or "
                    "specimen; predicts every row and scores the predictions")
        ->type_name("FILE");
    command
        .add_option("--members", options.members,
                    "Of a table: members of each row's ensemble (default 200, or those of the members table)")
        ->transform(whole_number(1, kMembersMax))
        ->type_name("N");
    command.add_option("--threads", options.threads, "Of a table: threads (default: one per processor)")
        ->transform(whole_number(1, kThreadsMax))
        ->type_name("N");
    command.add_flag("--json", options.json, "Of a table: print summary.json instead of text");
}

bool is_outcome_table(const std::string& file) {
    constexpr std::size_t kBytesMax = std::size_t{64} << 20;
    return !ground_motion::looks_like_experiment(files::read_text_file(file, kBytesMax));
}

void require_table_and_experiment(const std::string& command, const std::string& table, const std::string& experiment) {
    const bool is_table = is_outcome_table(table), is_like = !is_outcome_table(experiment);
    if (!is_table && !is_like)
        throw files::InputError(fmt::format("{} is an experiment file and {} is none: {} TABLE.csv --experiment FILE",
                                            table, experiment, command));
    if (!is_table)
        throw files::InputError(
            fmt::format("{}: an experiment file; with --experiment the first file is a table of tests (CSV)", table));
    if (!is_like) throw files::InputError(fmt::format("--experiment {}: no experiment file (TOML)", experiment));
}

void run_import_table(const std::string& table, const ImportTableOptions& options, const std::string& out) {
    const std::unique_ptr<cluster::WorkShares> shares = cluster::all_ranks();
    outcome_tables::OutcomeTable read = on_all(*shares, [&] {
        require_table_and_experiment("import", table, options.experiment);
        require_new(out);
        return outcome_tables::read_outcome_table(table, options.experiment);
    });
    const auto& uncertainty = read.experiment.uncertainty;
    const std::size_t members =
        options.members > 0 ? options.members : plan::ensemble_size(uncertainty, kMembersDefault);
    plan::require_ensemble_size(uncertainty, members, "--members");
    const unsigned threads = options.threads > 0 ? options.threads : cluster::usual_threads();
    outcome_tables::PredictionWork work{members, threads, {}, shares.get()};
    if (::isatty(STDERR_FILENO) == 1)
        work.on_progress = [](std::size_t done, std::size_t all) {
            text::tell_over(done < all ? fmt::format("experiments: {} of {}", done, all) : std::string());
        };
    const outcome_tables::PredictedTable predicted = outcome_tables::predict_table(std::move(read), work);
    if (!shares->is_first()) return;
    const std::filesystem::path folder = made_folder(out, predicted.table.experiment.name);
    const std::string missing = outcome_tables::write_table_folder(predicted, folder);
    text::print_out("{}", options.json ? outcome_tables::table_json(predicted) : outcome_tables::table_text(predicted));
    if (options.json)
        text::tell("written: {}\n", folder.string());
    else
        text::print_out("written: {}\n", folder.string());
    if (!missing.empty()) throw files::OutputError("figures: " + missing);
}

}  // namespace topple::hil::cli
