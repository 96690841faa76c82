// A simulated stage that is not the machine file's, identified from end to end over its wire.
#pragma once

#include <atomic>
#include <cmath>
#include <numbers>

#include "hil/check/table_identification.hpp"
#include "hil/sim_table/aux_voltages.hpp"
#include "tests/support/host_bench.hpp"

namespace topple::test {

/// The input of the simulated table that shows its drive's force.
inline const hil::identification::ForceChannel kDriveForce{0, hil::sim_table::AuxVoltages::kForce_n_per_v, 0.0};

struct IdentifiedTable {
    firmware_iface::MachineDescription machine = firmware_iface::quanser_st_iii();
    hil::identification::IdentificationPlan plan;
    hil::identification::Identification found;
    double back_at_m = 0.0;  ///< where the platen is afterwards

    /// Empty mechanics: the ideal table.
    explicit IdentifiedTable(const std::optional<hil::sim_table::TablePreset>& mechanics, std::uint64_t seed = 1,
                             double amplitude_m_s2 = hil::identification::kAmplitudeUsual_m_s2) {
        hil::sim_table::SimulatedTableOptions options;
        options.mechanics = mechanics;
        options.seed = seed;
        options.aux_channel_count = 1;
        HostBench host({}, options, machine);
        host.link->connect();
        const std::atomic<bool> stop{false};
        plan =
            hil::identification::plan_identification(machine, host.link->device().feedback_period_us, amplitude_m_s2);
        found =
            hil::check::identify({*host.link, host.clock, machine, stop}, plan, kDriveForce, [](const std::string&) {});
        back_at_m = host.table->plant().position_m();
    }
};

/// Mean of a friction's Coulomb force over the part of the stroke in which it is measured.
inline double coulomb_along_n(const hil::sim_table::FrictionParameters& friction, double half_way_m) {
    double sum = 0.0;
    constexpr int kPlaces = 1000;
    for (int i = 0; i < kPlaces; ++i) {
        const double x = half_way_m * (2.0 * (i + 0.5) / kPlaces - 1.0);
        sum += 1.0 + friction.unevenness_ratio * std::sin(2.0 * std::numbers::pi * x / friction.unevenness_period_m);
    }
    return friction.coulomb_n * sum / kPlaces;
}

}  // namespace topple::test
