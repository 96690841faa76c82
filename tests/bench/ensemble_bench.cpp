// How long an ensemble of predictions takes, from the experiment to the probabilities, along a wave and along a record;
// and the same members step by step. Printed, never asserted.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/plan/ensemble.hpp"
#include "hil/plan/prediction.hpp"
#include "tests/bench/earthquake.hpp"

using namespace topple;
using namespace topple::hil::experiment;
using namespace topple::hil::plan;

namespace {

template <class Call>
double best_ms(int repeats, Call&& call) {
    double best = 1e9;
    for (int i = 0; i < repeats; ++i) {
        const std::clock_t start = std::clock();
        call();
        best = std::min(best, 1e3 * static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC);
    }
    return best;
}

void compare(const char* what, const Experiment& experiment, std::size_t members, int repeats) {
    PredictionRequest request;
    request.ensemble = members;
    request.threads = 1;
    std::size_t alike = 0;
    SpecimenPrediction together;
    const double all_ms = best_ms(repeats, [&] { together = predict_experiment(experiment, request).specimens[0]; });
    const solver::Specimen& specimen = experiment.specimens[0];
    solver::SolverOptions options = solver_options(experiment, "full");
    options.outcome_only = true;
    const double step_ms = best_ms(repeats, [&] {
        alike = 0;
        for (std::size_t i = 0; i < members; ++i) {
            const EnsembleDraw member = draw_member(specimen, experiment.uncertainty, i, MotionIs::planned);
            alike += solver::follow(member.specimen, member.motion(experiment.excitation.planned_motion()), options)
                         .outcome == together.members[i].outcome;
        }
    });
    const double m = static_cast<double>(members);
    std::printf(
        "%-7s %zu members, 1 thread: %.4f ms each of processor time; step by step %.4f ms: %.1f times faster; "
        "%zu outcomes alike\n",
        what, members, all_ms / m, step_ms / m, step_ms / all_ms, alike);
}

}  // namespace

int main() {
    Experiment experiment = read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    compare("sine", experiment, 1000, 5);
    experiment.excitation.motion = bench::earthquake();
    experiment.excitation.table_motion.reset();
    compare("record", experiment, 200, 3);
}
