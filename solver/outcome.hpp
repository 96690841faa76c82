// What became of a specimen, in the words of the field.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace topple::solver {

enum class Outcome { translation, sliding, rocking, overturning, partial_overturning, total_overturning };
inline constexpr double kSlidingSlip_m = 1e-3;  ///< from here on a block without uplift is called sliding
enum class Side { left, right };                ///< right = +x = positive rotation
/// Which lower corner of a block touches: full = both, no relative rotation; none = it flies.
enum class Support { full, left, right, none };

std::string_view name(Outcome outcome) noexcept;  ///< as in files: "translation", ...
std::string_view name(Side side) noexcept;
std::string_view name(Support support) noexcept;
/// True for overturning, partial_overturning and total_overturning.
bool is_overturning(std::optional<Outcome> outcome) noexcept;

/// A solution that failed has no outcome. In words: that of the outcome, or "failed".
std::string_view name(std::optional<Outcome> outcome) noexcept;
/// As a number, where a file or a lock-free record keeps one (0..15): that of the outcome, or kFailedCode.
inline constexpr unsigned kFailedCode = 15;
unsigned outcome_code(std::optional<Outcome> outcome) noexcept;
std::optional<Outcome> outcome_of_code(unsigned code) noexcept;  ///< empty for every number that is no outcome's

/// Rates just before and after one impact at an interface (0 = base), all blocks.
struct Impact {
    double time_s = 0.0;
    std::size_t interface_index = 0;
    std::vector<double> rotation_rate_before_rad_s, rotation_rate_after_rad_s;
    /// Of the mass centres relative to the base, [x, z] per block; only from models with flight.
    std::vector<std::array<double, 2>> centre_velocity_before_m_s{}, centre_velocity_after_m_s{};
    std::optional<std::size_t> face{};  ///< of a foot: on which face; `interface_index` is 0
};

/// A rotation changes its direction.
struct TurningPoint {
    double time_s = 0.0;
    std::size_t block = 0;
    double rotation_rad = 0.0;  ///< absolute, clockwise positive
};

/// One instant of a history; per-block arrays, absolute rotations, clockwise positive.
struct HistorySample {
    double time_s = 0.0;
    double base_acceleration_m_s2 = 0.0;
    std::vector<double> rotation_rad, rotation_rate_rad_s;
    std::vector<Support> support;
    double slip_m = 0.0;  ///< of the foot along +x since the start; 0 in models that do not slide
    std::vector<std::array<double, 2>> centre_m{};  ///< relative to the base, [x, z]; only from models with flight
};

/// How far a foot slid on the base.
struct Slip {
    double peak_m = 0.0;      ///< largest |slip| since the start
    double residual_m = 0.0;  ///< at the end of the run, along +x
};

/// Why a solution is not (fully) valid.
enum class SolverStatus {
    ok,
    event_budget_spent,   ///< more events than allowed: run-away
    step_too_small,       ///< integrator cannot meet its tolerance
    not_finite,           ///< a state became NaN or infinite
    undecided,            ///< still moving when the time allowed was over, and energy does not decide what follows
    contacts_not_solved,  ///< no admissible state of the contacts found at an impact or an opening
};
std::string_view name(SolverStatus status) noexcept;

/// How a run that neither slips nor jumps can ask more of a contact than the contact gives.
enum class Breach {
    pull,  ///< a contact would have to pull: the block above would lift off
    jump,  ///< after an impact or a jump of the base acceleration no support pushes: both corners would lift
    slip,  ///< more friction than the specimen's static friction
};
std::string_view name(Breach breach) noexcept;

/// Where a solution left what its model describes; it continues as if the contact had held.
struct ValidityBreach {
    double time_s = 0.0;
    std::size_t interface_index = 0;  ///< 0 = base
    Breach breach = Breach::pull;
};

/// Resultant of the specimen's contact on the base (what loads the table).
struct BaseReaction {
    double horizontal_n = 0.0;  ///< force of the specimen on the base along +x
    double vertical_n = 0.0;    ///< along +z (negative: it presses down)
};

/// The blocks that still stand, as a load on the base along x. Fallen ones have left with what they had.
struct StandingLoad {
    double mass_kg = 0.0;
    double momentum_kg_m_s = 0.0;       ///< relative to the base, slip included
    double lost_momentum_kg_m_s = 0.0;  ///< relative to the base, with which blocks have fallen off since the start
};

/// What a time-stepping solution has to say about itself.
struct ContactReport {
    std::uint64_t steps = 0, sweeps = 0;
    std::uint64_t unfinished_steps = 0;   ///< whose iteration over the contacts ended at its limit of sweeps
    std::uint64_t energy_gain_steps = 0;  ///< in which Newton's restitution with friction added energy
    double energy_gain_j = 0.0;           ///< by all of them
    std::optional<double> from_s;         ///< it took over here from the rocking model
    /// The same with half the time step; empty if it was not computed.
    struct HalfStep {
        bool is_confirmed = false;         ///< same outcome, direction and fallen blocks; peaks within the tolerance
        double peak_tolerance_rad = 0.0;   ///< largest allowed difference of a peak
        double peak_difference_rad = 0.0;  ///< largest difference of a block's peak rotation
        std::size_t turning_points = 0;    ///< the first so many turning points agree within the tolerance
        std::optional<Outcome> outcome;
    };
    std::optional<HalfStep> half_step;
};

/// The answer to "what will it do?" for one specimen and one base motion.
struct Prediction {
    SolverStatus status = SolverStatus::ok;
    double status_time_s = 0.0;      ///< where it went wrong, if it did: the other results cover the time until then
    std::optional<Outcome> outcome;  ///< empty if status is not ok: a failed solution has no outcome
    std::optional<Side> direction;   ///< of the first block that overturns
    std::vector<std::size_t> blocks_overturned;  ///< in order of falling
    std::optional<double> overturn_time_s;       ///< first |theta| = pi/2
    std::optional<double> settled_time_s;        ///< Zeno limit: all at rest
    std::optional<std::size_t> resting_face;     ///< of a foot at rest in the end: on which face; else empty
    std::vector<double> peak_rotation_rad;       ///< absolute value, per block; NaN: not followed (outcome_only)
    std::optional<Slip> slip;                    ///< only from models that slide
    std::vector<Slip> interface_slip;            ///< per interface; only from contact dynamics
    std::vector<TurningPoint> turning_points;    ///< at most 10,000, in order of time; none with outcome_only
    std::optional<ContactReport> contact;        ///< only from contact dynamics
    std::vector<Impact> impacts;                 ///< until rest, at most SolverOptions::impacts_max
    bool impacts_truncated = false;
    std::vector<double> restitution;     ///< restitution_ratios of the specimen
    std::vector<HistorySample> history;  ///< if asked for
    /// Per interface: largest |friction| / normal force that sticking needed, at impacts too; empty with
    /// outcome_only.
    std::vector<double> friction_demand;
    std::optional<ValidityBreach> left_validity;  ///< the first; never with outcome_only
};

}  // namespace topple::solver
