#include "hil/drive/predictor.hpp"

#include <algorithm>
#include <chrono>

#include "controller/rt/in_memory.hpp"

namespace topple::hil::drive {
namespace {

constexpr std::size_t kQueueCapacity = 4096;    // 8 s of estimates at 500 Hz
constexpr unsigned kEstimatesPerForecast = 10;  // 20 ms at 500 Hz: what an eye can follow
constexpr auto kIdle = std::chrono::milliseconds(1);
constexpr double kSettleLimit_s = 60.0;  // as for `predict`: decided at rest or this long after the excitation

solver::SolverOptions forecast_options(double gravity_m_s2) {
    solver::SolverOptions options;
    options.gravity_m_s2 = gravity_m_s2;
    options.outcome_only = true;
    options.impacts_max = 0;
    return options;
}

}  // namespace

Predictor::Predictor(const std::vector<solver::Specimen>& specimens, solver::BaseMotion planned, double gravity_m_s2)
    : planned_(std::move(planned)), outcome_(specimens.size(), 0), queue_(kQueueCapacity) {
    for (const auto& specimen : specimens) present_.emplace_back(specimen, forecast_options(gravity_m_s2));
    controller::bring_into_memory(queue_, {});
    publish();
}

Predictor::~Predictor() { stop_thread(); }

void Predictor::start_thread() {
    thread_ = std::thread([this] {
        while (!stop_.load(std::memory_order_relaxed)) {
            work_off();
            std::this_thread::sleep_for(kIdle);
        }
    });
}

void Predictor::stop_thread() noexcept {
    stop_.store(true, std::memory_order_relaxed);
    if (thread_.joinable()) thread_.join();
}

bool Predictor::push(const controller::MotionEstimate& estimate) noexcept {
    if (queue_.push(estimate)) return true;
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return false;
}

void Predictor::work_off() {
    controller::MotionEstimate estimate;
    while (queue_.pop(estimate)) {
        const std::uint64_t start_us = motion_start_us_;
        if (start_us == 0 || estimate.device_time_us <= start_us) continue;
        follow(estimate);
        const bool is_up_to_date = queue_.read_available() < kEstimatesPerForecast;
        const bool is_due = ++since_forecast_ >= kEstimatesPerForecast || forecast_time_us_ == 0;
        if (is_due && is_up_to_date) forecast();
        publish();
    }
}

// Between two estimates the base acceleration is taken as a straight line.
void Predictor::follow(const controller::MotionEstimate& estimate) {
    const std::uint64_t start_us = motion_start_us_;
    const double from_s = newest_us_ == 0 ? 0.0 : static_cast<double>(newest_us_ - start_us) * 1e-6;
    const double to_s = static_cast<double>(estimate.device_time_us - start_us) * 1e-6;
    if (to_s <= from_s) return;
    const double from_m_s2 = newest_us_ == 0 ? estimate.acceleration_m_s2 : newest_acceleration_m_s2_;
    solver::MotionPiece piece;
    piece.start_s = from_s;
    piece.end_s = to_s;
    piece.polynomial = {from_m_s2, (estimate.acceleration_m_s2 - from_m_s2) / (to_s - from_s), 0.0, 0.0};
    for (auto& run : present_) run.advance(piece, to_s);
    newest_us_ = estimate.device_time_us;
    newest_acceleration_m_s2_ = estimate.acceleration_m_s2;
}

// The rest of the planned motion, then constant velocity, from the present state as the solver sees it.
void Predictor::forecast() {
    since_forecast_ = 0;
    forecast_time_us_ = newest_us_;
    for (std::size_t i = 0; i < present_.size(); ++i) {
        solver::RockingRun future = present_[i];
        for (const auto& piece : planned_.pieces())
            if (piece.end_s > future.time_s()) future.advance(piece, piece.end_s);
        future.settle(std::max(planned_.end_s(), future.time_s()) + kSettleLimit_s);
        outcome_[i] = solver::outcome_code(future.result().outcome);
    }
}

void Predictor::publish() {
    PredictorSnapshot snapshot;
    snapshot.device_time_us = newest_us_;
    snapshot.forecast_time_us = forecast_time_us_;
    snapshot.specimen_count = static_cast<std::uint32_t>(std::min(present_.size(), kSpecimensMax));
    std::size_t next = 0;
    for (std::size_t i = 0; i < snapshot.specimen_count; ++i) {
        snapshot.outcome[i] = outcome_[i];
        snapshot.block_count[i] = static_cast<std::uint32_t>(present_[i].block_count());
        for (std::size_t k = 0; k < present_[i].block_count() && next < snapshot.rotation_rad.size(); ++k)
            snapshot.rotation_rad[next++] = present_[i].rotation_rad(k);
    }
    latest_.write(snapshot);
}

}  // namespace topple::hil::drive
