#include "hil/check/table_identification.hpp"

#include <fmt/format.h>

#include "controller/estimator.hpp"
#include "controller/feasibility.hpp"
#include "hil/check/recorded_motion.hpp"
#include "hil/drive/by_hand.hpp"
#include "hil/drive/while_speaking.hpp"
#include "hil/host/for_each_index.hpp"

namespace topple::hil::check {
namespace {

using firmware_iface::DeviceError;
using identification::IdentificationMotion;
using identification::IdentificationPlan;
using identification::Recording;

RecordedMotion record(const CheckedTable& table, const IdentificationMotion& motion) {
    RecordedMotion recorded = record_motion(table, {motion.profile.motion});
    if (recorded.ended != controller::SupervisorState::done)
        throw DeviceError("the identification's motion did not end: " + recorded.text);
    return recorded;
}

std::vector<Recording> views(const std::vector<RecordedMotion>& recorded) {
    std::vector<Recording> all;
    for (const RecordedMotion& motion : recorded) all.push_back({motion.feedback, motion.start_us});
    return all;
}

}  // namespace

std::string reason_against(const CheckedTable& table, const IdentificationPlan& plan,
                           const std::optional<identification::ForceChannel>& force) {
    std::vector<const IdentificationMotion*> motions;
    for (const auto* some : {&plan.multisine, &plan.strokes})
        for (const IdentificationMotion& motion : *some) motions.push_back(&motion);
    std::vector<controller::FeasibilityReport> reports(motions.size());
    drive::while_speaking(table.link, table.clock, [&] {  // seconds, with so many lines
        host::for_each_index(motions.size(), 0, [&](std::size_t i) {
            reports[i] = controller::check_feasibility(motions[i]->profile, table.machine, 0.0);
        });
    });
    for (const controller::FeasibilityReport& report : reports)
        if (!report.feasible())
            return fmt::format("the identification is not feasible on {}:\n{}", table.machine.name, report.text());
    const std::size_t inputs = table.link.device().aux_channel_count;
    if (force && force->input >= inputs)
        return fmt::format("the machine file's drive force is at auxiliary input {}, but the device has {} of them",
                           force->input, inputs);
    return {};
}

identification::Identification identify(const CheckedTable& table, const IdentificationPlan& plan,
                                        const std::optional<identification::ForceChannel>& force,
                                        const std::function<void(const std::string&)>& progress) {
    const double before_m =
        controller::encoder_position_m(table.machine, table.link.wait_feedback().axes[0].encoder_count);
    const auto move = [&](double to_m) {
        drive::move_table(table.link, table.clock, table.machine, to_m, table.stop_requested);
    };
    const std::size_t count = plan.multisine.size() + plan.strokes.size();
    std::size_t index = 0;
    const auto record_all = [&](const std::vector<IdentificationMotion>& motions, const char* what) {
        std::vector<RecordedMotion> recorded;
        for (const IdentificationMotion& motion : motions) {
            progress(fmt::format("motion {} of {}: {}, {:.0f} s", ++index, count, what, motion.profile.duration_s()));
            recorded.push_back(record(table, motion));
        }
        return recorded;
    };
    move(plan.start_m);
    const auto multisine = record_all(plan.multisine, "multisine"),
               strokes = record_all(plan.strokes, "constant speed");
    move(before_m);
    return identification::identify_table(plan, views(multisine), views(strokes), table.machine, force);
}

}  // namespace topple::hil::check
