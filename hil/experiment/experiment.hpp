// One test as written down by the operator: the experiment file, validated.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "firmware_iface/machine.hpp"
#include "hil/experiment/aux_channels.hpp"
#include "hil/experiment/calibration.hpp"
#include "hil/experiment/campaign.hpp"
#include "hil/experiment/learned_prior.hpp"
#include "solver/assembly/assembly.hpp"
#include "solver/laws/air_track.hpp"
#include "solver/motion/base_motion.hpp"
#include "solver/options.hpp"
#include "solver/specimen.hpp"
#include "solver/study/uncertainty.hpp"

namespace topple::hil::experiment {

/// The numbers of a double pulse, kept so that a map can vary them.
struct DoublePulse {
    double peak_velocity_m_s = 0.0;  ///< signed, not 0
    double rise_time_s = 0.0, gap_m = 0.0;
    double base_friction = 0.0;  ///< deceleration of the free base / g
    double stopper_rebound_ratio = 0.0;

    /// Throws std::invalid_argument if the gap is shorter than the way of the rise.
    solver::BaseMotion motion(double gravity_m_s2) const;
};

struct RecordAccount;  // hil/experiment/record_account.hpp

/// [excitation] as read. `motion` is what the solver and the table get; the rest is kept for reports.
struct Excitation {
    std::string type =
        "none";  ///< a key of docs/experiment_file.md: sine | cosine | constant | harmonic | record | sweep | ...
    solver::BaseMotion motion;  ///< as the *solver* sees it (a constant pulse goes on at constant velocity)
    /// As a table must do it, from rest to rest. For `constant` needs deceleration_m_s2; empty optional if the
    /// file does not allow a table motion (`table_motion_missing` says why).
    std::optional<solver::BaseMotion> table_motion;
    std::string table_motion_missing;
    double amplitude_m_s2 = 0.0;           ///< sine, cosine, constant, ricker, sweep; 0 otherwise
    double angular_frequency_rad_s = 0.0;  ///< sine, cosine, harmonic; 0 otherwise
    double displacement_m = 0.0;           ///< harmonic, displacement_sine; 0 otherwise
    double cycles = 0.0;
    double lead_in_s = 0.0, lead_out_s = 0.0;  ///< of table_motion, before and after the motion as written
    std::optional<DoublePulse> double_pulse;
    std::optional<solver::AirTrack> air_track;  ///< the pulse comes from its masses and drop height
    bool coupled = false;              ///< the block moves the slider too; `motion` is what it would be without
    std::vector<std::string> remarks;  ///< e.g. corrections of a record, net displacement of a sine
    std::shared_ptr<const RecordAccount> record;  ///< type "record": what was read and what was done to it; else null

    /// The whole motion that `predict` and a table are about: the table motion where there is one.
    const solver::BaseMotion& planned_motion() const noexcept { return table_motion ? *table_motion : motion; }
};

/// The profile of an irregular body as it was written, before its hull was taken and turned level.
struct DrawnFoot {
    std::size_t points = 0;             ///< 0: the specimen's foot was not written point by point
    double turned_rad = 0.0;            ///< from the drawn pose to the standing one, clockwise positive
    std::vector<std::size_t> left_out;  ///< points that touch nothing: above the hull or on a face; from 0
};

/// What stands on the platen while a drive is learned.
enum class IteratePayload {
    bare,      ///< nothing
    dummy,     ///< a dead mass as heavy as the specimens
    specimen,  ///< the specimens themselves: each pass may topple them
};

inline constexpr int kIterateMax = 20;

/// [table]; left out: defaults.
struct TableSection {
    std::string machine = "quanser-st-iii";  ///< built-in name or path, as written
    firmware_iface::MachineDescription description;
    std::string machine_text;  ///< TOML as run (built-in ones are written out)
    std::string device = "sim:";
    std::size_t axis = 0;  ///< that [excitation] drives where no direction is given: 0 x, 1 y
    bool centre = true;
    bool prompt = true;
    std::optional<double> protect;  ///< P(overturning) above which another end of the motion is looked for
    int iterate = 0;                ///< passes at most in which the drive is learned; 0: none
    IteratePayload iterate_payload = IteratePayload::dummy;
    bool trigger = false;                    ///< the device's trigger output shows the test's motion
    std::vector<AuxChannel> aux;             ///< of the machine file, in the order of the device's inputs
    std::optional<Calibration> calibration;  ///< of the machine file
};

/// Hidden differences of the simulated specimen from the one of the file.
struct Truth {
    bool exact = false;
    std::optional<double> restitution_factor;  ///< multiplies eta
    std::optional<double> tilt_rad;            ///< added
    std::optional<double> width_factor;        ///< multiplies every width
};

/// How good the mechanics of the simulated table are.
enum class SimulatedMechanics {
    ideal,  ///< a rigid platen with a perfect servo
    stage,  ///< a screw-driven stage with its own faults, moved by the device's servo
    worn,   ///< the same with backlash and more friction
};

/// [simulation]: read only by simulated devices.
struct SimulationSection {
    std::uint64_t seed = 1;
    double placement_tilt_rad = 0.0;  ///< standard deviation of the seat's slope from one placement to the next
    SimulatedMechanics table = SimulatedMechanics::stage;
    Truth truth;
};

/// [uncertainty]: of the ensembles that a test is predicted and judged by; never of the simulated table's truth.
struct UncertaintySection {
    std::uint64_t seed = 1;             ///< of the ensemble; never the seed of the simulated table's hidden truth
    solver::Uncertainty of;             ///< as far as it can apply to specimens and excitation
    std::optional<LearnedPrior> prior;  ///< the file that part of it comes from
};

struct Experiment {
    std::string name;
    std::map<std::string, std::string> notes;
    double gravity_m_s2 = solver::kStandardGravity_m_s2;
    std::string model = "full";                ///< equations of `predict`: a name of model_names()
    std::vector<solver::Specimen> specimens;   ///< empty for kind = "none" and "assembly"
    std::optional<solver::Assembly> assembly;  ///< kind = "assembly": blocks that slide in a basin on the platen
    /// Of the vertical plane in which each specimen rocks, about z from +x; of specimens beyond its end 0.
    std::vector<double> plane_angle_rad;
    std::vector<DrawnFoot> drawn_feet;  ///< of each specimen; of specimens beyond its end nothing was drawn
    Excitation excitation;
    std::optional<double> direction_rad;  ///< of excitation, about z from +x; empty: along table.axis
    std::optional<Excitation>
        excitation_y;                ///< [excitation_y]: axis y has a motion of its own, excitation is of axis x
    Excitation vertical_excitation;  ///< [vertical_excitation], upwards; type "none": the base stays level
    TableSection table;
    SimulationSection simulation;
    UncertaintySection uncertainty;
    solver::ContactDynamics contact_dynamics;  ///< [contact_dynamics]
    solver::MultipleImpact multiple_impact;    ///< [multiple_impact]
    std::optional<CampaignSection> campaign;   ///< [campaign]: many tests of this kind
    std::uint64_t campaign_test = 0;           ///< [campaign_test]: which of them this is, from 1; 0: of no campaign
    std::string text;                          ///< the file as read, copied to the run folder
    std::filesystem::path source;              ///< where it was read from
};

/// Reads and validates. Throws InputError naming file, line, column, key, value and what is allowed.
Experiment read_experiment(const std::filesystem::path& file);
/// Built-in name or path (relative to `beside`). Throws InputError.
TableSection read_machine(const std::string& name_or_path, const std::filesystem::path& beside);
/// The machine description as a machine file.
std::string machine_toml(const firmware_iface::MachineDescription& machine);
/// The whole file: description, calibration and auxiliary channels. Read back, they are the same.
std::string machine_file_toml(const firmware_iface::MachineDescription& machine, const std::vector<AuxChannel>& aux,
                              const std::optional<Calibration>& calibration);

/// Throws InputError if the file asks for what no shaking table does: a vertical motion, or blocks that are set
/// turning.
void require_drivable(const Experiment& experiment);
/// Payload on the platen: mass of all blocks of all specimens or of the assembly.
double payload_kg(const Experiment& experiment) noexcept;
/// Least base acceleration that lifts or, with friction, slides a specimen or a block of the assembly, m/s2; infinity
/// without specimens.
double uplift_threshold_m_s2(const Experiment& experiment);

}  // namespace topple::hil::experiment
