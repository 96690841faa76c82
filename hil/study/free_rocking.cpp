#include "hil/study/free_rocking.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "solver/identify/impulse_position.hpp"
#include "solver/identify/spikes.hpp"

namespace topple::hil::study {
namespace {

using files::InputError;
using solver::Estimate;
using solver::FitWindow;

constexpr double kOutlierShareMax = 0.05;      // of the samples
constexpr double kResolutionMax_ratio = 0.05;  // step of the sensor over the release angle
constexpr double kWanderMax_ratio = 0.1;       // correlation time over the length of the response
constexpr std::size_t kImpactsMin = 2;

void require_consistent(const FreeRockingRequest& request) {
    const auto positive = [](const char* name, double value) {
        if (!(std::isfinite(value) && value > 0.0))
            throw InputError(fmt::format("{} = {}: must be finite and > 0", name, value));
    };
    positive("width_m", request.block.width_m);
    positive("height_m", request.block.height_m);
    positive("gravity_m_s2", request.gravity_m_s2);
    const bool needs_strip = request.contact == Contact::edge || !request.edge_records.empty();
    if (needs_strip && !request.edge_strip_m)
        throw InputError("edge contact needs the width of the strips: --edge-strip-m");
    if (!needs_strip && request.edge_strip_m)
        throw InputError("--edge-strip-m is for --contact edge or --edge records; neither is given");
    if (request.contact == Contact::edge && (!request.edge_records.empty() || request.material))
        throw InputError("--contact edge gives the material factor: omit --edge and --material");
    if (!request.edge_records.empty() && request.material)
        throw InputError("the material factor is given twice: by --material and by --edge");
    if (request.material && !(request.material->value > 0.0 && request.material->value <= 1.0 &&
                              request.material->standard_error >= 0.0 && request.material->standard_error < 1.0))
        throw InputError(fmt::format("material factor {} ± {}; allowed: above 0, up to 1, its error from 0 to below 1",
                                     request.material->value, request.material->standard_error));
}

FittedRecord read_record(const FreeRockingRequest& request, const std::filesystem::path& file) {
    if (request.history && file == request.record) {
        FittedRecord record;
        record.file = file;
        record.history = *request.history;
        return record;
    }
    const files::DeclaredColumns columns = files::read_declared_columns(file, request.rate_hz, files::Gaps::allow);
    if (columns.rotation_rad.size() <= request.rotation_index)
        files::refuse_missing(
            file,
            "rotation_rad, rotation_deg or rotation_mrad" +
                (request.rotation_index > 0 ? fmt::format(" of block {}", request.rotation_index) : ""),
            columns);
    const std::vector<double>& rotation = columns.rotation_rad[request.rotation_index];
    FittedRecord record;
    record.file = file;
    for (std::size_t i = 0; i < rotation.size(); ++i) {
        if (std::isnan(rotation[i])) {
            ++record.rows_missing;
            continue;
        }
        record.history.time_s.push_back(columns.time_s[i]);
        record.history.rotation_rad.push_back(rotation[i]);
    }
    return record;
}

/// Weights 1/error^2 by each impact's own error; what all share (offset, drift, slope) is added to the mean's.
void take_mean_of_impacts(FittedRecord& record) {
    double weights = 0.0, sum = 0.0, scatter = 0.0;
    Eigen::Vector3d by_seat = Eigen::Vector3d::Zero();
    const auto weight = [](const solver::MeasuredImpact& impact) {
        const double error = std::max(impact.own_error, 1e-9);
        return 1.0 / (error * error);
    };
    const auto& impacts = record.lobes.impacts;
    for (const auto& impact : impacts) {
        weights += weight(impact);
        sum += weight(impact) * impact.ratio.value;
        by_seat += weight(impact) * impact.by_seat;
    }
    const double mean = sum / weights;
    by_seat /= weights;
    for (const auto& impact : impacts)
        scatter += weight(impact) * (impact.ratio.value - mean) * (impact.ratio.value - mean);
    const double by_scatter = impacts.size() > 1 ? scatter / static_cast<double>(impacts.size() - 1) : 0.0;
    record.scatter_ratio = std::sqrt(by_scatter);
    record.mean_of_impacts = {
        mean, std::sqrt(std::max(1.0, by_scatter) / weights + by_seat.dot(record.fits.seat.covariance * by_seat))};
}

void take_out(FittedRecord& record, const std::vector<std::size_t>& spikes) {
    record.outlier_count += spikes.size();
    record.history = solver::without(record.history, spikes);
}

/// Spikes of the residuals; none if there are so many that they are the record's way and not its errors.
std::vector<std::size_t> residual_spikes(const FittedRecord& record) {
    solver::RotationHistory residual = record.history;
    for (std::size_t i = 0; i < residual.time_s.size(); ++i)
        residual.rotation_rad[i] =
            std::isnan(record.fits.fitted_rad[i]) ? 0.0 : residual.rotation_rad[i] - record.fits.fitted_rad[i];
    auto spikes = solver::find_spikes(residual, 0.0, record.fits.resolution_rad);
    if (static_cast<double>(spikes.size()) > kOutlierShareMax * static_cast<double>(residual.time_s.size()))
        spikes.clear();
    return spikes;
}

void fit_windows(const solver::RockingShape& shape, FittedRecord& record) {
    record.fits = solver::fit_restitution(shape, record.history, solver::fit_lobes(shape, record.history));
}

void note_doubts(FittedRecord& record) {
    const auto& fits = record.fits;
    const double count = static_cast<double>(record.history.time_s.size() + record.outlier_count);
    const double span_s = fits.whole.window_end_s - fits.whole.window_start_s;
    const auto doubt = [&](std::string text) { record.doubts.push_back(std::move(text)); };
    if (static_cast<double>(record.outlier_count) > kOutlierShareMax * count)
        doubt(fmt::format("{} of {:.0f} samples are outliers, more than {:g} %", record.outlier_count, count,
                          100.0 * kOutlierShareMax));
    if (fits.misfit_ratio > solver::kMisfitMax_ratio)
        doubt(fmt::format(
            "one eta does not describe the record: the residual is {:.0f} times the noise of the single "
            "excursions. Are width and height right, was the base still, does eta change with the amplitude?",
            fits.misfit_ratio));
    if (fits.resolution_rad > kResolutionMax_ratio * fits.whole.release_rad)
        doubt(fmt::format("the sensor's steps of {:.2g} rad are coarser than {:g} % of the release angle",
                          fits.resolution_rad, 100.0 * kResolutionMax_ratio));
    if (fits.noise.wander_rad > 0.0 && fits.noise.tau_s > kWanderMax_ratio * span_s)
        doubt(fmt::format(
            "the sensor wanders by {:.2g} rad over {:.2g} s, too slowly for a record of {:.2g} s to show how much",
            fits.noise.wander_rad, fits.noise.tau_s, span_s));
    if (record.lobes.impacts.size() < kImpactsMin)
        doubt(fmt::format("only {} impacts can be distinguished from the noise; at least {} are required",
                          record.lobes.impacts.size(), kImpactsMin));
}

FittedRecord fit_record(const FreeRockingRequest& request, const std::filesystem::path& file) {
    FittedRecord record = read_record(request, file);
    const solver::RockingShape shape = solver::rocking_shape(request.block, request.gravity_m_s2);
    try {
        const double rate_max_rad_s = shape.frequency_parameter_rad_s * shape.slenderness_rad;
        take_out(record, solver::find_spikes(record.history, rate_max_rad_s, 0.0));
        fit_windows(shape, record);
        const auto spikes = residual_spikes(record);
        if (!spikes.empty()) {
            take_out(record, spikes);
            fit_windows(shape, record);
        }
        // Offset, drift and slope that only make up for another misfit are of no use to the single excursions.
        record.lobes = record.fits.misfit_ratio > solver::kMisfitMax_ratio
                           ? solver::fit_lobes(shape, record.history)
                           : solver::fit_lobes(shape, record.history, record.fits.seat, record.fits.noise);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
    take_mean_of_impacts(record);
    note_doubts(record);
    return record;
}

/// Mean of the edge tests; its error is the larger of what the fits say and what their scatter says.
Estimate material_of(const std::vector<Estimate>& factors) {
    const double count = static_cast<double>(factors.size());
    double sum = 0.0, errors = 0.0, scatter = 0.0;
    for (const Estimate& factor : factors) {
        sum += factor.value / count;
        errors += factor.standard_error * factor.standard_error;
    }
    for (const Estimate& factor : factors) scatter += (factor.value - sum) * (factor.value - sum);
    const double by_scatter = factors.size() > 1 ? std::sqrt(scatter / (count - 1.0) / count) : 0.0;
    return {sum, std::max(std::sqrt(errors) / count, by_scatter)};
}

void find_material(const FreeRockingRequest& request, FreeRockingFit& fit) {
    const double alpha = request.block.slenderness_rad();
    std::vector<Estimate> factors;
    const auto add = [&](const FittedRecord& record) {
        factors.push_back(solver::material_factor(alpha, fit_in(record, request.window).ratio, *fit.edge_k));
    };
    if (request.contact == Contact::edge) add(fit.record);
    for (const auto& file : request.edge_records) add(fit.edge_records.emplace_back(fit_record(request, file)));
    fit.is_material_known = !factors.empty() || request.material;
    fit.material = request.material ? *request.material : factors.empty() ? Estimate{1.0, 0.0} : material_of(factors);
}

}  // namespace

const solver::RestitutionFit& fit_in(const FittedRecord& record, FitWindow window) noexcept {
    switch (window) {
        case FitWindow::middle_half: return record.fits.middle_half;
        case FitWindow::first_half_period: return record.fits.first_half_period;
        case FitWindow::whole: break;
    }
    return record.fits.whole;
}

FreeRockingFit fit_free_rocking(const FreeRockingRequest& request) {
    require_consistent(request);
    const double alpha = request.block.slenderness_rad();
    FreeRockingFit fit;
    fit.record = fit_record(request, request.record);
    fit.housner_ratio = solver::improved_ratio(alpha, 1.0);
    fit.ratio = fit_in(fit.record, request.window).ratio;
    try {
        if (request.edge_strip_m) fit.edge_k = solver::edge_contact_k(request.block.width_m, *request.edge_strip_m);
        find_material(request, fit);
    } catch (const std::invalid_argument& error) {
        throw InputError(error.what());
    }
    fit.impulse_k = solver::impulse_position(alpha, fit.ratio, fit.material);
    return fit;
}

}  // namespace topple::hil::study
