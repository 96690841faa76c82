// The topics of a run's log as channels of the live server.
#pragma once

#include <string>
#include <vector>

#include "hil/live/live_server.hpp"

namespace topple::hil::live {

/// In the order of run_log::Topic, so that channel id i + 1 of a log is place i here. `prefix`: empty, or what stands
/// before the topic where several runs are shown, e.g. "/2". Live channels; /event is kept.
std::vector<Channel> run_channels(const std::string& prefix = {});

}  // namespace topple::hil::live
