// Repeated releases of one block: what they say together, and how much they differ.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/study/free_rocking.hpp"
#include "hil/study/pooling.hpp"

namespace topple::hil::study {

/// The impact of one number, counted from 1 at the release, over the records that show it: two at least.
struct HalfPeriodOfSeries {
    std::size_t number = 0;
    Pooled ratio;
};

/// Energy after an impact over that at the release; as far as all records show it.
struct EnergyOfSeries {
    std::size_t impacts = 0;
    Pooled measured;
    double by_mean_ratio = 0.0;  ///< eta^(2 impacts)
};

enum class AmplitudeVerdict {
    depends,        ///< the slope is not 0 with 95 %
    none,           ///< 0 is likely, and a change of eta above kEffectMin over the amplitudes is not
    uninformative,  ///< 0 is likely, and so is a change that would matter
};
std::string_view name(AmplitudeVerdict verdict) noexcept;
inline constexpr double kEffectMin = 0.005;  ///< of eta, from the least to the largest amplitude

/// Straight line of the ratio over the amplitude before the impact, in each record for itself; slopes pooled.
struct AmplitudeDependence {
    std::size_t records = 0;       ///< with enough impacts for a slope
    Pooled slope;                  ///< d(eta)/d(amplitude/alpha)
    double low = 0.0, high = 0.0;  ///< amplitudes over alpha
    AmplitudeVerdict verdict = AmplitudeVerdict::uninformative;
    std::string why;
};

struct FreeRockingSeries {
    std::vector<FreeRockingFit> fits;  ///< one per record, in the order given
    Pooled ratio;                      ///< of the chosen window
    std::vector<HalfPeriodOfSeries> half_periods;
    AmplitudeDependence amplitude;
    std::vector<EnergyOfSeries> energy;
    solver::Estimate material;
    bool is_material_known = false;
    solver::Estimate impulse_k;       ///< from the pooled ratio: of the block
    solver::Estimate next_impulse_k;  ///< with the scatter between records: of one further release
    std::vector<std::string> doubts;
};

/// `requests`: one per record, of the same block; edge records and options as of the first one. Throws InputError as
/// fit_free_rocking does, for blocks that differ, and for fewer than two records.
FreeRockingSeries fit_series(const std::vector<FreeRockingRequest>& requests);

std::string series_text(const FreeRockingRequest& request, const FreeRockingSeries& series);
std::string series_json(const FreeRockingRequest& request,
                        const FreeRockingSeries& series);  ///< topple.free_rocking_series/1
/// Ratio of every impact over amplitude, and energy over impacts, of all records.
void draw_series(const FreeRockingRequest& request, const FreeRockingSeries& series,
                 const std::filesystem::path& figure);

}  // namespace topple::hil::study
