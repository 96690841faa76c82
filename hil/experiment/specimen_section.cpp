#include <fmt/format.h>

#include <numbers>
#include <utility>

#include "hil/experiment/sections.hpp"
#include "hil/files/input_file.hpp"

namespace topple::hil::experiment {
namespace {

constexpr double kRightAngle_rad = std::numbers::pi / 2;
constexpr std::size_t kSpecimenBytesMax = 64 * 1024;

const NumberRange kLength = above(0.0, kLengthMax_m);
const NumberRange kMass = above(0.0, kMassMax_kg);
const NumberRange kDensity = above(0.0, 1e5);  // 4 times the densest metal
const NumberRange kRotation{-kRightAngle_rad, kRightAngle_rad, true, true};
const NumberRange kRotationRate = between(-1000.0, 1000.0);
const NumberRange kVelocity = between(-100.0, 100.0);
const NumberRange kTilt = between(-0.5, 0.5);
const NumberRange kPlane = between(-std::numbers::pi, std::numbers::pi);
const NumberRange kRatio = between(0.0, 1.0);
const NumberRange kOpenRatio{0.0, 1.0, true, true};
const NumberRange kDefect{0.0, 0.5, false, true};

/// Written, or of a rectangular block from its density and its depth across the shaking direction.
double read_mass_kg(TomlTable& table, const solver::Block& block) {
    if (!table.has("density_kg_m3")) return table.number("mass_kg", kMass);
    if (table.has("mass_kg")) table.fail("density_kg_m3", "not allowed together with mass_kg: write one of them");
    const double density_kg_m3 = table.number("density_kg_m3", kDensity);
    const double mass_kg = density_kg_m3 * block.width_m * block.height_m * table.number("depth_m", kLength);
    if (!kMass.contains(mass_kg))
        table.fail("density_kg_m3", fmt::format("makes a block of {:.4g} kg; allowed: {}", mass_kg, kMass.text()));
    return mass_kg;
}

solver::Block read_block(TomlTable& table) {
    solver::Block block;
    block.width_m = table.number("width_m", kLength);
    block.height_m = table.number("height_m", kLength);
    block.mass_kg = read_mass_kg(table, block);
    return block;
}

solver::Pivots read_pivots(TomlTable table) {
    const NumberRange angle{0.0, kRightAngle_rad, true, true};
    solver::Pivots pivots;
    pivots.alpha_left_rad = table.number("alpha_left_rad", angle);
    pivots.alpha_right_rad = table.number("alpha_right_rad", angle);
    pivots.radius_left_m = table.number("radius_left_m", kLength);
    pivots.radius_right_m = table.number("radius_right_m", kLength);
    pivots.inertia_kg_m2 = table.number("inertia_kg_m2", above(0.0, kMassMax_kg * kLengthMax_m * kLengthMax_m));
    table.finish();
    return pivots;
}

solver::Friction read_one_friction(TomlTable table) {
    solver::Friction friction;
    friction.static_ratio = table.number("static", between(0.0, 10.0));
    friction.kinetic_ratio = table.number("kinetic", between(0.0, 10.0));
    if (friction.kinetic_ratio > friction.static_ratio)
        table.fail("kinetic", fmt::format("must not exceed static = {}", friction.static_ratio));
    table.finish();
    return friction;
}

/// One table for all interfaces, or a list from the base up.
void read_friction(TomlTable& specimen_table, solver::Specimen& specimen) {
    if (!specimen_table.has("friction")) return;
    if (specimen_table.is_table("friction")) {
        specimen.friction = read_one_friction(specimen_table.table("friction"));
        return;
    }
    std::vector<TomlTable> list = specimen_table.tables("friction");
    if (list.size() != specimen.blocks.size())
        specimen_table.fail("friction",
                            fmt::format("lists {} interfaces; allowed: one table for all, or {} from the base up",
                                        list.size(), specimen.blocks.size()));
    for (TomlTable& entry : list) specimen.interface_friction.push_back(read_one_friction(std::move(entry)));
    if (specimen.blocks.size() > 1) return;
    specimen.friction = specimen.interface_friction.front();
    specimen.interface_friction.clear();
}

void read_single(TomlTable& table, const std::filesystem::path& directory, WrittenSpecimen& written) {
    solver::Specimen& specimen = written.specimen;
    if (table.has("mesh")) {
        read_mesh_keys(table, directory, written);
    } else if (table.has("foot")) {
        read_foot(table, written);
    } else if (table.has("pivots")) {
        for (const char* key : {"width_m", "height_m", "density_kg_m3"})
            if (table.has(key)) table.fail(key, "not allowed together with pivots: write mass_kg only");
        specimen.pivots = read_pivots(table.table("pivots"));
        solver::Block block;  // its sizes are not used; they only have to be valid
        block.width_m = block.height_m = specimen.pivots->radius_left_m;
        block.mass_kg = table.number("mass_kg", kMass);
        specimen.blocks = {block};
    } else {
        specimen.blocks = {read_block(table)};
    }
    read_overturned(table, specimen);
    if (!written.shape.mesh) read_depth(table, written);
    specimen.initial_rotation_rad = {table.number_or("initial_rotation_rad", kRotation, 0.0)};
    specimen.initial_rotation_rate_rad_s = {table.number_or("initial_rotation_rate_rad_s", kRotationRate, 0.0)};
}

void read_stack(TomlTable& table, solver::Specimen& specimen) {
    std::vector<TomlTable> blocks = table.tables("blocks");
    if (blocks.empty()) table.fail_here("specimen.blocks is missing: a stack needs one [[specimen.blocks]] per block");
    if (blocks.size() > kBlocksMax)
        table.fail_here(fmt::format("specimen.blocks has {} blocks; allowed: 1 to {}", blocks.size(), kBlocksMax));
    for (TomlTable& entry : blocks) {
        specimen.blocks.push_back(read_block(entry));
        specimen.initial_rotation_rad.push_back(entry.number_or("initial_rotation_rad", kRotation, 0.0));
        specimen.initial_rotation_rate_rad_s.push_back(
            entry.number_or("initial_rotation_rate_rad_s", kRotationRate, 0.0));
        entry.finish();
    }
}

/// Of the test rather than of the specimen: how a specimen from a file stands there.
void set_up(TomlTable& table, solver::Specimen& specimen) {
    if (specimen.blocks.size() == 1) {
        double& rotation_rad = specimen.initial_rotation_rad.at(0);
        double& rate_rad_s = specimen.initial_rotation_rate_rad_s.at(0);
        rotation_rad = table.number_or("initial_rotation_rad", kRotation, rotation_rad);
        rate_rad_s = table.number_or("initial_rotation_rate_rad_s", kRotationRate, rate_rad_s);
    }
    specimen.initial_tilt_rad = table.number_or("initial_tilt_rad", kTilt, specimen.initial_tilt_rad);
}

/// The keys of a specimen that stands there, without finish_specimen().
WrittenSpecimen read_specimen(TomlTable& table, const std::filesystem::path& directory) {
    WrittenSpecimen written;
    solver::Specimen& specimen = written.specimen;
    table.one_of("kind", {"block", "stack"}) == "block" ? read_single(table, directory, written)
                                                        : read_stack(table, specimen);
    specimen.restitution = specimen.foot ? read_foot_restitution(table, specimen.foot->corners_m.size() - 1)
                                         : read_restitution(table, specimen.blocks.size());
    read_friction(table, specimen);
    specimen.initial_tilt_rad = table.number_or("initial_tilt_rad", kTilt, 0.0);
    specimen.beam = read_base(table);
    if (table.has("initial_velocity_m_s")) {
        const std::vector<double> velocity = table.numbers("initial_velocity_m_s", kVelocity, 2);
        if (velocity.size() != 2) table.fail("initial_velocity_m_s", "must be two numbers, [x, z]");
        specimen.initial_velocity_m_s = {{velocity[0], velocity[1]}};
    }
    return written;
}

/// Every key has been read: what is left is unknown, and together they must make sense.
void finish_specimen(const TomlTable& table, const solver::Specimen& specimen, Reach reach) {
    table.finish();
    try {
        solver::validate(specimen);
        if (reach == Reach::rocking) solver::require_rocking(specimen);
    } catch (const std::invalid_argument& error) {
        table.fail_here(fmt::format("[specimen] {}", error.what()));
    }
}

}  // namespace

WrittenSpecimen read_specimen_file(const std::string& name, const std::filesystem::path& directory, Reach reach) {
    const std::filesystem::path path = directory / name;
    TomlTable table = TomlTable::parse(files::read_text_file(path, kSpecimenBytesMax), path.string());
    if (table.has("name")) table.text("name");
    if (table.has("notes")) {
        TomlTable notes = table.table("notes");
        for (const std::string& key : notes.keys()) notes.scalar_text(key);
    }
    WrittenSpecimen written = read_specimen(table, path.parent_path());
    finish_specimen(table, written.specimen, reach);
    return written;
}

solver::Restitution read_restitution(TomlTable& specimen, std::size_t interfaces) {
    solver::Restitution restitution;
    if (!specimen.has("restitution")) return restitution;
    const bool stack = interfaces > 1;
    if (specimen.is_text("restitution")) {
        const std::string word = specimen.one_of("restitution", {"housner", "improved"});
        if (word == "improved") specimen.fail("restitution", "requires k: write { model = \"improved\", k = ... }");
        return restitution;
    }
    TomlTable table = specimen.table("restitution");
    const std::string model = table.one_of("model", {"housner", "improved", "fixed", "random"});
    if (stack && model != "housner")
        table.fail("model",
                   model == "improved"
                       ? "a stack allows \"housner\" only: an impulse position k can increase the energy of a stack"
                       : "a stack allows \"housner\" only: one ratio does not determine how the other blocks move");
    if (model == "improved") {
        restitution.model = solver::RestitutionModel::improved;
        restitution.impulse_position_k = table.number("k", between(0.0, 10.0));
    } else if (model == "fixed") {
        restitution.model = solver::RestitutionModel::fixed;
        if (table.has("value")) {
            restitution.fixed_left_to_right = restitution.fixed_right_to_left = table.number("value", kRatio);
        } else if (table.has("left_to_right") || table.has("right_to_left")) {
            restitution.fixed_left_to_right = table.number("left_to_right", kRatio);
            restitution.fixed_right_to_left = table.number("right_to_left", kRatio);
        } else {
            table.number("value", kRatio);
        }
    }
    if (model == "random") {
        restitution.model = solver::RestitutionModel::random;
        restitution.random_defect_ratio = table.number("defect", kDefect);
        restitution.random_mean = table.optional_number("mean", kOpenRatio);
        restitution.random_seed = static_cast<std::uint64_t>(table.integer_or("seed", 0, kSeedMax, 1));
    }
    if (table.has("material")) {
        restitution.material = table.numbers("material", kRatio, interfaces);
        if (restitution.material.size() != 1 && restitution.material.size() != interfaces)
            table.fail("material", fmt::format("must be one number or {}, from the base upwards", interfaces));
    }
    if (table.one_of_or("rule", {"relative", "literal"}, "relative") == "literal")
        restitution.rule = solver::RestitutionRule::literal;
    table.finish();
    return restitution;
}

void read_specimens(TomlTable& file, const std::filesystem::path& directory, Reach reach, Experiment& experiment) {
    const auto add = [&experiment](WrittenSpecimen written, double plane_angle_rad) -> solver::Specimen& {
        experiment.shapes.push_back(std::move(written.shape));
        experiment.drawn_feet.push_back(std::move(written.drawn));
        experiment.plane_angle_rad.push_back(plane_angle_rad);
        return experiment.specimens.emplace_back(std::move(written.specimen));
    };
    const auto require_count = [&](std::size_t count) {
        if (count > kSpecimensMax) file.fail_here(fmt::format("{} specimens; allowed: 1 to {}", count, kSpecimensMax));
    };
    const auto read_named = [&](const TomlTable& at, std::string_view key, const std::string& name) {
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(directory / name, ignored))
            at.fail(key, fmt::format("{}: there is no such file", (directory / name).string()));
        return read_specimen_file(name, directory, reach);
    };
    const std::vector<std::string> names = file.texts("specimen");
    require_count(names.size());
    for (const std::string& name : names) add(read_named(file, "specimen", name), 0.0);
    if (!names.empty()) return;
    std::vector<TomlTable> tables = file.tables("specimen");
    if (tables.empty()) file.fail_here("specimen is missing: write a [specimen] (kind = \"none\" for an empty table)");
    require_count(tables.size());
    for (TomlTable& table : tables) {
        const bool from_file = table.has("file");
        if (!from_file && table.one_of("kind", {"block", "stack", "assembly", "none"}) == "none") {
            if (tables.size() > 1) table.fail("kind", "\"none\" is allowed for the only specimen");
            table.finish();
            continue;
        }
        WrittenSpecimen written =
            from_file ? read_named(table, "file", table.text("file")) : read_specimen(table, directory);
        if (from_file) set_up(table, written.specimen);
        const double plane_angle_rad = table.number_or("plane_angle_rad", kPlane, 0.0);
        finish_specimen(table, add(std::move(written), plane_angle_rad), reach);
    }
}

}  // namespace topple::hil::experiment
