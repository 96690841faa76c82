#include "hil/emulated_board/page_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "hil/files/errors.hpp"
#include "hil/sim_table/truth.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::emulated_board {
namespace {

using experiment::Experiment;

[[noreturn]] void refuse(const std::string& what) {
    throw files::InputError(fmt::format("--firmware: {} (docs/firmware.md#the-emulated-board)", what));
}

PageMachine machine_page(const firmware_iface::MachineDescription& m) {
    return {m.stroke_m,
            m.velocity_max_m_s,
            m.acceleration_max_m_s2,
            m.acceleration_clean_m_s2,
            m.stop_deceleration_m_s2,
            m.brake_deceleration_m_s2,
            m.buffer_travel_m,
            m.following_error_max_m,
            m.moving_mass_kg,
            m.counts_per_m,
            static_cast<double>(m.encoder_sign),
            m.accelerometer_scale,
            static_cast<double>(m.accelerometer_sign),
            m.accelerometer_offset_max_m_s2,
            m.force_max_n,
            m.payload_max_kg,
            m.feedback_rate_hz,
            m.settling_time_s,
            m.servo};
}

PageBlock block_page(const solver::Specimen& specimen, double gravity_m_s2) {
    if (specimen.blocks.empty()) return {};
    if (specimen.blocks.size() > 1) refuse("the emulated board carries one block or none; the specimen is a stack");
    if (specimen.friction || !specimen.interface_friction.empty())
        refuse("its plant's block does not slide; omit the specimen's friction");
    if (specimen.pivots || specimen.foot || specimen.beam) refuse("its plant's block is a rectangle on a rigid base");
    if (specimen.restitution.model == solver::RestitutionModel::random)
        refuse("its plant's block has the same restitution at every impact, the specimen's is random");
    const auto ratios = restitution_ratios(specimen);
    if (std::any_of(ratios.begin(), ratios.end(), [&](double ratio) { return ratio != ratios.front(); }))
        refuse("its plant's block has one restitution for both sides");
    const solver::Block& block = specimen.blocks.front();
    const double rotation_rad = specimen.initial_rotation_rad.empty() ? 0.0 : specimen.initial_rotation_rad.front();
    return {block.mass_kg, block.width_m, block.height_m, ratios.front(), specimen.initial_tilt_rad,
            rotation_rad,  gravity_m_s2};
}

/// As much of a name as the page holds, cut between characters of UTF-8.
void copy_name(std::string_view name, std::array<char, 64>& to) {
    std::size_t size = std::min(name.size(), to.size());
    while (size > 0 && size < name.size() && (static_cast<unsigned char>(name[size]) & 0xC0U) == 0x80U) --size;
    std::copy_n(name.begin(), size, to.begin());
}

}  // namespace

ParameterPage page_of(const Experiment& experiment) {
    const firmware_iface::MachineDescription& machine = experiment.table.description;
    if (machine.axis_count() > 1) refuse("its plant has one axis; the machine file describes two");
    if (experiment.simulation.table != experiment::SimulatedMechanics::stage)
        refuse("its plant is the simulated stage; omit [simulation] table, or write \"stage\"");
    if (!experiment.table.aux.empty()) refuse("it has no auxiliary inputs; omit the machine file's aux channels");
    const auto specimens = sim_table::true_specimens(experiment, sim_table::truth(experiment));
    if (specimens.size() > 1) refuse("the emulated board carries one block or none; the file has several specimens");
    ParameterPage page{};
    page.mark = kPageMark;
    page.size = sizeof(ParameterPage);
    page.seed = experiment.simulation.seed;
    page.homed = page.simulated = 1;
    copy_name(machine.name, page.machine_name);
    page.machine = machine_page(machine);
    page.stage = sim_table::stage_preset();
    if (!specimens.empty()) page.block = block_page(specimens.front(), experiment.gravity_m_s2);
    return page;
}

}  // namespace topple::hil::emulated_board
