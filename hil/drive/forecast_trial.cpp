#include "hil/drive/forecast_trial.hpp"

#include "solver/run.hpp"

namespace topple::hil::drive {
namespace {

constexpr std::uint64_t kStart_us = 1'000'000, kPeriod_us = 2000;

/// The specimen that stands there, under its sensors.
class SensedSpecimen {
  public:
    SensedSpecimen(const solver::Specimen& specimen, const ForecastTrial& trial)
        : run_(specimen, options(trial.gravity_m_s2)),
          motion_(trial.achieved),
          noise_rad_(trial.rotation_noise_rad),
          random_(trial.noise_seed) {}

    void advance(double until_s) {
        for (const solver::MotionPiece& piece : motion_.pieces())
            if (piece.end_s > run_.time_s() && piece.start_s < until_s) run_.advance(piece, until_s);
        run_.coast(until_s);
    }
    MeasuredRotation read(std::uint64_t device_time_us) {
        MeasuredRotation read;
        read.device_time_us = device_time_us;
        read.count = run_.block_count();
        for (std::size_t k = 0; k < read.count; ++k)
            read.rotation_rad[k] = run_.rotation_rad(k) + noise_rad_ * solver::normal_pair(random_)[0];
        return read;
    }

  private:
    static solver::SolverOptions options(double gravity_m_s2) {
        solver::SolverOptions options;
        options.gravity_m_s2 = gravity_m_s2;
        options.impacts_max = 0;
        return options;
    }

    solver::RockingRun run_;
    const solver::BaseMotion& motion_;
    double noise_rad_;
    solver::SplitMix64 random_;
};

}  // namespace

ForecastOutcome forecast_at(const ForecastTrial& trial, double time_s) {
    LiveForecast live({trial.described}, trial.planned, trial.gravity_m_s2, trial.members);
    std::optional<SensedSpecimen> sensed;
    if (trial.standing) {
        sensed.emplace(*trial.standing, trial);
        for (std::uint64_t i = 64; i > 0; --i) {
            live.keep(sensed->read(kStart_us - i * kPeriod_us));
            live.at_rest();
        }
    }
    const auto end_us = kStart_us + static_cast<std::uint64_t>(time_s * 1e6);
    for (std::uint64_t t = kStart_us + kPeriod_us; t <= end_us; t += kPeriod_us) {
        const double now_s = static_cast<double>(t - kStart_us) * 1e-6;
        if (sensed) {
            sensed->advance(now_s);
            live.keep(sensed->read(t));
        }
        const solver::BaseState base = trial.achieved.before(now_s);
        live.follow({t, base.displacement_m, base.velocity_m_s, base.acceleration_m_s2}, kStart_us);
    }
    live.run_ahead();
    return live.outcome(0);
}

}  // namespace topple::hil::drive
