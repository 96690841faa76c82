#include "hil/campaign/one_test.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <chrono>

#include "hil/campaign/exceeded_limits.hpp"
#include "hil/campaign/hand_test.hpp"
#include "hil/campaign/recorded.hpp"
#include "hil/campaign/test_table.hpp"
#include "hil/conclude/conclude_run.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/experiment/axis_motions.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/sim_table/truth_json.hpp"

namespace topple::hil::campaign {
namespace {

using experiment::CampaignDrive;
using experiment::Experiment;
using files::InputError;

class Stopwatch {
  public:
    double seconds() const { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count(); }

  private:
    std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

TestRecord refused(const TestSetup& setup, TestRecord record, std::string reason) {
    record.status = TestStatus::refused;
    record.reason = std::move(reason);
    record.specimens.resize(setup.campaign.specimens.size());
    return record;
}

constexpr std::size_t kSimulatedMembers = 50;  // of the verdict and of the live forecast that nobody watches

bool is_simulated(const TestSetup& setup) { return setup.drive.device == "sim:"; }

conclude::ConcludeOptions conclude_options(const TestSetup& setup) {
    conclude::ConcludeOptions options;
    options.figures = setup.campaign.campaign->figures;
    if (is_simulated(setup)) options.members = kSimulatedMembers;
    return options;
}

// What the operator says goes into the run folder, and the run is concluded again if it changes anything. `is_asked`:
// set once everything that can be read has been read.
void conclude_with_marks(const TestSetup& setup, const std::filesystem::path& folder, TestRecord& record,
                         const conclude::ConcludeOptions& options, bool& is_asked) {
    take_conclusion(record, conclude::conclude_run(folder, options).conclusion);
    if (!setup.person.look || record.status == TestStatus::interrupted) return;
    is_asked = true;
    conclude::ConcludeOptions marked = options;
    marked.marks = marks_of(setup.person, setup.person.look(record, setup.settings.text(record.setting)));
    if (!marked.marks.empty()) take_conclusion(record, conclude::conclude_run(folder, marked).conclusion);
}

MadeTest drive_test(const TestSetup& setup, const Experiment& one, TestRecord record) {
    MadeTest made;
    drive::DriveOptions options = setup.drive;
    options.folder = setup.folder / run_name(record.number);
    if (is_simulated(setup)) options.forecast_members = kSimulatedMembers;
    options.planned = [&](const drive::RunPlan& plan) {
        take_prediction(record, plan.prediction);
        setup.drive.planned(plan);
    };
    const drive::DrivenExperiment driven = drive::drive_experiment(one, options, setup.stop_requested, setup.progress);
    if (!driven.learned_only.empty())
        throw InputError(
            fmt::format("the drive was learned without the specimens and is kept in {}; nothing was tested: put the "
                        "specimens on and give the same command with --resume",
                        driven.learned_only));
    conclude::ConcludeOptions conclude = conclude_options(setup);
    if (driven.truth) conclude.truth_json = sim_table::truth_json(*driven.truth);
    if (driven.drive.reason == controller::StopReason::none && driven.log_failure.empty()) {
        bool is_asked = false;
        conclude_with_marks(setup, options.folder, record, conclude, is_asked);
    } else {
        take_conclusion(record, conclude::conclude_run(options.folder, conclude).conclusion);
        made.ended = driven.log_failure.empty() ? driven.drive.text : driven.log_failure;
        made.output_failed = !driven.log_failure.empty();
        record.status = TestStatus::interrupted;
        record.reason = made.ended;
    }
    made.record = std::move(record);
    return made;
}

}  // namespace

MadeTest make_test(const TestSetup& setup, const NextTest& next, Preparation preparation) {
    const Stopwatch watch;
    TestRecord record;
    record.number = preparation.number;
    record.setting = next.setting;
    record.why = next.why;
    record.began_utc = host::utc_time_now();
    std::optional<Experiment> one;
    try {
        one = setup.settings.at(next.setting, record.number);
        record.peak_velocity_m_s = peak_velocity_m_s(*one);
        if (!preparation.by_hand) {
            experiment::require_drivable(*one);
            if (const std::vector<std::string> reasons = exceeded_limits(*one); !reasons.empty())
                return {refused(setup, std::move(record), fmt::format("{}", fmt::join(reasons, "; "))), {}};
        }
    } catch (const InputError& error) {
        return {refused(setup, std::move(record), error.what()), {}};
    }
    preparation.why = next.why;
    if (setup.person.prepare && !setup.person.prepare(preparation)) return {{}, "the operator ended the campaign"};
    MadeTest made;
    if (!preparation.by_hand) {
        made = drive_test(setup, *one, std::move(record));
    } else {
        begin_hand_test(setup, *one, record);
        finish_hand_test(setup, *one, record);
        made.record = std::move(record);
    }
    made.record->took_s = watch.seconds();
    return made;
}

std::optional<TestRecord> record_left_behind(const TestSetup& setup, std::uint64_t number) {
    const std::filesystem::path folder = setup.folder / run_name(number);
    TestRecord record;
    record.number = number;
    record.why = "taken up after an interruption";
    record.specimens.resize(setup.campaign.specimens.size());
    std::optional<Experiment> read;
    try {
        read = experiment::read_experiment(folder / "experiment.toml");
        record.setting = setup.settings.setting_of(*read);
        record.peak_velocity_m_s = peak_velocity_m_s(*read);
    } catch (const InputError&) {
        return std::nullopt;
    }
    const Experiment& one = *read;
    bool is_asked = false;
    try {
        if (setup.campaign.campaign->driven_by != CampaignDrive::table) {
            is_asked = true;
            finish_hand_test(setup, one, record);
            return record;
        }
        plan::PredictionRequest request;
        request.ensemble = plan::ensemble_size(one.uncertainty, plan::kTestEnsemble);
        take_prediction(record, plan::predict_experiment(one, request));
        conclude::ConcludeOptions options = conclude_options(setup);
        if (is_simulated(setup)) options.truth_json = sim_table::truth_json(sim_table::truth(one));
        conclude_with_marks(setup, folder, record, options, is_asked);
    } catch (const std::exception& error) {  // no log, one that cannot be read, files that are not those of the test
        if (is_asked) throw;                 // nobody answered: the test is whole and stays to be taken up
        record.status = TestStatus::interrupted;
        record.reason = error.what();
    }
    if (record.status == TestStatus::interrupted)
        record.reason = "the program was interrupted in this test: " + record.reason;
    return record;
}

std::optional<TestRecord> marked_since(const TestSetup& setup, const TestRecord& test) {
    if (test.status != TestStatus::done && test.status != TestStatus::discarded) return std::nullopt;
    std::vector<compare::OperatorMark> marks = conclude::read_marks(setup.folder / run_name(test.number));
    if (setup.campaign.campaign->driven_by == CampaignDrive::simulated_hand)  // its own marks are not a person's
        std::erase_if(marks, [&](const compare::OperatorMark& mark) { return mark.marked_by == setup.person.name; });
    if (marks.empty()) return std::nullopt;
    TestRecord marked = test;
    marked.status = TestStatus::done;
    marked.reason.clear();
    take_marks(marked, marks);
    for (const SpecimenRecord& specimen : marked.specimens)
        if (!specimen.outcome && marked.counts()) return std::nullopt;  // what it lacked it still lacks
    if (test_lines(marked) == test_lines(test)) return std::nullopt;
    if (setup.campaign.campaign->driven_by == CampaignDrive::table)  // peak and verdict go with the outcome
        take_conclusion(
            marked, conclude::conclude_run(setup.folder / run_name(test.number), conclude_options(setup)).conclusion);
    return marked;
}

}  // namespace topple::hil::campaign
