// The sections of an experiment file, one reader each. All throw InputError as TomlTable does.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/toml_table.hpp"
#include "solver/stack/geometry.hpp"

namespace topple::hil::experiment {

/// What the excitation's reader must know of the rest of the file.
struct ExcitationContext {
    double gravity_m_s2 = solver::kStandardGravity_m_s2;
    double specimens_mass_kg = 0.0;   ///< rides on the slider of an air track
    std::filesystem::path directory;  ///< record files are relative to it
};

/// Which specimens a file may describe.
enum class Reach {
    rocking,           ///< those of the rocking models
    contact_dynamics,  ///< also more than 8 blocks, wider ones on narrower ones, a start in flight
};

/// [[specimen]] tables in file order, or the specimen files that are named instead of them, relative to `directory`;
/// those of kind "none" are left out. Fills `specimens` and what goes with each: `plane_angle_rad`, `drawn_feet`,
/// `shapes`.
void read_specimens(TomlTable& file, const std::filesystem::path& directory, Reach reach, Experiment& experiment);
/// The only [specimen] if its kind is "assembly"; then read_specimens() is not to be called.
std::optional<solver::Assembly> read_assembly(TomlTable& file);
/// A specimen and what is said of how it was written.
struct WrittenSpecimen {
    solver::Specimen specimen;
    DrawnFoot drawn{};
    SpecimenShape shape{};
};
/// A file with the keys of a [specimen] table; `name` as written, relative to `directory`. Errors name this file.
WrittenSpecimen read_specimen_file(const std::string& name, const std::filesystem::path& directory,
                                   Reach reach = Reach::rocking);
/// foot = [[x_m, z_m], ...] with mass_kg and inertia_kg_m2 of a single body.
void read_foot(TomlTable& specimen, WrittenSpecimen& written);
/// restitution = "housner" or a table; `interfaces` = number of blocks of the specimen.
solver::Restitution read_restitution(TomlTable& specimen, std::size_t interfaces);
/// A block around it, for what only asks how large a body is.
solver::Block block_around(const solver::Foot& foot, double mass_kg);
/// mesh = "stone.obj" with its other keys, of a single body; the file is relative to `directory`. docs/mesh.md
void read_mesh_keys(TomlTable& specimen, const std::filesystem::path& directory, WrittenSpecimen& written);
/// overturned_rad of a specimen whose foot is known; refused for any other.
void read_overturned(TomlTable& specimen, solver::Specimen& body);
/// depth_m and centre_offset_y_m of a block or foot: how it goes on across the plane. A block with a depth is a box.
void read_depth(TomlTable& specimen, WrittenSpecimen& written);
/// The same of a foot with so many faces.
solver::Restitution read_foot_restitution(TomlTable& specimen, std::size_t faces);
Excitation read_excitation(TomlTable section, const ExcitationContext& context);
/// The same keys, upwards; no air track.
Excitation read_vertical_excitation(TomlTable section, const ExcitationContext& context);
/// [excitation] with its direction and [excitation_y], for the machine of experiment.table.
void read_horizontal_excitation(TomlTable& file, const ExcitationContext& context, Experiment& experiment);
/// type = "record": fills motion, table_motion and remarks.
void read_record(TomlTable& section, const ExcitationContext& context, Excitation& excitation);
/// type = "ricker", "mavroeidis_papageorgiou", "cycloidal", "sweep", "noise": motion and remarks; else nothing.
void read_pulse(TomlTable& section, const ExcitationContext& context, Excitation& excitation);
/// type = "sum": motion and remarks of [[excitation.parts]].
void read_sum(TomlTable& section, const ExcitationContext& context, Excitation& excitation);
TableSection read_table_section(TomlTable& file, const std::filesystem::path& directory);
SimulationSection read_simulation(TomlTable& file);
/// [campaign], if there is one. Whether the keys that it varies are in the file is not looked at.
std::optional<CampaignSection> read_campaign(TomlTable& file);
/// number of [campaign_test], which stands in the files of a campaign's tests in place of [campaign]; 0 without it.
std::uint64_t read_campaign_test(TomlTable& file);
/// [multiple_impact], or its defaults.
solver::MultipleImpact read_multiple_impact(TomlTable& file);
solver::ContactDynamics read_contact_dynamics(TomlTable& file);
/// [specimen.base]; empty: the base is rigid.
std::optional<solver::BeamBase> read_base(TomlTable& specimen);
/// Throws InputError at the specimen if `model` needs what it does not have: friction, a beam that carries it. What
/// the solver would refuse without a line.
void require_what_model_needs(TomlTable& file, const Experiment& experiment, std::string_view model);
/// [uncertainty], or its defaults; what cannot apply to the specimens and the excitation of `experiment` is fixed.
UncertaintySection read_uncertainty(TomlTable& file, const Experiment& experiment);
/// [[aux]] of a machine file.
std::vector<AuxChannel> read_aux_channels(TomlTable& machine);
/// [calibration] of a machine file, if it has one.
std::optional<Calibration> read_calibration(TomlTable& machine);

/// Bounds that keep a mistyped unit or exponent from being taken for an experiment; in docs/experiment_file.md.
inline constexpr double kLengthMax_m = 100.0;
inline constexpr double kMassMax_kg = 1e6;
inline constexpr double kAccelerationMax_m_s2 = 1000.0;
inline constexpr double kFrequencyMax_hz = 1000.0;
inline constexpr double kDurationMax_s = 3600.0;
inline constexpr double kCyclesMax = 10000.0;
inline constexpr std::int64_t kSeedMax = std::int64_t{1} << 53;
inline constexpr std::size_t kSpecimensMax = 16;
inline constexpr std::size_t kBlocksMax = solver::kSpecimenBlocksMax;

}  // namespace topple::hil::experiment
