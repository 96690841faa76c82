// Restitution, impulse position and material factor of a block from its free-rocking tests.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "solver/identify/measured_lobes.hpp"
#include "solver/identify/restitution_fit.hpp"

namespace topple::hil::study {

/// How the block touched its base.
enum class Contact {
    full,  ///< on its whole face: where the impulse acts is unknown
    edge,  ///< on two strips along its edges: the impulse acts at their inner edge (thesis chapter 4)
};

struct FreeRockingRequest {
    std::filesystem::path record;                      ///< columns time_<u> and rotation_<u> or rotation_<i>_<u>
    std::optional<solver::RotationHistory> history{};  ///< of `record`, read already: that is then only its name
    solver::Block block;
    double gravity_m_s2 = solver::kStandardGravity_m_s2;
    std::optional<double> rate_hz;  ///< of records without a time column
    std::size_t rotation_index = 0;
    solver::FitWindow window = solver::FitWindow::whole;  ///< whose ratio goes into k and material factor
    Contact contact = Contact::full;
    std::optional<double> edge_strip_m;               ///< needed for edge contact and edge records
    std::vector<std::filesystem::path> edge_records;  ///< tests of the same block in edge contact
    std::optional<solver::Estimate> material;         ///< known from elsewhere; excludes edge_records
};

/// One record, fitted.
struct FittedRecord {
    std::filesystem::path file;
    std::size_t rows_missing = 0;     ///< rows without a rotation
    std::size_t outlier_count = 0;    ///< samples left out: no rocking explains them
    solver::RotationHistory history;  ///< without those
    solver::LobeFit lobes;
    solver::RestitutionFits fits;
    solver::Estimate mean_of_impacts;  ///< weighted mean over the impacts; error from their scatter or, if
                                       ///< larger, their errors
    double scatter_ratio = 0.0;        ///< of the impacts about their mean, over what their errors say
    std::vector<std::string> doubts;   ///< why the stated errors may be too small; empty: they hold
};

struct FreeRockingFit {
    FittedRecord record;
    std::vector<FittedRecord> edge_records;
    double housner_ratio = 0.0;
    solver::Estimate ratio;     ///< of the chosen window
    solver::Estimate material;  ///< given, from edge contact, or 1 without error
    bool is_material_known = false;
    std::optional<double> edge_k;  ///< k of the strips' inner edge
    solver::Estimate impulse_k;    ///< of full contact; NaN if the ratio is above a rigid body's
};

/// Throws InputError for dimensions, options or records that do not make sense, naming file and reason.
FreeRockingFit fit_free_rocking(const FreeRockingRequest& request);

/// The fit of the chosen window.
const solver::RestitutionFit& fit_in(const FittedRecord& record, solver::FitWindow window) noexcept;

std::string free_rocking_text(const FreeRockingRequest& request, const FreeRockingFit& fit);
std::string free_rocking_json(const FreeRockingRequest& request,
                              const FreeRockingFit& fit);  ///< topple.free_rocking_fit/1
/// Rotation over time, measured and fitted, and the ratio of every impact over the amplitude before it.
void draw_free_rocking(const FreeRockingRequest& request, const FreeRockingFit& fit,
                       const std::filesystem::path& figure);

}  // namespace topple::hil::study
