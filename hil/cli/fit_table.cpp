#include "hil/cli/fit_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include "hil/cli/arguments.hpp"
#include "hil/cli/import_table.hpp"
#include "hil/cli/ranks.hpp"
#include "hil/cli/waiting_line.hpp"
#include "hil/cluster/work_shares.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/output_file.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/outcome_fit/fit_output.hpp"
#include "hil/outcome_fit/table_fit.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

namespace fs = std::filesystem;
using files::InputError;
using files::Overwrite;

constexpr std::size_t kMembersMax = 100'000, kFoldsMax = 100'000;
constexpr std::uint64_t kDrawsLeast = 50;

/// "width,tilt_rad"; throws InputError for an empty or repeated one. Which of them there are depends on the specimen.
std::vector<std::string> keys_of(const std::string& text) {
    std::vector<std::string> keys;
    std::stringstream stream(text + ",");
    for (std::string key; std::getline(stream, key, ',');) {
        const bool is_word =
            !key.empty() && key.find_first_not_of("abcdefghijklmnopqrstuvwxyz_0123456789") == std::string::npos;
        if (!is_word)
            throw InputError(fmt::format(
                "\"{}\": allowed: keys of [uncertainty] with commas between them, as width,tilt_rad", text));
        if (std::find(keys.begin(), keys.end(), key) != keys.end())
            throw InputError(fmt::format("{} is given twice", key));
        keys.push_back(key);
    }
    return keys;
}

bool is_one_file(const std::string& out) { return out.ends_with(".toml"); }

std::string members_beside(const std::string& out) {
    return out.substr(0, out.size() - std::string(".toml").size()) + "_members.csv";
}

void require_new(const std::string& out) {
    if (out.empty()) return;
    if (is_one_file(out)) {
        for (const std::string& file : {out, members_beside(out)})
            files::require_writable_name(file, Overwrite::refuse);
        return;
    }
    std::error_code ignored;
    if (fs::exists(out, ignored)) throw InputError(fmt::format("{}: already exists; choose another --out", out));
}

outcome_fit::TableTests read_tests(const std::string& table, const FitTableOptions& options, const std::string& out) {
    require_table_and_experiment("fit", table, options.experiment);
    require_new(out);
    auto tests = outcome_fit::tests_of(outcome_tables::read_outcome_table(table, options.experiment));
    if (is_one_file(out) && tests.specimens.size() > 1)
        throw InputError(fmt::format("--out {}: the table has {} specimens, and each has a learned file: give a folder",
                                     out, tests.specimens.size()));
    return tests;
}

outcome_fit::FitRequest request_of(const FitTableOptions& options, const FitTableWork& work,
                                   cluster::WorkShares& shares) {
    outcome_fit::FitRequest request;
    if (!options.parameters.empty()) request.learned = keys_of(options.parameters);
    if (!work.prior.empty()) request.prior = experiment::read_learned_prior(work.prior);
    request.likelihood.lapse = options.lapse;
    request.likelihood.draws_per_test = options.draws_per_test;
    request.likelihood.learn_from =
        options.learn_from == "overturning" ? outcome_fit::LearnFrom::overturning : outcome_fit::LearnFrom::classes;
    request.likelihood.seed = request.sampling.seed = work.seed;
    request.likelihood.threads = work.threads > 0 ? work.threads : cluster::usual_threads();
    request.likelihood.shares = &shares;
    if (work.draws) request.sampling.draws_per_stage = static_cast<Eigen::Index>(*work.draws);
    request.members = options.members;
    request.folds = options.folds;
    return request;
}

/// One learned file with its members table beside it.
void write_files(const outcome_fit::TableFit& fit, const std::string& out) {
    const std::string members = members_beside(out);
    files::write_file(members, outcome_fit::members_csv(fit.specimens.front()), Overwrite::refuse);
    files::write_file(out,
                      outcome_fit::learned_toml(fit, fit.specimens.front(), fs::path(members).filename().string(),
                                                host::utc_time_now()),
                      Overwrite::refuse);
    text::tell("topple: {} and {} written; an experiment of this specimen uses {}\n", out, members,
               outcome_fit::use_words(fit.specimens.front(), out, members));
}

void write_folder(const outcome_fit::TableFit& fit, const std::string& out) {
    fs::path folder = out;
    if (out.empty())
        folder = files::create_default_run_folder(fit.tests.table.experiment.name + "_fit");
    else
        files::create_run_folder(folder);
    const std::string missing = outcome_fit::write_fit_folder(fit, folder, host::utc_time_now());
    text::tell("topple: {} written\n", folder.string());
    for (const outcome_fit::SpecimenFit& one : fit.specimens)
        text::tell("topple: an experiment of {} uses {}\n", one.name.empty() ? "this specimen" : one.name,
                   outcome_fit::use_words(one, (folder / outcome_fit::learned_name(one)).string(),
                                          (folder / outcome_fit::members_name(one)).string()));
    if (!missing.empty()) throw files::OutputError("figures: " + missing);
}

}  // namespace

void add_fit_table_options(CLI::App& command, FitTableOptions& options) {
    command
        .add_option("--experiment", options.experiment,
                    "RUN is a table of tests (CSV), each row this experiment with the row's keys, motion or specimen: "
                    "learn from their outcomes")
        ->type_name("FILE");
    command
        .add_option("--parameters", options.parameters,
                    "Of a table: what the tests are to teach, the same in all of them (default: all of the specimen); "
                    "what else [uncertainty] leaves open is drawn anew for each test")
        ->transform(readable([](const std::string& text) { keys_of(text); }))
        ->type_name("KEY,...");
    command.add_option("--members", options.members, "Of a table: rows of the members table (default 200)")
        ->transform(whole_number(1, kMembersMax))
        ->type_name("N");
    command
        .add_option("--lapse", options.lapse,
                    "Of a table: probability that a test ends as no model could know (default 0.05)")
        ->transform(number_between(1e-4, 0.5))
        ->type_name("RATIO");
    command
        .add_option("--draws-per-test", options.draws_per_test,
                    "Of a table: draws of what varies from test to test (default 16)")
        ->transform(whole_number(1, outcome_fit::kDrawsPerTestMax))
        ->type_name("N");
    command
        .add_option("--folds", options.folds,
                    "Of a table: folds of the held-out scores (default: every motion, or test with its repeats, alone)")
        ->transform(whole_number(2, kFoldsMax))
        ->type_name("N");
    command
        .add_option("--learn-from", options.learn_from,
                    "Of a table: the outcome's class, or only whether it fell (default classes)")
        ->transform(one_of({"classes", "overturning"}))
        ->type_name("classes|overturning");
}

void run_fit_table(const std::string& table, const FitTableOptions& options, const FitTableWork& work) {
    if (work.draws && *work.draws < kDrawsLeast)
        throw InputError(fmt::format("--draws {}: at least {} are required of a table", *work.draws, kDrawsLeast));
    const std::unique_ptr<cluster::WorkShares> shares = cluster::all_ranks();
    auto tests = on_all(*shares, [&] { return read_tests(table, options, work.out); });
    const auto request = on_all(*shares, [&] { return request_of(options, work, *shares); });
    const std::string what = fmt::format("learning from {} tests", tests.count());
    outcome_fit::TableFit fit;
    if (shares->count() > 1)  // MPI wants one thread
        fit = outcome_fit::fit_table(std::move(tests), request);
    else
        with_waiting_line(what, [&] { fit = outcome_fit::fit_table(std::move(tests), request); });
    if (!shares->is_first()) return;
    text::print_out("{}", work.json ? outcome_fit::fit_json(fit) : outcome_fit::fit_text(fit));
    is_one_file(work.out) ? write_files(fit, work.out) : write_folder(fit, work.out);
}

}  // namespace topple::hil::cli
