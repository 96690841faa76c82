#include "hil/drive/predictor.hpp"

#include <algorithm>
#include <chrono>

#include "controller/rt/in_memory.hpp"

namespace topple::hil::drive {
namespace {

constexpr std::size_t kQueueCapacity = 4096;  // 8 s of estimates at 500 Hz
constexpr std::size_t kCaughtUp = 10;         // fewer measurements waiting: 20 ms at 500 Hz
constexpr auto kIdle = std::chrono::milliseconds(1);

}  // namespace

Predictor::Predictor(const std::vector<solver::Specimen>& specimens, const solver::BaseMotion& planned,
                     double gravity_m_s2, const ForecastMembers& members)
    : Predictor(specimens, gravity_m_s2, std::vector<PlaneMotion>(specimens.size(), PlaneMotion{planned}), members) {}

Predictor::Predictor(const std::vector<solver::Specimen>& specimens, double gravity_m_s2,
                     const std::vector<PlaneMotion>& planned, const ForecastMembers& members)
    : forecast_(specimens, planned, gravity_m_s2, members), queue_(kQueueCapacity) {
    controller::bring_into_memory(queue_, {});
    publish();
}

Predictor::~Predictor() { stop_thread(); }

void Predictor::start_thread() {
    forecast_.adapt_to_time();
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

bool Predictor::push(const controller::MotionEstimate& estimate, const firmware_iface::Feedback& newest,
                     const controller::MotionEstimate& y) noexcept {
    const MeasuredRotation rotation{newest.device_time_us, newest.rotation_count, newest.rotation_rad};
    if (queue_.push({estimate, y, rotation})) return true;
    dropped_.fetch_add(1, std::memory_order_relaxed);
    return false;
}

void Predictor::work_off() {
    Measured measured;
    while (queue_.pop(measured)) {
        const std::uint64_t start_us = motion_start_us_;
        forecast_.keep(measured.rotation);
        if (start_us == 0 || measured.estimate.device_time_us <= start_us) {
            forecast_.at_rest();
            continue;
        }
        forecast_.follow(measured.estimate, start_us, measured.y);
        if (forecast_.is_due() && queue_.read_available() < kCaughtUp) {
            forecast_.run_ahead();
            offer_ending(start_us);
        }
        publish();
    }
}

void Predictor::offer_ending(std::uint64_t motion_start_us) {
    if (!protection_ || motion_changed_) return;
    switch (offer_.state()) {
        case EndingOffer::State::waiting: break;
        case EndingOffer::State::taken:
            forecast_.change_motion(offer_.ending().ending.profile.motion);
            motion_changed_ = true;
            break;
        case EndingOffer::State::none:
        case EndingOffer::State::refused:
            if (auto chosen = protection_->choose(forecast_, motion_start_us)) offer_.make(std::move(*chosen));
            break;
    }
}

void Predictor::publish() {
    PredictorSnapshot snapshot;
    snapshot.device_time_us = forecast_.newest_us();
    snapshot.forecast_time_us = forecast_.forecast_time_us();
    snapshot.specimen_count = static_cast<std::uint32_t>(std::min(forecast_.specimen_count(), kSpecimensMax));
    std::size_t next = 0;
    for (std::size_t i = 0; i < snapshot.specimen_count; ++i) {
        const ForecastOutcome& outcome = forecast_.outcome(i);
        snapshot.outcome[i] = solver::outcome_code(outcome.outcome);
        snapshot.forecast[i] = outcome.forecast;
        const solver::RockingRun& described = forecast_.as_described(i);
        snapshot.block_count[i] = static_cast<std::uint32_t>(described.block_count());
        for (std::size_t k = 0; k < described.block_count() && next < snapshot.rotation_rad.size(); ++k)
            snapshot.rotation_rad[next++] = described.rotation_rad(k);
    }
    latest_.write(snapshot);
}

}  // namespace topple::hil::drive
