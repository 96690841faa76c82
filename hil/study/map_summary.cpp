#include "hil/study/map_summary.hpp"

#include <fmt/format.h>

#include <array>
#include <map>

namespace topple::hil::study {

std::string specimen_label(const solver::Specimen& specimen) {
    if (specimen.pivots)
        return fmt::format("asymmetric body (alpha {:g} rad left, {:g} rad right; R {:g} m left, {:g} m right)",
                           specimen.pivots->alpha_left_rad, specimen.pivots->alpha_right_rad,
                           specimen.pivots->radius_left_m, specimen.pivots->radius_right_m);
    if (specimen.foot) {
        const solver::Pivots standing = solver::pivots_of(specimen).value();
        return fmt::format("irregular body on {} faces (of the standing one alpha {:g} rad left, {:g} rad right)",
                           specimen.foot->corners_m.size() - 1, standing.alpha_left_rad, standing.alpha_right_rad);
    }
    std::string label;
    for (const solver::Block& block : specimen.blocks)
        label += fmt::format("{}{:g} m x {:g} m", label.empty() ? "" : " + ", block.width_m, block.height_m);
    return label;
}

std::string axes_text(const solver::StabilityMap& map) {
    return fmt::format(": alpha = {:.6g} rad, p = {:.6g} rad/s, amplitude ratio 1 = {:.6g} m/s2\n",
                       map.slenderness_rad(), map.frequency_parameter_rad_s(), map.amplitude_unit_m_s2());
}

std::size_t failed_count(const MapGrid& grid) noexcept {
    std::size_t count = 0;
    for (std::size_t i = 0; i < grid.frequency.count; ++i)
        for (std::size_t j = 0; grid.is_done[i] && j < grid.amplitude.count; ++j) count += !grid.cell(i, j).outcome();
    return count;
}

std::string outcome_shares(const MapGrid& grid) {
    std::array<std::size_t, solver::kFailedCode + 1> count{};
    std::map<std::string_view, std::size_t> modes;
    std::size_t total = 0;
    for (std::size_t i = 0; i < grid.frequency.count; ++i) {
        for (std::size_t j = 0; grid.is_done[i] && j < grid.amplitude.count; ++j, ++total) {
            ++count[solver::outcome_code(grid.cell(i, j).outcome())];
            if (grid.cell(i, j).outcome()) ++modes[mode_name(grid.cell(i, j), grid.block_count)];
        }
    }
    const auto percent = [&](std::size_t n) { return 100.0 * static_cast<double>(n) / static_cast<double>(total); };
    std::string text = fmt::format("  {} waves", total);
    for (std::size_t i = 0; i < count.size(); ++i)
        if (count[i] > 0)
            text += fmt::format(", {} {:.2f} %", solver::name(solver::outcome_of_code(static_cast<unsigned>(i))),
                                percent(count[i]));
    if (grid.block_count < 2) return text;
    const std::size_t partial = count[static_cast<std::size_t>(solver::Outcome::partial_overturning)],
                      all = count[static_cast<std::size_t>(solver::Outcome::total_overturning)];
    text += fmt::format("; P {}, D {}", partial, all);
    if (all > 0) text += fmt::format(", P/D {:.3f}", static_cast<double>(partial) / static_cast<double>(all));
    if (grid.block_count == 3)
        for (const auto& [mode, cells] : modes)
            text += fmt::format("{} {} {:.2f} %", mode == "A" ? "; modes" : ",", mode, percent(cells));
    return text;
}

solver::MapPoint own_wave(const solver::StabilityMap& map, const solver::MapWave& wave) {
    return {wave.angular_frequency_rad_s / map.frequency_parameter_rad_s(),
            wave.amplitude_m_s2 / map.amplitude_unit_m_s2()};
}

std::string uniform_remark(const MapGrid& grid, const solver::MapPoint& own) {
    const MapCell* first = nullptr;
    std::size_t solved = 0;
    for (std::size_t i = 0; i < grid.frequency.count; ++i)
        for (std::size_t j = 0; grid.is_done[i] && j < grid.amplitude.count; ++j, ++solved) {
            if (!first) first = &grid.cell(i, j);
            if (grid.cell(i, j).outcome() != first->outcome()) return "";
        }
    if (solved < 2) return "";
    const auto inside = [](const GridAxis& axis, double at) { return at >= axis.low && at <= axis.high; };
    const bool is_on_axes = inside(grid.frequency, own.frequency_ratio) && inside(grid.amplitude, own.amplitude_ratio);
    return fmt::format(
        "all {} waves end in {}; the experiment's own wave is at frequency ratio {:.4g}, amplitude ratio {:.4g}{}: "
        "choose --frequency-ratio and --amplitude-ratio around it",
        solved, solver::name(first->outcome()), own.frequency_ratio, own.amplitude_ratio,
        is_on_axes ? "" : ", outside these axes");
}

}  // namespace topple::hil::study
