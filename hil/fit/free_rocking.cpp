#include "hil/fit/free_rocking.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

#include "hil/errors.hpp"
#include "hil/import/declared_columns.hpp"
#include "solver/identify/impulse_position.hpp"

namespace topple::hil {
namespace {

using solver::Estimate;
using solver::FitWindow;

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
        throw InputError("--contact edge gives the material factor: leave out --edge and --material");
    if (!request.edge_records.empty() && request.material)
        throw InputError("the material factor is given twice: by --material and by --edge");
    if (request.material &&
        !(request.material->value > 0.0 && request.material->value <= 1.0 &&
          request.material->standard_error >= 0.0 && request.material->standard_error < 1.0))
        throw InputError(
            fmt::format("material factor {} ± {}: allowed is above 0 up to 1, its error from 0 to below 1",
                        request.material->value, request.material->standard_error));
}

FittedRecord read_record(const FreeRockingRequest& request, const std::filesystem::path& file) {
    const DeclaredColumns columns = read_declared_columns(file, request.rate_hz, Gaps::allow);
    if (columns.rotation_rad.size() <= request.rotation_index)
        throw InputError(fmt::format(
            "{}: no column rotation_rad, rotation_deg or rotation_mrad{}", file.string(),
            request.rotation_index > 0 ? fmt::format(" of block {}", request.rotation_index) : ""));
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

/// Weights 1/error^2.
Estimate mean_of(const std::vector<solver::MeasuredImpact>& impacts) {
    double weights = 0.0, sum = 0.0, scatter = 0.0;
    const auto weight = [](const solver::MeasuredImpact& impact) {
        const double error = std::max(impact.ratio.standard_error, 1e-9);
        return 1.0 / (error * error);
    };
    for (const auto& impact : impacts) {
        weights += weight(impact);
        sum += weight(impact) * impact.ratio.value;
    }
    const double mean = sum / weights;
    for (const auto& impact : impacts)
        scatter += weight(impact) * (impact.ratio.value - mean) * (impact.ratio.value - mean);
    const double by_scatter = impacts.size() > 1 ? scatter / static_cast<double>(impacts.size() - 1) : 0.0;
    return {mean, std::sqrt(std::max(1.0, by_scatter) / weights)};
}

FittedRecord fit_record(const FreeRockingRequest& request, const std::filesystem::path& file) {
    FittedRecord record = read_record(request, file);
    const solver::RockingShape shape = solver::rocking_shape(request.block, request.gravity_m_s2);
    try {
        record.lobes = solver::fit_lobes(shape, record.history);
        record.whole = solver::fit_restitution(shape, record.history, record.lobes, FitWindow::whole);
    } catch (const std::invalid_argument& error) {
        throw InputError(fmt::format("{}: {}", file.string(), error.what()));
    }
    record.mean_of_impacts = mean_of(record.lobes.impacts);
    const auto if_possible = [&](FitWindow window) -> std::optional<solver::RestitutionFit> {
        try {
            return solver::fit_restitution(shape, record.history, record.lobes, window);
        } catch (const std::invalid_argument& error) {
            record.windows_missing = error.what();
            return std::nullopt;
        }
    };
    record.middle_half = if_possible(FitWindow::middle_half);
    record.first_half_period = if_possible(FitWindow::first_half_period);
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
    for (const auto& file : request.edge_records)
        add(fit.edge_records.emplace_back(fit_record(request, file)));
    fit.is_material_known = !factors.empty() || request.material;
    fit.material = request.material  ? *request.material
                   : factors.empty() ? Estimate{1.0, 0.0}
                                     : material_of(factors);
}

}  // namespace

const solver::RestitutionFit& fit_in(const FittedRecord& record, FitWindow window) {
    if (window == FitWindow::whole) return record.whole;
    const auto& fit = window == FitWindow::middle_half ? record.middle_half : record.first_half_period;
    if (!fit) throw InputError(fmt::format("{}: {}", record.file.string(), record.windows_missing));
    return *fit;
}

FreeRockingFit fit_free_rocking(const FreeRockingRequest& request) {
    require_consistent(request);
    const double alpha = request.block.slenderness_rad();
    FreeRockingFit fit;
    fit.record = fit_record(request, request.record);
    fit.housner_ratio = solver::improved_ratio(alpha, 1.0);
    fit.ratio = fit_in(fit.record, request.window).ratio;
    try {
        if (request.edge_strip_m)
            fit.edge_k = solver::edge_contact_k(request.block.width_m, *request.edge_strip_m);
        find_material(request, fit);
    } catch (const std::invalid_argument& error) {
        throw InputError(error.what());
    }
    fit.impulse_k = solver::impulse_position(alpha, fit.ratio, fit.material);
    return fit;
}

}  // namespace topple::hil
