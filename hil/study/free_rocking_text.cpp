#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "hil/host/version.hpp"
#include "hil/study/free_rocking.hpp"
#include "hil/text/rounded.hpp"
#include "hil/text/visible_text.hpp"

namespace topple::hil::study {
namespace {

using text::rounded;
using Json = nlohmann::ordered_json;
using solver::Estimate;
using solver::FitWindow;

constexpr double kScatterTold = 2.0;
constexpr double kInterval95 = 1.96;     // of a normal distribution
constexpr double kSmallestReach = 1e-8;  // of a record without noise: below the digits that are printed

/// With its 95 % interval.
std::string words(const Estimate& estimate) {
    const double reach = kInterval95 * estimate.standard_error;
    if (reach < kSmallestReach) return fmt::format("{:.9f} ± less than {:g}", estimate.value, kSmallestReach);
    const int digits =
        std::isfinite(reach) ? std::clamp(static_cast<int>(std::ceil(1.0 - std::log10(reach))), 5, 9) : 5;
    return fmt::format("{:.{}f} ± {:.{}f}", estimate.value, digits, reach, digits);
}

std::string_view name(FitWindow window) {
    switch (window) {
        case FitWindow::whole: return "whole";
        case FitWindow::middle_half: return "middle";
        case FitWindow::first_half_period: return "first";
    }
    return "";
}

void add_record(std::string& text, const FittedRecord& record) {
    auto out = std::back_inserter(text);
    const auto& time = record.history.time_s;
    fmt::format_to(out,
                   "{}: {} samples from {:.3f} to {:.3f} s, {} excursions, noise {:.2e} rad, offset {:.2e} "
                   "rad (removed)\n",
                   text::one_line(record.file.string()), time.size(), rounded(time.front(), 3), rounded(time.back(), 3),
                   record.lobes.lobes.size(), record.lobes.noise_rad, record.lobes.offset_rad.value + 0.0);
    if (record.rows_missing > 0) fmt::format_to(out, "  {} rows without a rotation\n", record.rows_missing);
    if (record.outlier_count > 0)
        fmt::format_to(out, "  {} samples omitted: no rocking explains them\n", record.outlier_count);
    const auto& seat = record.fits.seat;
    fmt::format_to(out, "  sensor drift {:.2e} rad/s (removed), slope of the seat {:.2e} ± {:.1e} rad\n",
                   seat.drift_rad_s, seat.tilt_rad, kInterval95 * std::sqrt(seat.covariance(2, 2)));
    fmt::format_to(out, "  impact at s   apex before rad   after rad   eta ± 95 %\n");
    for (const solver::MeasuredImpact& impact : record.lobes.impacts)
        fmt::format_to(out, "  {:11.5f}   {:15.6f}   {:9.6f}   {}\n", impact.time_s, impact.apex_before_rad,
                       impact.apex_after_rad, words(impact.ratio));
    fmt::format_to(out, "  eta, mean of the impacts     {}\n", words(record.mean_of_impacts));
    if (record.scatter_ratio > kScatterTold)
        fmt::format_to(out,
                       "  the impacts scatter {:.1f} times more than their errors: a single eta does not "
                       "describe this block\n",
                       record.scatter_ratio);
    const auto add = [&](const char* label, const solver::RestitutionFit& fit) {
        fmt::format_to(out, "  eta, {:<23} {}   residual {:.2e} rad rms, {:.3f} to {:.3f} s\n", label, words(fit.ratio),
                       fit.residual_rad, rounded(fit.window_start_s, 3), rounded(fit.window_end_s, 3));
    };
    add("whole record", record.fits.whole);
    add("middle half", record.fits.middle_half);
    add("first half-period", record.fits.first_half_period);
    for (const std::string& doubt : record.doubts)
        fmt::format_to(out, "  WARNING: {}: the errors stated here may be too small\n", doubt);
}

bool is_doubtful(const FreeRockingFit& fit) {
    bool is_any = !fit.record.doubts.empty();
    for (const FittedRecord& record : fit.edge_records) is_any = is_any || !record.doubts.empty();
    return is_any;
}

/// The line that goes into an experiment file.
std::string restitution_line(const FreeRockingRequest& request, const FreeRockingFit& fit) {
    if (is_doubtful(fit)) return "no line for an experiment file: see the warning";
    if (request.contact == Contact::edge || std::isnan(fit.impulse_k.value))
        return fmt::format("restitution = {{ model = \"fixed\", value = {:.6g} }}", fit.ratio.value);
    return fmt::format("restitution = {{ model = \"improved\", k = {:.6g}, material = {:.6g} }}", fit.impulse_k.value,
                       fit.material.value);
}

Json estimate_json(const Estimate& estimate) {
    if (!std::isfinite(estimate.value)) return nullptr;
    const double reach = kInterval95 * estimate.standard_error;
    return {{"value", estimate.value},
            {"standard_error", estimate.standard_error},
            {"interval_95", {estimate.value - reach, estimate.value + reach}}};
}

Json fit_json(const solver::RestitutionFit& fit) {
    return {{"restitution", fit.ratio.value},       {"standard_error", fit.ratio.standard_error},
            {"release_rad", fit.release_rad},       {"first_impact_s", fit.first_impact_s},
            {"window_start_s", fit.window_start_s}, {"window_end_s", fit.window_end_s},
            {"residual_rms_rad", fit.residual_rad}, {"samples", fit.sample_count}};
}

Json seat_json(const FittedRecord& record) {
    const auto& seat = record.fits.seat;
    const auto& noise = record.fits.noise;
    const auto error = [&](int i) { return std::sqrt(seat.covariance(i, i)); };
    return {{"drift_rad_s", estimate_json({seat.drift_rad_s, error(1)})},
            {"seat_slope_rad", estimate_json({seat.tilt_rad, error(2)})},
            {"noise_white_rad", noise.white_rad},
            {"noise_wander_rad", noise.wander_rad},
            {"noise_wander_s", noise.wander_rad > 0.0 ? Json(noise.tau_s) : Json(nullptr)},
            {"sensor_step_rad", record.fits.resolution_rad > 0.0 ? Json(record.fits.resolution_rad) : Json(nullptr)}};
}

Json record_json(const FittedRecord& record) {
    Json impacts = Json::array();
    for (const solver::MeasuredImpact& impact : record.lobes.impacts)
        impacts.push_back({{"time_s", impact.time_s},
                           {"apex_before_rad", impact.apex_before_rad},
                           {"apex_after_rad", impact.apex_after_rad},
                           {"restitution", impact.ratio.value},
                           {"standard_error", impact.ratio.standard_error}});
    Json document{{"file", record.file.string()},
                  {"samples", record.history.time_s.size()},
                  {"rows_missing", record.rows_missing},
                  {"outliers", record.outlier_count},
                  {"noise_rad", record.lobes.noise_rad},
                  {"offset_rad", estimate_json(record.lobes.offset_rad)},
                  {"impacts", impacts},
                  {"mean_of_impacts", estimate_json(record.mean_of_impacts)},
                  {"whole", fit_json(record.fits.whole)},
                  {"middle_half", fit_json(record.fits.middle_half)},
                  {"first_half_period", fit_json(record.fits.first_half_period)},
                  {"doubts", record.doubts}};
    document.update(seat_json(record));
    return document;
}

}  // namespace

std::string free_rocking_text(const FreeRockingRequest& request, const FreeRockingFit& fit) {
    std::string text = fmt::format("block {:g} x {:g} m: alpha {:.6f} rad, p {:.6f} rad/s, Housner's eta {:.6f}\n",
                                   request.block.width_m, request.block.height_m, request.block.slenderness_rad(),
                                   request.block.frequency_parameter_rad_s(request.gravity_m_s2), fit.housner_ratio);
    add_record(text, fit.record);
    for (const FittedRecord& record : fit.edge_records) {
        text += "edge contact, ";
        add_record(text, record);
    }
    auto out = std::back_inserter(text);
    if (request.contact == Contact::edge)
        fmt::format_to(out, "edge contact at k = {:.5f}\nmaterial factor              {}\n", *fit.edge_k,
                       words(fit.material));
    else {
        fmt::format_to(out, "material factor              {}\n",
                       fit.is_material_known ? words(fit.material) : "1 (assumed; give --material or --edge)");
        if (std::isnan(fit.impulse_k.value))
            fmt::format_to(out, "impulse position             none: eta over the material factor is above 1\n");
        else
            fmt::format_to(out, "impulse position k           {}, {:.5f} m from the middle{}\n", words(fit.impulse_k),
                           0.5 * request.block.width_m * fit.impulse_k.value,
                           fit.impulse_k.value > 1.0
                               ? " (outside the block: more energy is lost than the model can explain)"
                               : "");
    }
    return text + restitution_line(request, fit) + "\n";
}

std::string free_rocking_json(const FreeRockingRequest& request, const FreeRockingFit& fit) {
    Json edges = Json::array();
    for (const FittedRecord& record : fit.edge_records) edges.push_back(record_json(record));
    const Json document{{"schema", "topple.free_rocking_fit/1"},
                        {"width_m", request.block.width_m},
                        {"height_m", request.block.height_m},
                        {"gravity_m_s2", request.gravity_m_s2},
                        {"slenderness_rad", request.block.slenderness_rad()},
                        {"frequency_parameter_rad_s", request.block.frequency_parameter_rad_s(request.gravity_m_s2)},
                        {"contact", request.contact == Contact::edge ? "edge" : "full"},
                        {"window", name(request.window)},
                        {"restitution", estimate_json(fit.ratio)},
                        {"restitution_housner", fit.housner_ratio},
                        {"edge_k", fit.edge_k ? Json(*fit.edge_k) : Json(nullptr)},
                        {"material", fit.is_material_known ? estimate_json(fit.material) : Json(nullptr)},
                        {"k", request.contact == Contact::edge ? Json(nullptr) : estimate_json(fit.impulse_k)},
                        {"record", record_json(fit.record)},
                        {"edge_records", edges},
                        {"topple_version", host::version()}};
    return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace topple::hil::study
