// The hidden differences between the specimen of the experiment file and the one that stands on the simulated table.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "solver/specimen.hpp"
#include "solver/study/perturbation.hpp"

namespace topple::hil::sim_table {

/// Standard deviations of what is drawn when the file gives no truth.
inline constexpr double kTruthRestitutionSigma_ratio = 0.015;  ///< of eta
inline constexpr double kTruthTilt_rad = 2e-3;                 ///< of the seat
inline constexpr double kTruthWidthSigma_ratio = 0.005;        ///< of every width on its own

struct TruthReport {
    enum class Origin { drawn, exact, given };
    Origin origin = Origin::exact;
    std::uint64_t seed = 0;
    std::vector<solver::Perturbation> specimens;  ///< what was done to each, in file order
};
std::string_view name(TruthReport::Origin origin) noexcept;

/// The specimens that really stand on the simulated table. Left out in the file: drawn from the seed, for
/// each specimen on its own, the same on every platform; exact: as in the file; a table of values: these for every
/// specimen, what it leaves out unchanged.
TruthReport truth(const experiment::Experiment& experiment);
/// Of the sensors' noise: that of [simulation], another one in each test of a campaign.
std::uint64_t noise_seed(const experiment::Experiment& experiment) noexcept;
std::vector<solver::Specimen> true_specimens(const experiment::Experiment& experiment, const TruthReport& report);

}  // namespace topple::hil::sim_table
