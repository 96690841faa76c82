#include "hil/experiment/experiment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "hil/experiment/fragility.hpp"
#include "hil/experiment/models.hpp"
#include "hil/experiment/photo.hpp"
#include "hil/experiment/sections.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::experiment {
namespace {

constexpr std::size_t kFileBytesMax = 256 * 1024;
constexpr std::size_t kNameMax = 100;

void read_notes(TomlTable& file, const std::filesystem::path& directory, Experiment& experiment) {
    if (!file.has("notes")) return;
    TomlTable notes = file.table("notes");
    for (const std::string& key : notes.keys()) experiment.notes[key] = notes.scalar_text(key);
    if (!notes.has(kPhotoKey)) return;
    const std::string photo = notes.text(kPhotoKey);
    try {
        read_photo(directory / photo);
    } catch (const files::InputError& error) {
        notes.fail(kPhotoKey, error.what());
    }
}

ExcitationContext context_of(const Experiment& experiment, const std::filesystem::path& directory) {
    ExcitationContext context;
    context.gravity_m_s2 = experiment.gravity_m_s2;
    context.specimens_mass_kg = payload_kg(experiment);
    context.directory = directory;
    return context;
}

std::string read_model(TomlTable& file) {
    const std::vector<std::string> names = model_names();
    return file.one_of("model", {names.begin(), names.end()});
}

/// Of a file whose motions are in [fragility].
Excitation without_excitation() {
    const char* const why = "no [excitation]: the base rests; the motions of [fragility] are for topple map";
    Excitation excitation;
    excitation.type = kMotionsOfFragility;
    excitation.table_motion_missing = why;
    excitation.remarks.emplace_back(why);
    return excitation;
}

double slide_threshold_m_s2(const solver::Specimen& specimen, double gravity_m_s2) {
    double held = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < specimen.blocks.size(); ++k)
        if (const auto friction = solver::friction_at(specimen, k)) held = std::min(held, friction->static_ratio);
    const double tilt = std::abs(specimen.initial_tilt_rad);
    return std::max(0.0, gravity_m_s2 * (held * std::cos(tilt) - std::sin(tilt)));
}

}  // namespace

Experiment read_experiment(const std::filesystem::path& path) { return read_experiment_for(path, {}); }

Experiment read_experiment_for(const std::filesystem::path& path, std::string_view model) {
    return read_experiment_text(files::read_text_file(path, kFileBytesMax), path, model);
}

Experiment read_experiment_text(std::string text, const std::filesystem::path& path, std::string_view model) {
    Experiment experiment;
    experiment.source = path;
    experiment.text = std::move(text);
    const std::filesystem::path directory = path.parent_path();
    TomlTable file = TomlTable::parse(experiment.text, path.string());
    experiment.name = file.text("name");
    if (experiment.name.size() > kNameMax)
        file.fail("name", fmt::format("{} bytes long; at most {} are allowed", experiment.name.size(), kNameMax));
    read_notes(file, directory, experiment);
    experiment.gravity_m_s2 = file.number_or("gravity_m_s2", above(0.0, 100.0), experiment.gravity_m_s2);
    if (file.has("model")) experiment.model = read_model(file);
    const std::string_view asked = model.empty() ? std::string_view(experiment.model) : model;
    const auto is_for = [&](const char* name) { return asked == name || (model.empty() && file.has(name)); };
    const bool has_contact = is_for("contact_dynamics") || is_for("multiple_impact");
    experiment.assembly = read_assembly(file);
    if (!experiment.assembly)
        read_specimens(file, directory, has_contact ? Reach::contact_dynamics : Reach::rocking, experiment);
    if (experiment.assembly)
        for (const char* key : {"model", "vertical_excitation", "contact_dynamics", "multiple_impact"})
            if (file.has(key))
                file.fail(key, "not allowed with an assembly, which has equations of its own: leave it out");
    require_what_model_needs(file, experiment, asked);
    experiment.contact_dynamics = read_contact_dynamics(file);
    experiment.multiple_impact = read_multiple_impact(file);
    experiment.table = read_table_section(file, directory);
    const bool has_fragility = file.has("fragility");
    if (has_fragility && !file.has("excitation"))
        experiment.excitation = without_excitation();
    else
        read_horizontal_excitation(file, context_of(experiment, directory), experiment);
    if (experiment.assembly && experiment.excitation_y)
        file.fail("excitation_y", "an assembly's basin lies along one motion: omit excitation_y");
    if (file.has("vertical_excitation"))
        experiment.vertical_excitation =
            read_vertical_excitation(file.table("vertical_excitation"), context_of(experiment, directory));
    experiment.simulation = read_simulation(file);
    experiment.uncertainty = read_uncertainty(file, experiment);
    experiment.campaign = read_campaign(file);
    experiment.campaign_test = read_campaign_test(file);
    file.finish();
    if (has_fragility) read_fragility(experiment);  // only `map` needs it; a mistake is told by every command
    return experiment;
}

void require_drivable(const Experiment& experiment) {
    const auto refuse = [&](const char* what) {
        throw files::InputError(fmt::format("{}: {}; predict only", experiment.source.string(), what));
    };
    if (experiment.vertical_excitation.type != "none")
        refuse("[vertical_excitation]: the table is horizontal and has no vertical motion");
    for (const solver::Specimen& specimen : experiment.specimens) {
        try {
            solver::require_rocking(specimen);
        } catch (const std::invalid_argument& error) {
            refuse(error.what());
        }
        if (solver::starts_turning(specimen))
            refuse("initial_rotation_rate_rad_s: a table releases its specimen at rest, without a rotation rate");
    }
}

double payload_kg(const Experiment& experiment) noexcept {
    double mass_kg = 0.0;
    for (const solver::Specimen& specimen : experiment.specimens)
        for (const solver::Block& block : specimen.blocks) mass_kg += block.mass_kg;
    if (experiment.assembly)
        for (const solver::AssemblyBlock& block : experiment.assembly->blocks) mass_kg += block.mass_kg;
    return mass_kg;
}

double uplift_threshold_m_s2(const Experiment& experiment) {
    double least_m_s2 = std::numeric_limits<double>::infinity();
    if (experiment.assembly) least_m_s2 = experiment.assembly->friction * experiment.gravity_m_s2;
    for (const solver::Specimen& specimen : experiment.specimens) {
        least_m_s2 = std::min(least_m_s2, solver::uplift_acceleration_m_s2(specimen, experiment.gravity_m_s2));
        if (specimen.friction || !specimen.interface_friction.empty())
            least_m_s2 = std::min(least_m_s2, slide_threshold_m_s2(specimen, experiment.gravity_m_s2));
    }
    return least_m_s2;
}

}  // namespace topple::hil::experiment
