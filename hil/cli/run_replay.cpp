#include "hil/cli/run_replay.hpp"

#include <fmt/format.h>

#include <string_view>

#include "hil/cli/signals.hpp"
#include "hil/drive/replay.hpp"
#include "hil/files/errors.hpp"
#include "hil/text/tell.hpp"

namespace topple::hil::cli {
namespace {

using text::print_out;

void print_replay(const drive::ReplayOptions& options, const drive::Replayed& result) {
    print_out("replay      {}: {} feedbacks, {:.2f} s{}; nothing was driven\n", options.run.string(), result.feedback,
              result.duration_s, result.stopped ? ", stopped by the operator" : "");
    if (result.predictions == 0) return print_out("predictions none was logged\n");
    print_out("predictions {} of {} as logged: {}\n", result.predictions_equal, result.predictions,
              result.is_lockstep ? "device times, ages, rotations, outcomes and probabilities, every bit"
                                 : "device times and rotations, every bit");
    if (!result.is_lockstep)
        print_out(
            "            probabilities differ by up to {:.1f} %: in the test the computer's time decided how many "
            "members there were\n",
            100.0 * result.probability_difference);
    if (!result.first_difference.empty()) print_out("            the first other one: {}\n", result.first_difference);
}

}  // namespace

void run_replay(const experiment::Experiment& experiment, const std::string& device, std::optional<double> speed,
                LiveShow& live) {
    drive::DriveOptions watched;
    watched.pace = speed;
    live.watch(watched);  // at the speed of the test, unless another is asked for
    drive::ReplayOptions options;
    options.run = device.substr(std::string_view(kReplay).size());
    if (options.run.empty()) throw files::InputError("--device replay:RUN: the folder of a run is missing");
    options.pace = watched.pace;
    options.watch = watched.watch;
    options.warn = [](const std::string& warning) { text::tell("topple: {}\n", warning); };
    print_replay(options, drive::replay(experiment, options, stop_on_signals()));
}

}  // namespace topple::hil::cli
