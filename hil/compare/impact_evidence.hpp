// What impacts found by the sensors say of a specimen, beside its rotation sensor and the operator's eye.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "hil/compare/measured.hpp"
#include "hil/compare/platen_impacts.hpp"
#include "solver/outcome.hpp"
#include "solver/specimen.hpp"

namespace topple::hil::compare {

inline constexpr double kNoReturnSpike_ratio =
    2.5;                                         ///< last spike per threshold: a series that dies away goes on below
inline constexpr double kNoReturnQuiet_s = 1.0;  ///< and nothing for so long after it
inline constexpr double kSameImpact_s = 0.006;   ///< a spike and a crossing nearer than this are one impact

/// An impact as the model expects the platen to feel it.
struct ExpectedSpike {
    double time_s = 0.0;
    double height_m_s2 = 0.0;  ///< of a sample on the average, >= 0
};

/// The momentum along x that an impact takes from the specimen gives the platen a jump of velocity; a sample on the
/// average shows this jump over its period. `mass_kg`: platen with all specimens.
std::vector<ExpectedSpike> expected_spikes(const solver::Specimen& specimen, const solver::Prediction& prediction,
                                           double mass_kg, double sample_s);

/// The same of a single block that was lifted by half of its slenderness; 0 for others.
double typical_spike_m_s2(const solver::Specimen& specimen, double gravity_m_s2, double mass_kg, double sample_s);

struct ImpactEvidence {
    std::string not_visible = "not looked for";  ///< why the accelerometer shows nothing of this specimen; else empty
    double expected_m_s2 = 0.0;                  ///< highest expected spike over a still platen; 0: not known
    std::vector<double> platen_s;                ///< times of the spikes; empty where they are not visible
    std::vector<double> rotation_s;              ///< times of the crossings of a single block's rotation sensor
    bool has_rotation = false;
    std::size_t matched = 0;                  ///< spikes with a crossing beside them
    std::optional<solver::Outcome> inferred;  ///< from the spikes alone
    std::string inference;                    ///< why, in words
    std::vector<std::string> contradictions;  ///< between spikes, rotation sensor and operator
};

/// The outcome that the spikes alone suggest, with the reason.
struct Inference {
    std::optional<solver::Outcome> outcome;
    std::string reason;
};
Inference infer_outcome(const PlatenImpacts& platen, double record_end_s);

/// `typical_m_s2`: where no impact is expected over a still platen. `specimens`: how many stand on the platen; it
/// cannot tell whose impact it feels.
ImpactEvidence gather_impacts(const PlatenImpacts& platen, const std::vector<ExpectedSpike>& expected,
                              double typical_m_s2, const SpecimenMeasurement& measured,
                              const std::vector<double>& rotation_s, std::size_t specimens);

}  // namespace topple::hil::compare
