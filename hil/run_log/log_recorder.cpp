#include "hil/run_log/log_recorder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "hil/files/errors.hpp"
#include "hil/host/version.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::hil::run_log {

namespace {

// Fixed width: the record has the same length in every run, so the bytes behind it stay in place.
std::string fixed_width(std::int64_t value) { return fmt::format("{:020d}", value); }

}  // namespace

LogRecorder::LogRecorder(files::LogFile& file, const RunLogOptions& options)
    : file_(file),
      writer_(file, fmt::format("topple {}", host::version())),
      codec_(options.scales),
      observer_(options.observer),
      log_anchor_ns_(options.synchronous ? 0 : static_cast<std::uint64_t>(options.wall_clock_anchor_ns)) {
    writer_.write_metadata("topple.prediction", {{"sha256", options.prediction_sha256},
                                                 {"run_metadata_crc32", metadata_checksum(options.metadata)}});
    writer_.write_metadata("topple.run", options.metadata);
    writer_.write_metadata("topple.clock",
                           {{"wall_clock_anchor_ns", fixed_width(options.wall_clock_anchor_ns)},
                            {"log_time_anchor_ns", fixed_width(static_cast<std::int64_t>(log_anchor_ns_))}});
    const std::string descriptors = schema_descriptor_set();
    for (std::uint16_t id = 1; id <= kTopicCount; ++id) {
        const auto topic = static_cast<Topic>(id);
        writer_.write_schema({id, std::string(schema_name(topic)), "protobuf", descriptors});
        writer_.write_channel({id, id, std::string(topic_name(topic)), "protobuf"});
    }
    if (!writer_.ok() || !file_.sync()) {
        throw files::OutputError(fmt::format("the log cannot be written: {}", std::strerror(file_.last_error())));
    }
}

std::size_t LogRecorder::group_of(Topic topic) noexcept {
    return topic == Topic::setpoint ? 1 : topic == Topic::prediction ? 2 : 0;
}

bool LogRecorder::write(const LogSlot& slot) {
    const EncodedMessage message = codec_.encode(slot);
    const std::uint64_t log_ns = log_anchor_ns_ + 1000 * message.device_time_us;
    const std::size_t place = group_of(message.topic);
    Group& group = groups_[place];
    bool ok = true;
    if (group.chunk.span_with_ns(log_ns) > 1000 * kChunkSpan_us ||
        group.chunk.records_bytes() + message.data.size() + mcap::kRecordHeadBytes + mcap::kMessageHeadBytes >
            kChunkBytesMax) {
        ok = write_group(group);
    }
    if (place == 0) progress_us_ = std::max(progress_us_, message.device_time_us);
    if (group.chunk.empty()) group.opened_at_us = progress_us_;
    const auto channel = static_cast<std::uint16_t>(message.topic);
    const std::uint32_t sequence = sequence_[channel]++;
    const std::uint64_t publish_ns = log_anchor_ns_ + 1000 * message.known_time_us;
    group.chunk.add(channel, sequence, log_ns, publish_ns, message.data);
    if (observer_) observer_({channel, sequence, log_ns, publish_ns, message.data});
    for (Group& open : groups_) {
        if (!open.chunk.empty() && progress_us_ - open.opened_at_us >= kChunkSpan_us) ok = write_group(open) && ok;
    }
    return ok;
}

bool LogRecorder::write_group(Group& group) {
    const std::size_t messages = group.chunk.message_count();
    if (writer_.write_chunk(group.chunk)) return true;
    messages_lost_ += messages;
    return false;
}

bool LogRecorder::flush() {
    bool ok = true;
    for (Group& group : groups_) ok = write_group(group) && ok;
    return ok;
}

bool LogRecorder::finish(std::uint64_t records_refused) {
    bool ok = flush();
    const std::uint64_t lost = messages_lost_ + records_refused;
    if (lost > 0) ok = writer_.write_metadata("topple.loss", {{"records_lost", fmt::format("{}", lost)}}) && ok;
    return writer_.finish() && ok;
}

}  // namespace topple::hil::run_log
