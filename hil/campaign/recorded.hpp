// From predictions, conclusions and marks to what is kept of a test.
#pragma once

#include <vector>

#include "hil/campaign/operator.hpp"
#include "hil/campaign/test_record.hpp"
#include "hil/compare/conclusion.hpp"
#include "hil/plan/prediction.hpp"

namespace topple::hil::campaign {

/// Of the planned motion in the direction of [excitation].
double peak_velocity_m_s(const experiment::Experiment& one);

/// One entry per specimen of the prediction.
void take_prediction(TestRecord& record, const plan::ExperimentPrediction& prediction);
/// What was measured. A test whose recording is not complete is `interrupted`, one that is
/// discarded or has a specimen without an outcome is `discarded`, each with its reason.
void take_conclusion(TestRecord& record, const compare::Conclusion& conclusion);
/// Outcomes, sides and discards that the marks state.
void take_marks(TestRecord& record, const std::vector<compare::OperatorMark>& marks);

/// Of the specimens of which the operator said something.
std::vector<compare::OperatorMark> marks_of(const Operator& person, const std::vector<Seen>& seen);

}  // namespace topple::hil::campaign
