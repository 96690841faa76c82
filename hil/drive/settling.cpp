#include "hil/drive/settling.hpp"

#include <algorithm>

namespace topple::hil::drive {
namespace {

constexpr double kRecordAtLeast_s = 5.0;
constexpr double kRecordAtMost_s = 60.0;
constexpr double kAfterPredictedSettling_s = 2.0;

}  // namespace

void SettlingWatch::add(const firmware_iface::Feedback& feedback) noexcept {
    sensor_count_ = feedback.rotation_count;
    const bool window_over = feedback.device_time_us >= window_end_us_;
    if (window_over && window_end_us_ != 0) {
        bool quiet = true;
        for (std::size_t i = 0; i < sensor_count_; ++i) quiet = quiet && high_rad_[i] - low_rad_[i] <= kBand_rad;
        quiet_windows_ = quiet ? quiet_windows_ + 1 : 0;
    }
    if (window_over) window_end_us_ = feedback.device_time_us + kWindow_us;
    for (std::size_t i = 0; i < sensor_count_; ++i) {
        const double rotation_rad = feedback.rotation_rad[i];
        low_rad_[i] = window_over ? rotation_rad : std::min(low_rad_[i], rotation_rad);
        high_rad_[i] = window_over ? rotation_rad : std::max(high_rad_[i], rotation_rad);
    }
}

bool recording_complete(double time_s, double motion_end_s, const SettlingWatch& watch,
                        double predicted_settling_s) noexcept {
    const double after_s = time_s - motion_end_s;
    if (after_s >= kRecordAtMost_s) return true;
    if (after_s < kRecordAtLeast_s) return false;
    if (watch.has_sensor()) return watch.at_rest();
    return time_s >= predicted_settling_s + kAfterPredictedSettling_s;
}

}  // namespace topple::hil::drive
