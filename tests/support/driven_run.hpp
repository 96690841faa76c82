// A whole test driven on a simulated table in lockstep, with a host that may stall and a table that may fail.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <memory>

#include "firmware_iface/transport/byte_stream.hpp"
#include "hil/drive/motion_driver.hpp"
#include "hil/experiment/experiment.hpp"
#include "hil/sim_table/simulated_table.hpp"

namespace topple::tests {

/// Time that moves only by sleeping: the table lives on while the host sleeps, and while it oversleeps.
class OversleepingClock final : public firmware_iface::Clock {
  public:
    firmware_iface::Nanoseconds now() const noexcept override { return now_; }
    void sleep_until(firmware_iface::Nanoseconds deadline) override;
    bool is_virtual() const noexcept override { return !host_has_threads; }

    /// How much longer than asked the host sleeps, given the table's device time. Called at every sleep.
    std::function<firmware_iface::Nanoseconds(std::uint64_t device_time_us)> oversleep;
    std::function<void()> woken;                 ///< called after every sleep
    bool host_has_threads = false;               ///< they behave as on a real clock
    firmware_iface::Nanoseconds device_step{0};  ///< by which the device's clock is ahead of where it began
    hil::sim_table::SimulatedTable* table = nullptr;

  private:
    firmware_iface::Nanoseconds now_{0};
};

class DrivenRun {
  public:
    using Wire =
        std::function<std::unique_ptr<firmware_iface::ByteStream>(std::unique_ptr<firmware_iface::ByteStream>)>;
    /// In lockstep, or with log and predictor in threads of their own as in real time.
    enum class Host { lockstep, threads };
    /// `wire`: put between host and table; may be empty.
    DrivenRun(const hil::experiment::Experiment& experiment, const std::filesystem::path& folder,
              const hil::sim_table::SimulatedTableOptions& options = {}, const Wire& wire = {},
              Host host = Host::lockstep);
    ~DrivenRun();

    /// Drives the test to its end and closes the log, which is folder/run.mcap.
    hil::drive::DriveResult run();
    std::function<void()> driven;  ///< called after the last tick, before anything is put into words
    OversleepingClock& clock() noexcept { return clock_; }
    hil::sim_table::SimulatedTable& table() noexcept { return *table_; }
    std::atomic<bool>& stop_requested() noexcept { return stop_requested_; }
    const hil::drive::FlightRecorder& flight() const noexcept { return driver_->flight(); }

  private:
    OversleepingClock clock_;
    std::unique_ptr<hil::sim_table::SimulatedTable> table_;
    std::unique_ptr<firmware_iface::TableLink> link_;
    hil::drive::RunPlan plan_;
    std::unique_ptr<hil::run_log::RunLog> log_;
    std::unique_ptr<hil::drive::Predictor> predictor_;
    controller::MotionEstimator estimator_;
    std::atomic<bool> stop_requested_{false};
    std::unique_ptr<hil::drive::MotionDriver> driver_;
};

}  // namespace topple::tests
