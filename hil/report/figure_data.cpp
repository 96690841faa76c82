#include "hil/report/figure_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>

#include "hil/signal/differences.hpp"

namespace topple::hil::report {
namespace {

void put(std::string& text, double value) { fmt::format_to(std::back_inserter(text), ",{:.7g}", value); }

void put_trace(std::string& text, const compare::MotionTrace& trace, std::size_t i) {
    const bool known = !trace.displacement_m.empty();
    put(text, known ? trace.displacement_m[i] : std::nan(""));
    put(text, known ? trace.velocity_m_s[i] : std::nan(""));
    put(text, known ? trace.acceleration_m_s2[i] : std::nan(""));
}

struct Curve {
    std::vector<double> rotation_rad, rate_rad_s;
};

Curve curve(const std::vector<double>& rotation_rad, const signal::EvenGrid& grid) {
    return {rotation_rad, signal::first_difference(rotation_rad, grid.step_s)};
}

constexpr double kLeastExtent = 1e-4;       // rad and rad/s: of a block that does not move
constexpr double kFallingFrom_ratio = 1.5;  // of the slenderness: from here on a block is falling

/// The rotations of one block that figures show.
std::vector<const std::vector<double>*> curves_of(const compare::SpecimenConclusion& specimen, std::size_t block) {
    std::vector<const std::vector<double>*> curves;
    for (const auto* predicted : {&specimen.planned, &specimen.achieved})
        if (block < predicted->filtered_rad.size()) curves.push_back(&predicted->filtered_rad[block]);
    if (block < specimen.measured.blocks.size()) curves.push_back(&specimen.measured.blocks[block].filtered_rad);
    return curves;
}

}  // namespace

std::string motion_csv(const compare::AchievedMotion& motion) {
    std::string text =
        "time_s,commanded_displacement_m,commanded_velocity_m_s,commanded_acceleration_m_s2,"
        "achieved_displacement_m,achieved_velocity_m_s,achieved_acceleration_m_s2,tracking_error_m\n";
    for (std::size_t i = 0; i < motion.grid.count; ++i) {
        fmt::format_to(std::back_inserter(text), "{:.6f}", motion.grid.time_s(i));
        put_trace(text, motion.commanded, i);
        put_trace(text, motion.achieved, i);
        put(text,
            motion.has_command ? motion.achieved.displacement_m[i] - motion.commanded.displacement_m[i] : std::nan(""));
        text += '\n';
    }
    return text;
}

std::string rotation_csv(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid) {
    std::string text = "time_s";
    std::vector<Curve> curves;
    const std::vector<double> unknown(grid.count, std::nan(""));
    for (std::size_t block = 0; block < specimen.planned.filtered_rad.size(); ++block) {
        for (const char* unit : {"rad", "rad_s"})
            fmt::format_to(std::back_inserter(text), ",planned_{0}_{1},achieved_{0}_{1},measured_{0}_{1}", block, unit);
        const auto& achieved = specimen.achieved.filtered_rad;
        curves.push_back(curve(specimen.planned.filtered_rad[block], grid));
        curves.push_back(curve(block < achieved.size() ? achieved[block] : unknown, grid));
        curves.push_back(
            curve(specimen.measured.has_rotation() ? specimen.measured.blocks[block].filtered_rad : unknown, grid));
    }
    text += '\n';
    for (std::size_t i = 0; i < grid.count; ++i) {
        fmt::format_to(std::back_inserter(text), "{:.6f}", grid.time_s(i));
        for (std::size_t block = 0; block + 2 < curves.size(); block += 3) {
            for (std::size_t k = 0; k < 3; ++k) put(text, curves[block + k].rotation_rad[i]);
            for (std::size_t k = 0; k < 3; ++k) put(text, curves[block + k].rate_rad_s[i]);
        }
        text += '\n';
    }
    return text;
}

RotationRange rotation_range(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid,
                             std::size_t block, double start_s, double end_s) {
    double low_rad = 0.0, high_rad = 0.0;
    for (const std::vector<double>* rotation_rad : curves_of(specimen, block))
        for (std::size_t i = 0; i < std::min(grid.count, rotation_rad->size()); ++i) {
            const double value = (*rotation_rad)[i];
            if (grid.time_s(i) < start_s || grid.time_s(i) > end_s || !std::isfinite(value)) continue;
            low_rad = std::min(low_rad, value);
            high_rad = std::max(high_rad, value);
        }
    const double margin_rad = std::max(kLeastExtent, 0.05 * (high_rad - low_rad));
    return {low_rad - margin_rad, high_rad + margin_rad};
}

PhaseExtent phase_extent(const compare::SpecimenConclusion& specimen, const signal::EvenGrid& grid, std::size_t block,
                         double slenderness_rad, double start_s, double end_s) {
    PhaseExtent extent;
    for (const std::vector<double>* rotation_rad : curves_of(specimen, block)) {
        const Curve c = curve(*rotation_rad, grid);
        for (std::size_t i = 0; i < std::min(grid.count, rotation_rad->size()); ++i) {
            if (grid.time_s(i) < start_s || !std::isfinite(c.rotation_rad[i])) continue;
            if (grid.time_s(i) > end_s || std::abs(c.rotation_rad[i]) > kFallingFrom_ratio * slenderness_rad) break;
            extent.rotation_rad = std::max(extent.rotation_rad, std::abs(c.rotation_rad[i]));
            if (std::isfinite(c.rate_rad_s[i]))
                extent.rate_rad_s = std::max(extent.rate_rad_s, std::abs(c.rate_rad_s[i]));
        }
    }
    return {std::max(kLeastExtent, 1.05 * extent.rotation_rad), std::max(kLeastExtent, 1.05 * extent.rate_rad_s)};
}

std::string timing_csv(const compare::TimingStatistics& timing) {
    constexpr std::size_t kBins = 60;
    const double largest_us = std::max({timing.wake_late_us.max, timing.busy_us.max, 1.0});
    std::vector<std::size_t> late(kBins, 0), busy(kBins, 0);
    const auto count = [&](const std::vector<double>& values, std::vector<std::size_t>& bins) {
        for (double value : values) {
            const double place = std::max(0.0, value) / largest_us * static_cast<double>(kBins);
            ++bins[std::min(static_cast<std::size_t>(place), kBins - 1)];
        }
    };
    count(timing.wake_late_samples_us, late);
    count(timing.busy_samples_us, busy);
    std::string text = "bin_us,wake_late_count,busy_count\n";
    for (std::size_t i = 0; i < kBins; ++i)
        fmt::format_to(std::back_inserter(text), "{:.6g},{},{}\n",
                       largest_us * (static_cast<double>(i) + 0.5) / static_cast<double>(kBins), late[i], busy[i]);
    return text;
}

}  // namespace topple::hil::report
