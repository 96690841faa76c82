// type = "sum": several motions of the base at once, each from its own instant.
#include <fmt/format.h>

#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kPartsMax = 16;

solver::BaseMotion read_part(TomlTable part, const ExcitationContext& context, std::size_t number,
                             Excitation& excitation) {
    part.one_of("type", {"sine", "cosine", "constant", "double_pulse", "harmonic", "record", "sweep", "noise", "ricker",
                         "mavroeidis_papageorgiou", "cycloidal"});
    for (const char* key : {"mass_slider_kg", "mass_hanging_kg", "drop_height_m", "coupled"})
        if (part.has(key)) part.fail(key, "an air track cannot be part of a sum");
    if (part.has("lead_in_jerk_m_s3"))
        part.fail("lead_in_jerk_m_s3", "of the whole sum only: write it in [excitation]");
    const double delay_s = part.number_or("delay_s", between(0.0, kDurationMax_s), 0.0);
    const Excitation one = read_excitation(std::move(part), context);
    for (const std::string& remark : one.remarks)
        excitation.remarks.push_back(fmt::format("part {} of the sum: {}", number, remark));
    return one.planned_motion().shifted(delay_s);
}

}  // namespace

void read_sum(TomlTable& section, const ExcitationContext& context, Excitation& excitation) {
    std::vector<TomlTable> parts = section.tables("parts");
    if (parts.empty() || parts.size() > kPartsMax)
        section.fail_here(
            fmt::format("a sum has {} parts; allowed: 1 to {}: write [[excitation.parts]]", parts.size(), kPartsMax));
    solver::BaseMotion sum;
    for (std::size_t i = 0; i < parts.size(); ++i) {
        const solver::BaseMotion motion = read_part(std::move(parts[i]), context, i, excitation);
        sum = i == 0 ? motion : sum.plus(motion);
    }
    if (sum.start_s() != 0.0) section.fail("parts", "one of them must start at t = 0: delay_s = 0");
    if (sum.end_s() > kDurationMax_s)
        section.fail("parts", fmt::format("last {} s; at most {} s are allowed", sum.end_s(), kDurationMax_s));
    excitation.motion = sum.scaled(section.number_or("scale", between(-1000.0, 1000.0), 1.0));
}

}  // namespace topple::hil::experiment
