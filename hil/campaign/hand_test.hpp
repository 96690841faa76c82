// A test in which a person moves the base: an air track, a release by hand. Nothing is driven and nothing recorded but
// what was predicted and what the operator saw.
#pragma once

#include "hil/campaign/one_test.hpp"

namespace topple::hil::campaign {

/// Predicts and writes the run folder (experiment.toml, machine.toml, prediction.json), each file durably, before
/// anything moves. Throws InputError, OutputError.
void begin_hand_test(const TestSetup& setup, const experiment::Experiment& one, TestRecord& record);

/// Predicts again (a test that was left behind), asks the operator, or computes what the specimen with its hidden
/// differences does, and writes mark.json.
void finish_hand_test(const TestSetup& setup, const experiment::Experiment& one, TestRecord& record);

}  // namespace topple::hil::campaign
