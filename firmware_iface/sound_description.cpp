#include "firmware_iface/sound_description.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <string_view>

#include "firmware_iface/samples.hpp"
#include "firmware_iface/wire/codec.hpp"

namespace topple::firmware_iface {
namespace {

struct Range {
    double low = 0.0, high = 0.0;
};

// Counted in what the host needs and what a laboratory's table can be; a number outside is a mistake of the firmware.
constexpr Range kFeedbackPeriod_us{500.0, 20'000.0};        // 2 kHz of a fast line; half of the look-ahead
constexpr Range kSetpointCapacity{kSetpointBatchMax, 1e6};  // a whole batch; half an hour at 500 Hz
constexpr Range kRotationSensors{0.0, static_cast<double>(kRotationSensorsMax)};
constexpr Range kAuxChannels{0.0, static_cast<double>(kAuxChannelsMax)};
constexpr Range kAxes{1.0, static_cast<double>(kAxesMax)};
constexpr Range kStroke_m{1e-3, 10.0};  // the largest tables of the world reach 1 m
constexpr Range kVelocity_m_s{1e-3, 100.0};
constexpr Range kAcceleration_m_s2{1e-2, 1000.0};
constexpr Range kCounts_per_m{1e2, 1e12};  // 10 mm to 1 pm

std::string number(double value) {
    if (std::abs(value) < 1e15 && value == std::floor(value)) return std::to_string(static_cast<long long>(value));
    std::array<char, 32> digits{};
    return {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr};
}

/// Empty for what may be shown on a terminal: no control characters of ASCII or, in UTF-8, of Latin-1.
std::string unprintable(const std::string& name, std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
        const auto byte = static_cast<unsigned char>(text[i]),
                   next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        if (byte >= 0x20 && byte != 0x7F && !(byte == 0xC2 && next < 0xA0)) continue;
        return name + " holds a character that cannot be printed (byte " + std::to_string(byte) + " at " +
               std::to_string(i) + "), allowed: printable text of at most " + std::to_string(kTextMax) + " bytes";
    }
    if (text.size() <= kTextMax) return {};
    return name + " has " + std::to_string(text.size()) + " bytes, allowed: " + std::to_string(kTextMax);
}

/// Collects the first thing that is wrong.
class Findings {
  public:
    void number_within(const std::string& name, double value, const Range& allowed) {
        if (!first_.empty() || (value >= allowed.low && value <= allowed.high)) return;  // NaN is not within
        first_ = name + " = " + number(value) + ", allowed: " + number(allowed.low) + " to " + number(allowed.high);
    }
    void sign(const std::string& name, int value) {
        if (first_.empty() && value != 1 && value != -1)
            first_ = name + " = " + std::to_string(value) + ", allowed: 1 or -1";
    }
    void text(const std::string& name, std::string_view value) {
        if (first_.empty()) first_ = unprintable(name, value);
    }
    void axis_name(const DeviceInfo& info, std::size_t index) {
        const std::string& name = info.axes[index].name;
        text("axes[" + std::to_string(index) + "].name", name);
        const bool again = index > 0 && info.axes[0].name == name;
        if (first_.empty() && (again || (name != "x" && name != "y")))
            first_ = "axes[" + std::to_string(index) + "].name = \"" + name + "\", allowed: \"x\" or \"y\", each once";
    }
    const std::string& first() const noexcept { return first_; }

  private:
    std::string first_;
};

}  // namespace

std::string unsound(const DeviceInfo& info) {
    Findings found;
    found.text("device", info.device);
    found.text("serial_number", info.serial_number);
    found.text("firmware_version", info.firmware_version);
    found.number_within("feedback_period_us", info.feedback_period_us, kFeedbackPeriod_us);
    found.number_within("setpoint_capacity", info.setpoint_capacity, kSetpointCapacity);
    found.number_within("rotation_sensor_count", info.rotation_sensor_count, kRotationSensors);
    found.number_within("aux_channel_count", info.aux_channel_count, kAuxChannels);
    found.number_within("number of axes", static_cast<double>(info.axes.size()), kAxes);
    for (std::size_t i = 0; i < std::min(info.axes.size(), kAxesMax); ++i) {
        const DeviceInfo::Axis& axis = info.axes[i];
        const std::string of = "axes[" + std::to_string(i) + "].";
        found.axis_name(info, i);
        found.number_within(of + "stroke_m", axis.stroke_m, kStroke_m);
        found.number_within(of + "velocity_max_m_s", axis.velocity_max_m_s, kVelocity_m_s);
        found.number_within(of + "acceleration_max_m_s2", axis.acceleration_max_m_s2, kAcceleration_m_s2);
        found.number_within(of + "stop_deceleration_m_s2", axis.stop_deceleration_m_s2, kAcceleration_m_s2);
        found.number_within(of + "counts_per_m", axis.counts_per_m, kCounts_per_m);
        found.sign(of + "encoder_sign", axis.encoder_sign);
        found.sign(of + "accelerometer_sign", axis.accelerometer_sign);
    }
    return found.first();
}

}  // namespace topple::firmware_iface
