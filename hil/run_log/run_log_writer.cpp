#include "hil/run_log/run_log_writer.hpp"

#include <fmt/format.h>

#include <atomic>
#include <boost/lockfree/spsc_queue.hpp>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "controller/rt/in_memory.hpp"
#include "hil/host/thread_without_signals.hpp"
#include "hil/run_log/log_recorder.hpp"

namespace topple::hil::run_log {

namespace {

using files::LogFile;
using std::chrono::milliseconds;

constexpr milliseconds kDrainPeriod{10};  // how often the queue is emptied: far below a chunk
constexpr milliseconds kSyncPeriod{200};  // a power cut loses at most a chunk more than this
constexpr int kIdleRounds = 25;           // without a record for a quarter second: write the open chunks

enum class Failure : int { none, queue_full, write, sync, memory };

/// What failed first and why, as one value: whoever sees the failure sees its reason.
struct FirstFailure {
    Failure what = Failure::none;
    int error = 0;  ///< errno; 0 = none
};
static_assert(std::atomic<FirstFailure>::is_always_lock_free);

}  // namespace

struct RunLog::Impl {
    Impl(std::unique_ptr<LogFile> log_file, const RunLogOptions& options)
        : file(std::move(log_file)),
          synchronous(options.synchronous),
          queue(synchronous ? 1 : options.queue_records),
          recorder((file->reserve(options.reserve_bytes), *file), options) {
        controller::bring_into_memory(queue, LogSlot{TimingRecord{}});
        if (synchronous) return;
        writer = host::thread_without_signals([this] { drain_until_closed(); });
        syncer = host::thread_without_signals([this] { sync_until_closed(); });
    }

    bool accept(const LogSlot& slot) noexcept {
        if (closed) return false;
        if (synchronous) return record(slot);
        if (queue.push(slot)) return true;
        refused.fetch_add(1, std::memory_order_relaxed);
        latch(Failure::queue_full);
        return false;
    }

    bool record(const LogSlot& slot) noexcept {
        try {
            if (recorder.write(slot)) return true;
            latch(Failure::write);
        } catch (...) {
            latch(Failure::memory);
        }
        return false;
    }

    void flush() noexcept {
        if (!recorder.flush()) latch(Failure::write);
    }

    void latch(Failure what) noexcept {
        FirstFailure none;
        failure.compare_exchange_strong(none, {what, file->last_error()});
    }

    void drain_until_closed() noexcept {
        LogSlot slot{TimingRecord{}};
        for (int idle = 0;;) {
            const bool last = closing.load(std::memory_order_acquire);
            ++idle;
            while (queue.pop(slot)) {
                record(slot);
                idle = 0;
            }
            if (last) return;
            if (idle == kIdleRounds) flush();
            std::this_thread::sleep_for(kDrainPeriod);
        }
    }

    // In a thread of its own: a disk that takes a second to sync must not hold up what a kill -9 would lose.
    void sync_until_closed() noexcept {
        std::uint64_t synced_bytes = file->size_bytes();
        std::unique_lock lock(mutex);
        while (!wake.wait_for(lock, kSyncPeriod, [this] { return closing.load(); })) {
            const std::uint64_t size_bytes = file->size_bytes();
            if (size_bytes != synced_bytes && !file->sync()) latch(Failure::sync);
            synced_bytes = size_bytes;
        }
    }

    void close() noexcept {
        if (closed) return;
        closed = true;
        if (!synchronous) {
            {
                const std::lock_guard lock(mutex);
                closing.store(true, std::memory_order_release);
            }
            wake.notify_all();
            writer.join();
            syncer.join();
        }
        try {
            if (!recorder.finish(refused.load())) latch(Failure::write);
        } catch (...) {
            latch(Failure::memory);
        }
        if (!file->finish()) latch(Failure::sync);
    }

    std::unique_ptr<LogFile> file;
    bool synchronous;
    bool closed = false;
    boost::lockfree::spsc_queue<LogSlot> queue;
    LogRecorder recorder;
    std::atomic<FirstFailure> failure{FirstFailure{}};
    std::atomic<std::uint64_t> refused{0};
    std::atomic<bool> closing{false};
    std::mutex mutex;
    std::condition_variable wake;
    std::thread writer, syncer;
};

RunLog::RunLog(const std::filesystem::path& path, const RunLogOptions& options)
    : RunLog(std::make_unique<LogFile>(path), options) {}
RunLog::RunLog(std::unique_ptr<LogFile> file, const RunLogOptions& options)
    : impl_(std::make_unique<Impl>(std::move(file), options)) {}
RunLog::~RunLog() { close(); }

bool RunLog::push(const firmware_iface::Setpoint& setpoint) noexcept { return impl_->accept(setpoint); }
bool RunLog::push(const firmware_iface::Feedback& feedback) noexcept { return impl_->accept(feedback); }
bool RunLog::push(const PredictionRecord& prediction) noexcept { return impl_->accept(PredictionSlot(prediction)); }
bool RunLog::push(const EventNote& event) noexcept { return impl_->accept(EventSlot(event)); }
bool RunLog::push(const EventRecord& event) noexcept { return impl_->accept(EventSlot(event)); }
bool RunLog::push(const TimingRecord& timing) noexcept { return impl_->accept(timing); }

bool RunLog::failed() const noexcept { return impl_->failure.load().what != Failure::none; }

firmware_iface::Wording RunLog::failure_wording() const noexcept {
    using firmware_iface::Wording;
    const FirstFailure failure = impl_->failure.load();
    const auto with_reason = [&failure](std::string_view what) {
        Wording wording(what);
        return failure.error != 0 ? wording.add(failure.error, firmware_iface::NumberForm::system_error)
                                  : wording.add("no reason given");
    };
    switch (failure.what) {
        case Failure::none: return {};
        case Failure::queue_full: return Wording("the log queue is full: the disk is too slow");
        case Failure::write: return with_reason("the log cannot be written: ");
        case Failure::sync: return with_reason("the log cannot be synced to disk: ");
        case Failure::memory: return Wording("the log ran out of memory");
    }
    return {};
}

void RunLog::close() noexcept { impl_->close(); }

std::size_t log_records_for(double duration_s, double rate_hz, std::size_t specimen_count) noexcept {
    constexpr double kEvents = 1000;  // marks and remarks
    return static_cast<std::size_t>(
        std::ceil(duration_s * rate_hz * static_cast<double>(3 + specimen_count) + kEvents));
}

std::uint64_t log_bytes_for(double duration_s, double rate_hz, std::size_t rotation_count,
                            std::size_t specimen_count) noexcept {
    // Per record: 31 bytes of head, 16 of message index, the message itself; measured by tests/bench/log_bench.cpp.
    const double rotations_bytes = 2.0 * 8.0 * static_cast<double>(rotation_count);
    const double period_bytes =
        480.0 + 8.0 * firmware_iface::kAuxChannelsMax + 75.0 * static_cast<double>(specimen_count) + rotations_bytes;
    constexpr double kHeadAndSummaryBytes = 64.0 * 1024, kMargin = 1.25;
    return static_cast<std::uint64_t>(std::ceil(kMargin * duration_s * rate_hz * period_bytes + kHeadAndSummaryBytes));
}

std::map<std::string, std::string> machine_metadata(const firmware_iface::MachineDescription& machine) {
    std::map<std::string, std::string> metadata{{"machine", machine.name}};
    const auto add = [&](const firmware_iface::AxisDescription& axis, const char* suffix) {
        const auto put = [&](const char* key, auto value) {
            metadata[std::string(key) + suffix] = fmt::format("{}", value);
        };
        put("counts_per_m", axis.counts_per_m);
        put("encoder_sign", axis.encoder_sign);
        put("accelerometer_scale", axis.accelerometer_scale);
        put("accelerometer_sign", axis.accelerometer_sign);
    };
    add(machine, "");
    if (machine.y) add(*machine.y, "_y");
    return metadata;
}

// The accelerometer of a table of one axis has a second direction as well, of the same scale.
SensorScales sensor_scales(const firmware_iface::MachineDescription& machine) noexcept {
    const firmware_iface::AxisDescription &x = machine, &y = machine.y ? *machine.y : x;
    return {x.encoder_sign / x.counts_per_m, x.accelerometer_sign * x.accelerometer_scale,
            y.encoder_sign / y.counts_per_m, y.accelerometer_sign * y.accelerometer_scale};
}

}  // namespace topple::hil::run_log
