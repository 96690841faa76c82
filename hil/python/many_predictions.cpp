#include "hil/python/many_predictions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <mutex>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/plan/prediction.hpp"
#include "hil/study/key_axis.hpp"
#include "hil/study/map_grid.hpp"

namespace topple::hil::python {
namespace {

using experiment::Experiment;
using files::InputError;

constexpr std::size_t kTogether = 16;  // points that a thread takes at once

/// Each is there, and no two set the same number.
void require_keys(const study::KeyNumbers& numbers, const std::vector<std::string>& keys) {
    std::vector<study::KeyNumbers::Number> own;
    for (const std::string& key : keys) {
        numbers.require_shape(key);
        own.push_back({key, numbers.own(key)});
    }
    numbers.text_with(own);
}

ManyPredictions empty_predictions(std::size_t count, std::size_t block_count) {
    const double nan = std::nan("");
    ManyPredictions all;
    all.outcome.assign(count, kNoOutcome);
    all.direction.assign(count, 0);
    all.block_count = block_count;
    all.peak_rotation_rad.assign(count * block_count, nan);
    all.overturn_time_s.assign(count, nan);
    all.settled_time_s.assign(count, nan);
    all.is_refused.assign(count, 0);
    return all;
}

void keep(const solver::Prediction& prediction, std::size_t point, ManyPredictions& all) {
    if (prediction.outcome) all.outcome[point] = static_cast<std::int8_t>(solver::outcome_code(prediction.outcome));
    if (prediction.direction) all.direction[point] = prediction.direction == solver::Side::left ? -1 : 1;
    const std::size_t blocks = std::min(all.block_count, prediction.peak_rotation_rad.size());
    std::copy_n(prediction.peak_rotation_rad.begin(), blocks,
                all.peak_rotation_rad.begin() + static_cast<std::ptrdiff_t>(point * all.block_count));
    if (prediction.overturn_time_s) all.overturn_time_s[point] = *prediction.overturn_time_s;
    if (prediction.settled_time_s) all.settled_time_s[point] = *prediction.settled_time_s;
}

}  // namespace

ManyPredictions predict_many(const Experiment& experiment, const ManyRequest& request, const std::atomic<bool>& stop) {
    if (request.specimen >= experiment.specimens.size())
        throw InputError(fmt::format("{}: specimen {}: there are {}, counted from 0", experiment.source.string(),
                                     request.specimen, experiment.specimens.size()));
    const study::KeyNumbers numbers(experiment);
    require_keys(numbers, request.keys);
    ManyPredictions all = empty_predictions(request.count, experiment.specimens[request.specimen].blocks.size());
    std::mutex first_mutex;
    std::size_t first_refused = request.count;
    const auto predict_point = [&](std::size_t point) {
        std::vector<study::KeyNumbers::Number> here;
        for (std::size_t key = 0; key < request.keys.size(); ++key)
            here.push_back({request.keys[key], request.values[key][point]});
        try {
            for (const auto& number : here)
                if (!std::isfinite(number.value)) throw InputError(fmt::format("{} = {}", number.key, number.value));
            const Experiment one =
                experiment::read_experiment_text(numbers.text_with(here), experiment.source, request.model);
            keep(plan::predict_specimen(one, request.specimen, request.model, request.outcome_only), point, all);
        } catch (const InputError& error) {
            all.is_refused[point] = 1;
            const std::lock_guard lock(first_mutex);
            if (point >= first_refused) return;
            first_refused = point;
            all.first_refusal = fmt::format("point {}: {}", point, error.what());
        }
    };
    study::share_out((request.count + kTogether - 1) / kTogether, {request.threads, &stop, {}}, [&](std::size_t lot) {
        const std::size_t end = std::min((lot + 1) * kTogether, request.count);
        for (std::size_t point = lot * kTogether; point < end && !stop; ++point) predict_point(point);
    });
    return all;
}

}  // namespace topple::hil::python
