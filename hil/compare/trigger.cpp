#include "hil/compare/trigger.hpp"

#include "hil/compare/achieved_motion.hpp"
#include "hil/compare/motion_window.hpp"

namespace topple::hil::compare {

TriggerEdges find_trigger_edges(const run_log::RunData& run, bool asked) {
    TriggerEdges edges{.asked = asked, .rose_at_s = {}, .fell_at_s = {}};
    const std::uint64_t origin_us = motion_origin_us(run);
    std::optional<bool> before;
    for (const firmware_iface::Feedback& feedback : run.feedback) {
        if (!feedback.trigger) continue;
        const double time_s = seconds_from(origin_us, feedback.device_time_us);
        if (before == false && *feedback.trigger && !edges.rose_at_s) edges.rose_at_s = time_s;
        if (before == true && !*feedback.trigger && edges.rose_at_s && !edges.fell_at_s) edges.fell_at_s = time_s;
        before = feedback.trigger;
    }
    return edges;
}

}  // namespace topple::hil::compare
