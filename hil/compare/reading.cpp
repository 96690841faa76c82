#include "hil/compare/reading.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "hil/signal/statistics.hpp"
#include "solver/numerics/random_sequence.hpp"

namespace topple::hil::compare {
namespace {

using solver::Outcome;
using Kind = Quantity::Kind;

std::vector<Quantity> quantities_of(const ComparisonContext& context) {
    std::vector<Quantity> list;
    if (!rotation_is_complete(context.measured)) return list;
    const std::size_t blocks = context.specimen.blocks.size();
    for (std::size_t block = 0; block < blocks; ++block) list.push_back({Kind::peak, block});
    for (std::size_t i = 0; blocks == 1 && i < kImpactsCompared; ++i) list.push_back({Kind::impact_time, i});
    list.push_back({Kind::overturning_time, 0});
    if (blocks == 1) list.push_back({Kind::restitution, 0});
    list.push_back({Kind::history, 0});
    return list;
}

// Side of the first excursion of a predicted history that the sensors can distinguish from rest.
std::optional<solver::Side> first_side(const PredictedRotation& predicted, const ComparisonContext& context) {
    const SpecimenMeasurement& measured = context.measured;
    const signal::EvenGrid& grid = measured.grid;
    for (std::size_t i = 0; i < grid.count; ++i)
        for (std::size_t block = 0; block < predicted.filtered_rad.size(); ++block) {
            const double threshold_rad =
                block < measured.blocks.size() ? measured.blocks[block].threshold_rad : kRotationFloor_rad;
            const double rotation_rad = predicted.filtered_rad[block][i];
            if (grid.time_s(i) >= 0.0 && std::abs(rotation_rad) > threshold_rad)
                return rotation_rad > 0.0 ? solver::Side::right : solver::Side::left;
        }
    return std::nullopt;
}

bool has_fallen(const std::vector<std::size_t>& fallen, std::size_t block) {
    return std::find(fallen.begin(), fallen.end(), block) != fallen.end();
}

}  // namespace

std::string name(const Quantity& quantity) {
    switch (quantity.kind) {
        case Kind::peak: return fmt::format("peak rotation of block {}", quantity.index);
        case Kind::impact_time: return fmt::format("time of impact {}", quantity.index + 1);
        case Kind::overturning_time: return "time of overturning";
        case Kind::restitution: return "apparent restitution";
        case Kind::history: return "rotation history";
    }
    return {};
}

std::string_view unit(const Quantity& quantity) noexcept {
    switch (quantity.kind) {
        case Kind::peak: return "rad";
        case Kind::impact_time: return "s";
        case Kind::overturning_time: return "s";
        case Kind::restitution: return "";
        case Kind::history: return "";
    }
    return "";
}

ReadingRule::ReadingRule(const ComparisonContext& context, const PredictedRotation& nominal,
                         const ReadingErrors& errors)
    : context_(context), nominal_(nominal), errors_(errors), quantities_(quantities_of(context)) {
    if (quantities_.empty()) return;
    for (const BlockMeasurement& block : context.measured.blocks)
        noise_rad_ = std::max(noise_rad_, block.sensor_noise_rad);
    if (const auto restitution = statistics_of(context.measured, context).restitution)
        restitution_error_ = std::max(restitution_error_, restitution->standard_error);
    const signal::EvenGrid& grid = context.measured.grid;
    const std::vector<double> impact_s = statistics_of(nominal, context).impact_s;
    history_until_s_ = impact_s.empty() ? grid.end_s() : impact_s[std::min(impact_s.size(), kImpactsCompared) - 1];
    for (const BlockMeasurement& block : context.measured.blocks)  // a camera may end before the record does
        if (!block.fallen_s) history_until_s_ = std::min(history_until_s_, block.last_reading_s);
    for (const std::vector<double>& block : nominal.filtered_rad)
        history_level_rad_ = std::max(history_level_rad_,
                                      signal::root_mean_square(within(grid.times_s(), block, 0.0, history_until_s_)));
}

// A mark of overturning says nothing of how many blocks fell.
Outcome ReadingRule::as_read(const solver::Prediction& predicted) const {
    const SpecimenMeasurement& measured = context_.measured;
    const Outcome outcome = *predicted.outcome;
    if (measured.source == MeasurementSource::operator_mark)
        return is_overturning(outcome) && measured.outcome == Outcome::overturning ? Outcome::overturning : outcome;
    if (outcome == Outcome::sliding) return Outcome::translation;
    if (outcome != Outcome::rocking || predicted.peak_rotation_rad.size() != measured.blocks.size()) return outcome;
    for (std::size_t block = 0; block < measured.blocks.size(); ++block)
        if (predicted.peak_rotation_rad[block] > measured.blocks[block].threshold_rad) return outcome;
    return Outcome::translation;
}

std::optional<double> ReadingRule::history_distance(const std::vector<std::vector<double>>& filtered_rad) const {
    if (is_overturning(nominal_.prediction.outcome)) return std::nullopt;
    return history_difference(context_.measured.grid, nominal_.filtered_rad, filtered_rad, history_until_s_).ratio;
}

// `predicted` is null for the measurement.
Reading ReadingRule::of_statistics(const RotationStatistics& statistics, const solver::Prediction* predicted) const {
    Reading reading;
    const SpecimenMeasurement& measured = context_.measured;
    reading.outcome = predicted ? std::optional(as_read(*predicted)) : measured.outcome;
    const bool falls = reading.outcome && is_overturning(*reading.outcome);
    const auto& fallen = predicted ? predicted->blocks_overturned : measured.blocks_overturned;
    for (const Quantity& quantity : quantities_) {
        std::optional<double> value;
        const std::size_t i = quantity.index;
        if (quantity.kind == Kind::peak && i < statistics.peak_rad.size() && !has_fallen(fallen, i) &&
            reading.outcome != Outcome::translation)
            value = statistics.peak_rad[i];
        if (quantity.kind == Kind::impact_time && !falls && i < statistics.impact_s.size())
            value = statistics.impact_s[i];
        if (quantity.kind == Kind::overturning_time) value = statistics.overturn_s;
        if (quantity.kind == Kind::restitution && statistics.restitution) value = statistics.restitution->ratio;
        reading.value.push_back(value);
    }
    return reading;
}

Reading ReadingRule::of_prediction(const PredictedRotation& predicted) const {
    Reading reading;
    if (!predicted.prediction.outcome) return reading;
    if (quantities_.empty()) {
        reading.outcome = as_read(predicted.prediction);
    } else {
        reading = of_statistics(statistics_of(predicted, context_), &predicted.prediction);
        if (reading.outcome == Outcome::rocking && as_read(nominal_.prediction) == Outcome::rocking)
            reading.value.back() = history_distance(predicted.filtered_rad);
    }
    reading.side = is_overturning(*reading.outcome) ? predicted.prediction.direction : first_side(predicted, context_);
    if (reading.outcome == Outcome::translation) reading.side.reset();
    return reading;
}

Reading ReadingRule::measured() const {
    Reading reading;
    const SpecimenMeasurement& measured = context_.measured;
    reading.outcome = measured.outcome;
    if (!quantities_.empty()) {
        reading = of_statistics(statistics_of(measured, context_), nullptr);
        std::vector<std::vector<double>> filtered_rad;
        for (const BlockMeasurement& block : measured.blocks) filtered_rad.push_back(block.filtered_rad);
        if (reading.outcome == Outcome::rocking && as_read(nominal_.prediction) == Outcome::rocking)
            reading.value.back() = history_distance(filtered_rad);
    }
    reading.side = measured.side;
    return reading;
}

double ReadingRule::error_of(const Quantity& quantity, double value) const {
    switch (quantity.kind) {
        case Kind::peak: return std::hypot(noise_rad_, errors_.peak_ratio * value);
        case Kind::impact_time: return errors_.time_s;
        case Kind::overturning_time: return errors_.overturning_time_s;
        case Kind::restitution: return restitution_error_;
        case Kind::history:
            return std::hypot(errors_.history_ratio, history_level_rad_ > 0.0 ? noise_rad_ / history_level_rad_ : 0.0);
    }
    return 0.0;
}

Reading ReadingRule::member(const PredictedRotation& predicted, std::uint64_t seed) const {
    Reading reading = of_prediction(predicted);
    solver::SplitMix64 random(seed);
    for (std::size_t q = 0; q < quantities_.size(); ++q) {
        const double drawn = solver::normal_pair(random)[0];
        if (q >= reading.value.size() || !reading.value[q]) continue;
        double& value = *reading.value[q];
        const double error = drawn * error_of(quantities_[q], value);
        value = quantities_[q].kind == Kind::history ? std::hypot(value, error) : value + error;
    }
    return reading;
}

bool rotation_is_complete(const SpecimenMeasurement& measured) {
    return measured.has_rotation() &&
           std::none_of(measured.blocks.begin(), measured.blocks.end(),
                        [](const BlockMeasurement& block) { return block.gaps.longest_gap_s > kSensorLost_s; });
}

}  // namespace topple::hil::compare
