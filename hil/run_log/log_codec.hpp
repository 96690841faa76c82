// Between the records of a run and the protobuf messages of log.proto.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "hil/run_log/log_slot.hpp"
#include "hil/run_log/records.hpp"
#include "hil/run_log/topic.hpp"

namespace topple::hil::run_log {

std::string_view schema_name(Topic topic) noexcept;  ///< "topple.log.Setpoint", ...
/// FileDescriptorSet of log.proto, serialised: what a schema record of encoding "protobuf" carries.
std::string schema_descriptor_set();

/// Message, with the times it is filed under.
struct EncodedMessage {
    Topic topic = Topic::event;
    std::uint64_t device_time_us = 0;    ///< log time
    std::uint64_t known_time_us = 0;     ///< publish time: predictions are known later than what they are based on
    std::span<const std::uint8_t> data;  ///< valid until the next encode
};

/// Reuses its messages: after one record of each kind encode does not allocate.
class LogCodec {
  public:
    /// `scales`: for what is encoded; known ones add SI to the feedback.
    explicit LogCodec(const SensorScales& scales = {});
    ~LogCodec();
    LogCodec(const LogCodec&) = delete;
    LogCodec& operator=(const LogCodec&) = delete;

    EncodedMessage encode(const LogSlot& slot);
    /// Appends the message to `run`. Returns what is wrong with it, empty if nothing; then nothing is appended.
    std::string decode(std::string_view topic, std::span<const std::uint8_t> data, RunData& run);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::run_log
