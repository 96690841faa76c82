#include "firmware_iface/clock_sync.hpp"

#include <algorithm>
#include <cmath>

namespace topple::firmware_iface {
namespace {

constexpr double kJumpMin_s = 0.004;  // beyond what delivery explains; wake-ups of a busy host are late by less
constexpr int kAheadReadings = 3;     // a single one could be a damaged time that passed its checksum
constexpr int kAheadPatience = 20;    // readings between two of them
constexpr double kBackwardsMin_s = 0.002;
constexpr int kBackwardsPatience = 10;  // readings: two frames that changed places do not stay late
constexpr double kLate_s = 0.5;         // every reading late for so long: not a stall, whose last sample is fresh
constexpr int kLateReadings = 20;
constexpr double kSpreadQuantile = 0.9;  // of the windows above the line; what lies beyond are stalls

double seconds(Nanoseconds duration) noexcept { return 1e-9 * static_cast<double>(duration.count()); }

}  // namespace

double ClockSync::seconds_since_origin(std::uint64_t device_time_us) const noexcept {
    return 1e-6 * static_cast<double>(static_cast<std::int64_t>(device_time_us - origin_us_));
}

void ClockSync::begin(std::uint64_t device_time_us, Nanoseconds host) noexcept {
    any_ = true;
    origin_us_ = device_time_us;
    origin_ = host;
    first_ = count_ = 0;
    least_ = {};
    window_end_s_ = settings_.window_s;
    offset_ = spread_s_ = 0.0;  // the slope remains the best guess
    ahead_count_ = late_count_ = backwards_patience_ = 0;
}

std::optional<ClockJump> ClockSync::observe(std::uint64_t device_time_us, Nanoseconds host) noexcept {
    if (!any_) {
        begin(device_time_us, host);
    } else if (device_time_us != last_us_) {
        const double x = seconds_since_origin(device_time_us);
        const Reading reading{x, seconds(host - origin_) - x};
        const double backwards_s = seconds_since_origin(last_us_) - x;
        if (auto jump = look_for_jump(reading, backwards_s)) {
            ++jumps_;
            jump->device_time_us = last_us_ = device_time_us;
            begin(device_time_us, host);
            return jump;
        }
        if (backwards_patience_ == 0 && ahead_count_ == 0) collect(reading);
    }
    last_us_ = device_time_us;
    return std::nullopt;
}

std::optional<ClockJump> ClockSync::look_for_jump(const Reading& reading, double backwards_s) noexcept {
    const double residual_s = residual(reading);
    if (backwards_s > 0.0) {
        backwards_s_ = std::max(backwards_s, kBackwardsMin_s);
        backwards_patience_ = kBackwardsPatience;
        late_count_ = 0;
    }
    if (const auto jump = look_ahead(residual_s)) return jump;
    return look_behind(reading, residual_s);
}

std::optional<ClockJump> ClockSync::look_ahead(double residual_s) noexcept {
    const double threshold_s = settings_.round_trip_s + settings_.reading_period_s + kJumpMin_s;
    if (++readings_since_ahead_ > kAheadPatience) ahead_count_ = 0;
    if (!ready() || residual_s >= -threshold_s) return std::nullopt;
    ahead_residual_s_ = ahead_count_ == 0 ? residual_s : std::min(ahead_residual_s_, residual_s);
    readings_since_ahead_ = 0;
    if (++ahead_count_ < kAheadReadings) return std::nullopt;
    return ClockJump{0, -ahead_residual_s_};
}

std::optional<ClockJump> ClockSync::look_behind(const Reading& reading, double residual_s) noexcept {
    const bool went_back = backwards_patience_ > 0;
    if (went_back) --backwards_patience_;
    const double usual_s = settings_.round_trip_s + settings_.reading_period_s + kJumpMin_s;
    if (residual_s < (went_back ? backwards_s_ : usual_s)) {
        late_count_ = 0;
        return std::nullopt;
    }
    const double host_s = reading.x + reading.y;
    if (late_count_ == 0) late_since_s_ = host_s;
    late_residual_s_ = late_count_ == 0 ? residual_s : std::min(late_residual_s_, residual_s);
    ++late_count_;
    const bool stood_still = ready() && late_count_ >= kLateReadings && host_s - late_since_s_ >= kLate_s;
    if (stood_still || (went_back && late_count_ >= kAheadReadings)) return ClockJump{0, -late_residual_s_};
    return std::nullopt;
}

void ClockSync::collect(const Reading& reading) noexcept {
    if (reading.x >= window_end_s_) {
        if (count_ == kWindowsMax) {
            first_ = (first_ + 1) % kWindowsMax;
            --count_;
        }
        windows_[(first_ + count_++) % kWindowsMax] = least_;
        fit();
        least_ = reading;
        window_end_s_ = reading.x + settings_.window_s;
    } else if (residual(reading) < residual(least_)) {
        least_ = reading;
    }
}

// Lower convex hull from left to right (Andrew's monotone chain); of its edges the one under the mean time minimises
// the sum of distances among all lines that no point lies under.
void ClockSync::fit() noexcept {
    std::array<Reading, kWindowsMax> hull;
    std::size_t size = 0;
    double mean_x = 0.0;
    for (std::size_t i = 0; i < count_; ++i) {
        const Reading& next = window(i);
        mean_x += next.x / static_cast<double>(count_);
        const auto above = [&] {  // is the last corner above the line from the one before it to the next point?
            const Reading &a = hull[size - 2], &b = hull[size - 1];
            return (b.y - a.y) * (next.x - a.x) >= (next.y - a.y) * (b.x - a.x);
        };
        while (size >= 2 && above()) --size;
        hull[size++] = next;
    }
    std::size_t right = 1;
    while (right + 1 < size && hull[right].x < mean_x) ++right;
    if (size >= 2) slope_ = (hull[right].y - hull[right - 1].y) / (hull[right].x - hull[right - 1].x);
    offset_ = hull[0].y - slope_ * hull[0].x;
    if (size >= 2) offset_ = hull[right].y - slope_ * hull[right].x;

    std::array<double, kWindowsMax> above_line_s;
    for (std::size_t i = 0; i < count_; ++i) above_line_s[i] = residual(window(i));
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(kSpreadQuantile * static_cast<double>(count_ - 1)));
    std::nth_element(above_line_s.begin(), above_line_s.begin() + rank,
                     above_line_s.begin() + static_cast<std::ptrdiff_t>(count_));
    spread_s_ = above_line_s[static_cast<std::size_t>(rank)];
}

Nanoseconds ClockSync::host_time(std::uint64_t device_time_us) const noexcept {
    const double x = seconds_since_origin(device_time_us);
    const double delivery_s = settings_.round_trip_s + settings_.reading_period_s;
    const double after_s = offset_ + slope_ * x - 0.5 * delivery_s;  // beside x, which is whole microseconds
    const auto whole = std::chrono::microseconds(static_cast<std::int64_t>(device_time_us - origin_us_));
    return origin_ + whole + Nanoseconds(std::llround(1e9 * after_s));
}

double ClockSync::bound_s(std::uint64_t device_time_us) const noexcept {
    const double x = seconds_since_origin(device_time_us);
    const double newest_x = count_ > 0 ? window(count_ - 1).x : 0.0, oldest_x = count_ > 0 ? window(0).x : 0.0;
    const double outside_s = std::max({0.0, x - newest_x, oldest_x - x});
    return 0.5 * (settings_.round_trip_s + settings_.reading_period_s) + spread_s_ +
           1e-6 * skew_bound_ppm() * outside_s;
}

double ClockSync::skew_ppm() const noexcept { return 0.0 - 1e6 * slope_ / (1.0 + slope_); }  // never minus zero

double ClockSync::skew_bound_ppm() const noexcept {
    const double span_s = count_ > 0 ? window(count_ - 1).x - window(0).x : 0.0;
    // Few windows say little about their own spread: at first delivery may have differed by a whole round trip.
    const double unseen_s = settings_.round_trip_s / static_cast<double>(std::max<std::size_t>(count_, 1));
    return 2e6 * (settings_.reading_period_s + spread_s_ + unseen_s) / std::max(span_s, settings_.window_s);
}

bool ClockSync::drifting() const noexcept {
    return ready() && std::abs(skew_ppm()) - skew_bound_ppm() > settings_.skew_limit_ppm;
}

}  // namespace topple::firmware_iface
