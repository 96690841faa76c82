// How long an ensemble of predictions takes, from the experiment to the probabilities. Printed, never
// asserted.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "hil/experiment.hpp"
#include "hil/prediction.hpp"

int main() {
    using namespace topple::hil;
    const Experiment experiment = read_experiment(TOPPLE_SOURCE_DIR "/docs/examples/b6l_sine.toml");
    for (const unsigned threads : {1u, std::max(1u, std::thread::hardware_concurrency())}) {
        PredictionRequest request;
        request.ensemble = 1000;
        request.threads = threads;
        double best_ms = 1e9;
        std::size_t members = 0;
        for (int repeat = 0; repeat < 20; ++repeat) {
            const auto start = std::chrono::steady_clock::now();
            members = predict_experiment(experiment, request).specimens[0].members.size();
            const std::chrono::duration<double, std::milli> spent = std::chrono::steady_clock::now() - start;
            best_ms = std::min(best_ms, spent.count());
        }
        std::printf("%zu members, single sine, %u threads   %8.2f ms (best of 20)\n", members, threads,
                    best_ms);
    }
}
