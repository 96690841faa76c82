// The live forecast of a test that is only thought of: a known motion of the base, no table, no estimator, no threads.
#pragma once

#include <cstdint>
#include <optional>

#include "hil/drive/live_forecast.hpp"

namespace topple::hil::drive {

/// What happens, and what the forecast knows of it.
struct ForecastTrial {
    solver::Specimen described;   ///< what the members are drawn about
    solver::BaseMotion planned;   ///< what is thought to be still to come
    solver::BaseMotion achieved;  ///< what the base does; known up to the time of the forecast
    double gravity_m_s2 = solver::kStandardGravity_m_s2;
    ForecastMembers members;                   ///< how many, and what they are drawn from
    std::optional<solver::Specimen> standing;  ///< what stands there, if a rotation sensor is to see it
    double rotation_noise_rad = 0.2e-3;        ///< of that sensor, one standard deviation
    std::uint64_t noise_seed = 1;
};

/// The forecast from what was measured every 2 ms up to this time. The same arguments give the same forecast.
ForecastOutcome forecast_at(const ForecastTrial& trial, double time_s);

}  // namespace topple::hil::drive
