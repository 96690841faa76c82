#include "hil/live/run_channels.hpp"

#include "hil/run_log/log_codec.hpp"

namespace topple::hil::live {

std::vector<Channel> run_channels(const std::string& prefix) {
    const std::string descriptors = run_log::schema_descriptor_set();
    std::vector<Channel> channels;
    for (std::uint16_t id = 1; id <= run_log::kTopicCount; ++id) {
        const auto topic = static_cast<run_log::Topic>(id);
        Channel& channel = channels.emplace_back();
        channel.topic = prefix + std::string(run_log::topic_name(topic));
        channel.schema_name = run_log::schema_name(topic);
        channel.schema = descriptors;
        channel.is_kept = topic == run_log::Topic::event;
    }
    return channels;
}

}  // namespace topple::hil::live
