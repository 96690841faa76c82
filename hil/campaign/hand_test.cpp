#include "hil/campaign/hand_test.hpp"

#include "hil/campaign/member_boundaries.hpp"
#include "hil/campaign/recorded.hpp"
#include "hil/conclude/mark_file.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/run_folder.hpp"
#include "hil/host/host_identity.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/prediction_json.hpp"
#include "hil/sim_table/truth.hpp"

namespace topple::hil::campaign {
namespace {

using experiment::Experiment;

plan::ExperimentPrediction predicted(const Experiment& one) {
    plan::PredictionRequest request;
    request.ensemble = plan::ensemble_size(one.uncertainty, plan::kTestEnsemble);
    return plan::predict_experiment(one, request);
}

// What the specimens with their hidden differences do, as an operator would call it.
std::vector<Seen> simulated(const Experiment& one) {
    Experiment hidden = one;
    sim_table::TruthReport truth = sim_table::truth(one);
    if (one.excitation.coupled)  // whose equations have a level track
        for (solver::Perturbation& specimen : truth.specimens) specimen.tilt_rad = 0.0;
    hidden.specimens = sim_table::true_specimens(one, truth);
    std::vector<Seen> seen(hidden.specimens.size());
    const plan::ExperimentPrediction happened = plan::predict_experiment(hidden, {});
    for (std::size_t i = 0; i < seen.size(); ++i) {
        const solver::Prediction& of = happened.specimens[i].prediction;
        seen[i].outcome = of.outcome;
        seen[i].side = of.direction;
        if (!of.outcome) seen[i].discard = "the simulated specimen's own solution failed";
    }
    return seen;
}

}  // namespace

void begin_hand_test(const TestSetup& setup, const Experiment& one, TestRecord& record) {
    const std::filesystem::path folder = setup.folder / run_name(record.number);
    const plan::ExperimentPrediction prediction = predicted(one);
    take_prediction(record, prediction);
    files::create_run_folder(folder);
    experiment::write_portable(experiment::make_portable(one), folder);
    files::write_durably(folder / "machine.toml", one.table.machine_text);
    files::write_durably(folder / "prediction.json",
                         plan::prediction_json(one, prediction, plan::kImpactsListed, host::utc_time_now()));
}

void finish_hand_test(const TestSetup& setup, const Experiment& one, TestRecord& record) {
    const std::filesystem::path folder = setup.folder / run_name(record.number);
    if (record.specimens.empty() || record.specimens[0].members == 0) take_prediction(record, predicted(one));
    std::vector<compare::OperatorMark> marks = conclude::read_marks(folder);
    if (marks.empty()) {
        const bool is_simulated = setup.campaign.campaign->driven_by == experiment::CampaignDrive::simulated_hand;
        marks = marks_of(setup.person, is_simulated ? simulated(one)
                                                    : setup.person.look(record, setup.settings.text(record.setting)));
        conclude::write_marks(folder, marks);
    }
    record.status = TestStatus::done;
    record.reason.clear();
    take_marks(record, marks);
    for (SpecimenRecord& specimen : record.specimens) {
        if (setup.campaign.campaign->driven_by == experiment::CampaignDrive::simulated_hand)
            specimen.source = "simulated";
        if (!specimen.outcome && record.counts()) {
            record.status = TestStatus::discarded;
            record.reason = "nobody saw the outcome";
        }
    }
}

}  // namespace topple::hil::campaign
