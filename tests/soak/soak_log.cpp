#include "tests/soak/soak_log.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/log_codec.hpp"

namespace topple::tests {
namespace {

struct Instant {
    std::uint64_t device_time_us;
    double position_m;
};

class Reader final : public hil::mcap::Visitor {
  public:
    Reader(SoakLog& log, std::uint64_t period_us) : log_(log), period_us_(period_us) {}

    std::string on_message(const hil::mcap::Channel& channel, const hil::mcap::MessageView& message) override {
        auto wrong = codec_.decode(channel.topic, message.data, records_);
        for (const auto& feedback : records_.feedback) take(feedback);
        for (const auto& timing : records_.timing) take(timing);
        for (const auto& setpoint : records_.setpoints)
            sent_.push_back({setpoint.device_time_us, setpoint.axes[0].position_m});
        records_.feedback.clear();
        records_.timing.clear();
        records_.setpoints.clear();
        return wrong;
    }

    /// Chunks of setpoints and of feedback do not alternate strictly: compared at the end.
    void compare() {
        log_.setpoints = sent_.size();
        auto said = interpolated_.begin();
        for (const Instant& sent : sent_) {
            while (said != interpolated_.end() && said->device_time_us < sent.device_time_us) ++said;
            if (said == interpolated_.end() || said->device_time_us != sent.device_time_us) continue;
            ++log_.setpoints_followed;
            log_.setpoint_error_m = std::max(log_.setpoint_error_m, std::abs(said->position_m - sent.position_m));
        }
        log_.device_s = 1e-6 * static_cast<double>(last_us_ - first_us_);
    }

  private:
    void take(const firmware_iface::Feedback& feedback) {
        ++log_.feedback;
        if (log_.feedback == 1) {
            first_us_ = feedback.device_time_us;
        } else if (feedback.device_time_us <= last_us_) {
            ++log_.feedback_repeated;
        } else {
            log_.feedback_missing += (feedback.device_time_us - last_us_ + period_us_ - 1) / period_us_ - 1;
        }
        last_us_ = feedback.device_time_us;
        if (feedback.state == firmware_iface::DeviceState::running)
            interpolated_.push_back({feedback.device_time_us, feedback.axes[0].setpoint_position_m});
    }
    void take(const hil::run_log::TimingRecord& timing) {
        ++log_.cycles;
        log_.cycles_missed += timing.cycles_missed;
        log_.busy_max_s = std::max(log_.busy_max_s, 1e-9 * static_cast<double>(timing.busy_ns));
        log_.wake_late_max_s = std::max(log_.wake_late_max_s, 1e-9 * static_cast<double>(timing.wake_late_ns));
    }

    SoakLog& log_;
    std::uint64_t period_us_;
    hil::run_log::LogCodec codec_;
    hil::run_log::RunData records_;
    std::uint64_t first_us_ = 0, last_us_ = 0;
    std::vector<Instant> sent_, interpolated_;  // interpolated_: while running
};

}  // namespace

SoakLog read_soak_log(const std::filesystem::path& file, std::uint64_t period_us) {
    SoakLog log;
    const std::vector<std::uint8_t> bytes = hil::files::read_file_bytes(file);
    log.bytes = bytes.size();
    Reader reader(log, period_us);
    const auto result = hil::mcap::scan(bytes, reader);
    if (!result.complete) log.damage = "the log has no end";
    if (!result.problems.empty()) log.damage = result.problems.front();
    if (log.damage.empty()) log.damage = hil::mcap::verify_index(bytes);
    reader.compare();
    return log;
}

}  // namespace topple::tests
