// What a page needs to draw a test: /test.json of the live server, of a test that runs as of one that is over.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "controller/profile/profile.hpp"
#include "hil/experiment/experiment.hpp"

namespace topple::hil::plan {

struct ShownTest {
    std::span<const controller::Profile> axes;  ///< x, y: what the platen shall do; empty: not known
    std::string prediction_json;                ///< text of prediction.json; empty: none
    std::string device;                         ///< URI
    bool is_simulated = false;
    std::int64_t log_time_anchor_ns = 0;  ///< log time at device time 0
    std::string replay_of;                ///< folder of the run that is played again; empty: it is no replay
};

/// The keys of docs/live.md. `experiment`: with the limits that hold. What cannot be known is null.
std::string test_json(const experiment::Experiment& experiment, const ShownTest& shown);

}  // namespace topple::hil::plan
