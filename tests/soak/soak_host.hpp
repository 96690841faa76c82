// The host of a soak: the tick of a test on a real wire, motion after motion in one session, for as long as wanted.
#pragma once

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "controller/profile/profile.hpp"
#include "controller/supervisor.hpp"
#include "hil/drive/tick.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::tests {

/// What the host alone can tell; the rest is in the log.
struct SoakCounts {
    std::uint64_t ticks = 0;
    std::uint64_t motions = 0;
    std::uint64_t stops = 0;  ///< motions ended because host or table were held up: queue_underrun, host_lost, silence
    std::uint64_t tick_allocations = 0;  ///< in ticks, after the first motion
    firmware_iface::LinkStatistics link;
    std::string log_failure;  ///< empty if nothing of the log is missing
    std::string failure;      ///< why it ended early; empty if it did not
    std::string thread;       ///< scheduling that the tick obtained
};

class SoakHost {
  public:
    /// Connects. Throws DeviceError.
    SoakHost(const hil::experiment::Experiment& experiment, const std::string& device_uri,
             const std::filesystem::path& log_file, double duration_s);

    /// Repeats the experiment's motion until `duration_s` of device time have passed, in the calling thread, with
    /// real-time scheduling as far as the system grants it.
    SoakCounts run();

  private:
    void motion();
    void follow(controller::Supervisor& supervisor);
    void clear_stop(const controller::Supervisor& supervisor);
    void tick(controller::Supervisor* supervisor);
    std::uint64_t now_us() const noexcept { return tick_.newest().device_time_us; }

    double duration_s_;
    firmware_iface::MonotonicClock clock_;
    std::atomic<bool> stop_{false};
    controller::Profile profile_;
    firmware_iface::MachineDescription machine_;
    firmware_iface::TableLink link_;
    hil::run_log::RunLog log_;
    hil::drive::Predictor predictor_;  // of no specimen: this is about the wire
    controller::MotionEstimator estimator_;
    std::uint32_t period_us_;
    hil::drive::Tick tick_;
    SoakCounts counts_;
};

}  // namespace topple::tests
