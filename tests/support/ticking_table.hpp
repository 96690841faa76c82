// A whole test in one process as it runs in real time: tick in this thread, log and predictor in theirs; only the
// clock is stepped, so that nothing waits.
#pragma once

#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>

#include "controller/profile/profile.hpp"
#include "hil/drive/open_table.hpp"
#include "hil/drive/run_plan.hpp"
#include "hil/drive/tick.hpp"
#include "tests/support/heap_counter.hpp"

namespace topple::tests {

/// Time moves only by sleeping, as on a virtual clock, but host threads behave as on a real one. What the simulated
/// table takes, memory and time, is kept apart from what the host takes.
class SteppedClock final : public firmware_iface::Clock {
  public:
    firmware_iface::Nanoseconds now() const noexcept override { return now_; }
    void sleep_until(firmware_iface::Nanoseconds deadline) override {
        if (deadline <= now_) return;
        now_ = deadline;
        const std::uint64_t before = test::heap_allocations_of_this_thread();
        const auto start = std::chrono::steady_clock::now();
        if (table != nullptr) table->advance_to(now_);
        table_busy += std::chrono::steady_clock::now() - start;
        table_allocations += test::heap_allocations_of_this_thread() - before;
    }
    bool is_virtual() const noexcept override { return false; }

    hil::sim_table::SimulatedTable* table = nullptr;
    std::size_t table_allocations = 0;
    std::chrono::steady_clock::duration table_busy{0};  ///< wall time spent in the simulated table

  private:
    firmware_iface::Nanoseconds now_{0};
};

/// Connected, armed and about to begin the experiment's motion. Ticks come from the caller.
class TickingTable {
  public:
    /// `observer`: of the log.
    TickingTable(const hil::experiment::Experiment& experiment, const std::filesystem::path& log_file,
                 hil::run_log::RecordObserver observer = {});
    ~TickingTable() { predictor_.stop_thread(); }

    /// Starts the motion; the next ticks make it.
    void begin();
    void tick() { tick_.step(supervisor_.get()); }
    SteppedClock& clock() noexcept { return clock_; }
    const controller::Supervisor& supervisor() const noexcept { return *supervisor_; }
    hil::run_log::RunLog& log() noexcept { return log_; }
    const hil::drive::Predictor& predictor() const noexcept { return predictor_; }

  private:
    static std::unique_ptr<firmware_iface::ByteStream> make_table(
        std::unique_ptr<hil::sim_table::SimulatedTable>& table, const hil::experiment::Experiment& experiment);
    static hil::run_log::RunLogOptions log_options(hil::run_log::RecordObserver observer);

    SteppedClock clock_;
    std::unique_ptr<hil::sim_table::SimulatedTable> table_;
    hil::drive::RunPlan plan_;
    firmware_iface::TableLink link_;
    hil::run_log::RunLog log_;
    hil::drive::Predictor predictor_;
    controller::MotionEstimator estimator_;
    std::atomic<bool> stop_{false};
    firmware_iface::MachineDescription machine_;
    hil::drive::Tick tick_;
    std::unique_ptr<controller::Supervisor> supervisor_;
};

}  // namespace topple::tests
