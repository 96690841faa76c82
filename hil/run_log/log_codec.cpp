#include "hil/run_log/log_codec.hpp"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "hil/run_log/log.pb.h"

namespace topple::hil::run_log {

namespace {

using firmware_iface::kAuxChannelsMax;
using firmware_iface::kAxesMax;
using firmware_iface::kRotationSensorsMax;

constexpr std::array<std::string_view, kTopicCount> kTopicNames{"/setpoint", "/feedback", "/prediction", "/event",
                                                                "/timing"};
constexpr std::array<std::string_view, kTopicCount> kSchemaNames{
    "topple.log.Setpoint", "topple.log.Feedback", "topple.log.Prediction", "topple.log.Event", "topple.log.Timing"};

std::size_t place(Topic topic) noexcept { return static_cast<std::size_t>(topic) - 1; }

template <typename... Fields>
bool all_of_size(int count, const Fields&... fields) {
    return ((fields.size() == count) && ...);
}

void fill(log::Setpoint& message, const firmware_iface::Setpoint& setpoint) {
    message.set_device_time_us(setpoint.device_time_us);
    for (std::size_t i = 0; i < std::min(setpoint.axis_count, kAxesMax); ++i) {
        message.add_position_m(setpoint.axes[i].position_m);
        message.add_velocity_m_s(setpoint.axes[i].velocity_m_s);
        message.add_acceleration_m_s2(setpoint.axes[i].acceleration_m_s2);
    }
    message.set_final(setpoint.final);
}

void fill(log::Feedback& message, const firmware_iface::Feedback& feedback) {
    message.set_device_time_us(feedback.device_time_us);
    for (std::size_t i = 0; i < std::min(feedback.axis_count, kAxesMax); ++i) {
        message.add_encoder_count(feedback.axes[i].encoder_count);
        message.add_setpoint_position_m(feedback.axes[i].setpoint_position_m);
        message.add_setpoint_velocity_m_s(feedback.axes[i].setpoint_velocity_m_s);
        message.add_setpoint_acceleration_m_s2(feedback.axes[i].setpoint_acceleration_m_s2);
    }
    if (feedback.acceleration_x_m_s2) message.set_acceleration_x_m_s2(*feedback.acceleration_x_m_s2);
    if (feedback.acceleration_y_m_s2) message.set_acceleration_y_m_s2(*feedback.acceleration_y_m_s2);
    for (std::size_t i = 0; i < std::min(feedback.rotation_count, kRotationSensorsMax); ++i) {
        message.add_rotation_rad(feedback.rotation_rad[i]);
    }
    message.set_state(static_cast<log::DeviceState>(feedback.state));
    message.set_fault_code(feedback.fault_code);
    message.set_queue_level(feedback.queue_level);
    message.set_motion_done(feedback.motion_done);
    for (std::size_t i = 0; i < std::min(feedback.aux_count, kAuxChannelsMax); ++i)
        message.add_aux_v(feedback.aux_v[i]);
    if (feedback.trigger) message.set_trigger(*feedback.trigger);
}

// In SI, for readers that do not have the machine file.
void add_si(log::Feedback& message, const firmware_iface::Feedback& feedback, const SensorScales& scales) {
    if (scales.m_per_count != 0.0)
        for (std::size_t i = 0; i < std::min(feedback.axis_count, kAxesMax); ++i)
            message.add_position_m((i == 0 ? scales.m_per_count : scales.m_per_count_y) *
                                   static_cast<double>(feedback.axes[i].encoder_count));
    if (scales.true_per_reported == 0.0 || !feedback.acceleration_x_m_s2) return;
    message.add_acceleration_m_s2(scales.true_per_reported * *feedback.acceleration_x_m_s2);
    if (scales.true_per_reported_y == 0.0 || !feedback.acceleration_y_m_s2) return;
    message.add_acceleration_m_s2(scales.true_per_reported_y * *feedback.acceleration_y_m_s2);
}

void fill(log::Prediction& message, const PredictionSlot& prediction) {
    message.set_device_time_us(prediction.device_time_us);
    message.set_age_us(prediction.age_us);
    message.set_specimen(prediction.specimen);
    message.set_outcome(static_cast<log::Outcome>(prediction.outcome));
    for (std::size_t i = 0; i < prediction.rotation_count; ++i) message.add_rotation_rad(prediction.rotation_rad[i]);
    const Forecast& forecast = prediction.forecast;
    if (forecast.members == 0) return;
    for (const double probability : forecast.probability) message.add_outcome_probability(probability);
    message.set_overturning_left_probability(forecast.overturning_left_probability);
    if (!std::isnan(forecast.expected_time_s)) message.set_expected_time_s(forecast.expected_time_s);
    message.set_members(forecast.members);
    message.set_members_run_ahead(forecast.members_run_ahead);
    message.set_effective_members(forecast.effective_members);
}

void fill(log::Event& message, const EventSlot& event) {
    message.set_device_time_us(event.device_time_us);
    message.set_kind(static_cast<log::EventKind>(event.kind));
    std::array<char, EventSlot::kTextMax> scratch;
    message.mutable_text()->assign(event.text_view(scratch));
}

void fill(log::Timing& message, const TimingRecord& timing) {
    message.set_device_time_us(timing.device_time_us);
    message.set_cycle(timing.cycle);
    message.set_deadline_ns(timing.deadline_ns);
    message.set_wake_late_ns(timing.wake_late_ns);
    message.set_busy_ns(timing.busy_ns);
    message.set_cycles_missed(timing.cycles_missed);
    message.set_queue_level(timing.queue_level);
}

std::string append(const log::Setpoint& message, RunData& run) {
    const int axes = message.position_m_size();
    if (axes > static_cast<int>(kAxesMax) || !all_of_size(axes, message.velocity_m_s(), message.acceleration_m_s2())) {
        return "setpoint with uneven or too many axes";
    }
    firmware_iface::Setpoint setpoint;
    setpoint.device_time_us = message.device_time_us();
    setpoint.axis_count = static_cast<std::size_t>(axes);
    for (int i = 0; i < axes; ++i) {
        setpoint.axes[i] = {message.position_m(i), message.velocity_m_s(i), message.acceleration_m_s2(i)};
    }
    setpoint.final = message.final();
    run.setpoints.push_back(setpoint);
    return {};
}

std::string append(const log::Feedback& message, RunData& run) {
    const int axes = message.encoder_count_size(), rotations = message.rotation_rad_size();
    if (axes > static_cast<int>(kAxesMax) ||
        !all_of_size(axes, message.setpoint_position_m(), message.setpoint_velocity_m_s(),
                     message.setpoint_acceleration_m_s2())) {
        return "feedback with uneven or too many axes";
    }
    if (rotations > static_cast<int>(kRotationSensorsMax)) return "feedback with too many rotations";
    if (message.aux_v_size() > static_cast<int>(kAuxChannelsMax)) return "feedback with too many auxiliary inputs";
    if (message.state() < 0 || message.state() > log::ESTOP) return "feedback with an unknown device state";
    firmware_iface::Feedback feedback;
    feedback.device_time_us = message.device_time_us();
    feedback.axis_count = static_cast<std::size_t>(axes);
    for (int i = 0; i < axes; ++i) {
        feedback.axes[i] = {message.encoder_count(i), message.setpoint_position_m(i), message.setpoint_velocity_m_s(i),
                            message.setpoint_acceleration_m_s2(i)};
    }
    if (message.has_acceleration_x_m_s2()) feedback.acceleration_x_m_s2 = message.acceleration_x_m_s2();
    if (message.has_acceleration_y_m_s2()) feedback.acceleration_y_m_s2 = message.acceleration_y_m_s2();
    feedback.rotation_count = static_cast<std::size_t>(rotations);
    std::copy_n(message.rotation_rad().begin(), rotations, feedback.rotation_rad.begin());
    feedback.state = static_cast<firmware_iface::DeviceState>(message.state());
    feedback.fault_code = message.fault_code();
    feedback.queue_level = message.queue_level();
    feedback.motion_done = message.motion_done();
    if (message.has_trigger()) feedback.trigger = message.trigger();
    feedback.aux_count = static_cast<std::size_t>(message.aux_v_size());
    std::copy_n(message.aux_v().begin(), message.aux_v_size(), feedback.aux_v.begin());
    run.feedback.push_back(feedback);
    return {};
}

std::string append(const log::Prediction& message, RunData& run) {
    if (message.rotation_rad_size() > static_cast<int>(kRotationSensorsMax))
        return "prediction with too many rotations";
    if (message.outcome_probability_size() > static_cast<int>(Forecast::kOutcomes))
        return "prediction with too many probabilities";
    PredictionRecord& record = run.predictions.emplace_back();
    record.device_time_us = message.device_time_us();
    record.age_us = message.age_us();
    record.specimen = message.specimen();
    record.outcome = static_cast<std::uint32_t>(message.outcome());
    record.rotation_rad.assign(message.rotation_rad().begin(), message.rotation_rad().end());
    Forecast& forecast = record.forecast;
    std::copy(message.outcome_probability().begin(), message.outcome_probability().end(), forecast.probability.begin());
    forecast.overturning_left_probability = message.overturning_left_probability();
    if (message.has_expected_time_s()) forecast.expected_time_s = message.expected_time_s();
    forecast.members = message.members();
    forecast.members_run_ahead = message.members_run_ahead();
    forecast.effective_members = message.effective_members();
    return {};
}

std::string append(const log::Event& message, RunData& run) {
    run.events.push_back({message.device_time_us(), static_cast<EventKind>(message.kind()), message.text()});
    return {};
}

std::string append(const log::Timing& message, RunData& run) {
    run.timing.push_back({message.device_time_us(), message.cycle(), message.deadline_ns(), message.wake_late_ns(),
                          message.busy_ns(), message.cycles_missed(), message.queue_level()});
    return {};
}

}  // namespace

std::string_view topic_name(Topic topic) noexcept { return kTopicNames[place(topic)]; }
std::string_view schema_name(Topic topic) noexcept { return kSchemaNames[place(topic)]; }

std::string schema_descriptor_set() {
    google::protobuf::FileDescriptorSet set;
    log::Setpoint::descriptor()->file()->CopyTo(set.add_file());
    return set.SerializeAsString();
}

struct LogCodec::Impl {
    log::Setpoint setpoint;
    log::Feedback feedback;
    log::Prediction prediction;
    log::Event event;
    log::Timing timing;
    SensorScales scales;
    std::vector<std::uint8_t> bytes;

    template <typename Message, typename Record>
    std::span<const std::uint8_t> serialise(Message& message, const Record& record) {
        message.Clear();
        fill(message, record);
        if constexpr (std::is_same_v<Message, log::Feedback>) add_si(message, record, scales);
        bytes.resize(message.ByteSizeLong());
        message.SerializeWithCachedSizesToArray(bytes.data());
        return bytes;
    }
    EncodedMessage encode(const firmware_iface::Setpoint& r) {
        return {Topic::setpoint, r.device_time_us, r.device_time_us, serialise(setpoint, r)};
    }
    EncodedMessage encode(const firmware_iface::Feedback& r) {
        return {Topic::feedback, r.device_time_us, r.device_time_us, serialise(feedback, r)};
    }
    EncodedMessage encode(const PredictionSlot& r) {
        return {Topic::prediction, r.device_time_us, r.device_time_us + r.age_us, serialise(prediction, r)};
    }
    EncodedMessage encode(const EventSlot& r) {
        return {Topic::event, r.device_time_us, r.device_time_us, serialise(event, r)};
    }
    EncodedMessage encode(const TimingRecord& r) {
        return {Topic::timing, r.device_time_us, r.device_time_us, serialise(timing, r)};
    }
    template <typename Message>
    std::string parse(Message& message, std::span<const std::uint8_t> data, RunData& run) {
        if (!message.ParseFromArray(data.data(), static_cast<int>(data.size()))) return "not a message of its schema";
        return append(message, run);
    }
};

LogCodec::LogCodec(const SensorScales& scales) : impl_(std::make_unique<Impl>()) {
    impl_->scales = scales;
    // The largest record of each kind makes all the room that will ever be needed.
    impl_->bytes.reserve(1024);
    firmware_iface::Setpoint setpoint;
    setpoint.axis_count = kAxesMax;
    firmware_iface::Feedback feedback;
    feedback.axis_count = kAxesMax;
    feedback.acceleration_x_m_s2 = feedback.acceleration_y_m_s2 = 0.0;
    feedback.rotation_count = kRotationSensorsMax;
    feedback.aux_count = kAuxChannelsMax;
    PredictionRecord prediction;
    prediction.rotation_rad.resize(kRotationSensorsMax);
    prediction.forecast.members = 1;
    const EventRecord event{0, EventKind::remark, std::string(EventSlot::kTextMax, 'x')};
    for (const LogSlot& slot : {LogSlot(setpoint), LogSlot(feedback), LogSlot(PredictionSlot(prediction)),
                                LogSlot(EventSlot(event)), LogSlot(TimingRecord{})}) {
        encode(slot);
    }
}
LogCodec::~LogCodec() = default;

EncodedMessage LogCodec::encode(const LogSlot& slot) {
    return std::visit([this](const auto& record) { return impl_->encode(record); }, slot);
}

std::string LogCodec::decode(std::string_view topic, std::span<const std::uint8_t> data, RunData& run) {
    constexpr std::size_t kMessageBytesMax = 1 << 20;  // ours have hundreds of bytes
    if (data.size() > kMessageBytesMax) return "message too long";
    if (topic == topic_name(Topic::setpoint)) return impl_->parse(impl_->setpoint, data, run);
    if (topic == topic_name(Topic::feedback)) return impl_->parse(impl_->feedback, data, run);
    if (topic == topic_name(Topic::prediction)) return impl_->parse(impl_->prediction, data, run);
    if (topic == topic_name(Topic::event)) return impl_->parse(impl_->event, data, run);
    if (topic == topic_name(Topic::timing)) return impl_->parse(impl_->timing, data, run);
    return {};  // topics of others are none of our business
}

}  // namespace topple::hil::run_log
