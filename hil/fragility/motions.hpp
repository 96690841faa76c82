// The motions of a study: how strong each is, and each brought to memory only while it is used.
#pragma once

#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "hil/experiment/fragility.hpp"
#include "solver/options.hpp"
#include "solver/study/record_suite.hpp"

namespace topple::hil::fragility {

/// A measure whose efficiency is compared.
struct Measure {
    std::string name;  ///< "pga", "sa(0.5 s)", ...
    std::string unit;
    bool operator==(const Measure&) const = default;
};

/// What is kept of one motion.
struct StudyMotion {
    experiment::ListedMotion listed;
    std::string format;      ///< of a record: e.g. "PEER AT2"; else the type
    std::string sha256;      ///< of a record's file or a written motion's keys; empty: the wave of [excitation]
    double intensity = 0.0;  ///< as it was read, in the unit of the study's measure; > 0
    double duration_s = 0.0;
    std::vector<double> measures{};  ///< as it was read, in the order of compared_measures()
};

/// pga, pgv, pgd, then sa and sv at each of the section's periods; the study's own measure first if it is none of them.
std::vector<Measure> compared_measures(const experiment::FragilitySection& section);

/// Reads every motion once. Throws InputError listing all that are refused, each with the reason, and for two records
/// of one content.
std::vector<StudyMotion> read_motions(const experiment::Experiment& experiment,
                                      const experiment::FragilitySection& section, unsigned threads);

/// Motions that are being used; any number of threads may ask.
class MotionShelf {
  public:
    MotionShelf(const experiment::Experiment& experiment, const std::vector<StudyMotion>& motions,
                const solver::SolverOptions& options);
    /// Read anew if nobody has it. Throws InputError if it is no longer what was read first.
    std::shared_ptr<const solver::RecordSuite> take(std::size_t motion);

  private:
    const experiment::Experiment& experiment_;
    const std::vector<StudyMotion>& motions_;
    solver::SolverOptions options_;
    std::mutex mutex_;
    std::vector<std::weak_ptr<const solver::RecordSuite>> used_;
    std::shared_ptr<const solver::RecordSuite> last_;  ///< its next chunk is likely to come next
};

}  // namespace topple::hil::fragility
