#include "hil/page/stored_log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"

namespace topple::hil::page {
namespace {

class Collector final : public mcap::Visitor {
  public:
    explicit Collector(StoredLog& log) : log_(log) {}

    void on_metadata(const std::string& name, const std::map<std::string, std::string>& entries) override {
        if (name == "topple.loss" && entries.contains("records_lost"))
            log_.problems.push_back("records were lost while the log was written");
        if (name != "topple.clock") return;
        const auto anchor = entries.find("log_time_anchor_ns");
        if (anchor == entries.end()) return;
        const std::string& text = anchor->second;
        std::from_chars(text.data(), text.data() + text.size(), log_.log_time_anchor_ns);
    }

    std::string on_message(const mcap::Channel& channel, const mcap::MessageView& message) override {
        for (std::size_t i = 0; i < log_.topics.size(); ++i) {
            if (channel.topic != run_log::topic_name(static_cast<run_log::Topic>(i + 1))) continue;
            log_.topics[i].push_back({message.log_ns, log_.bytes.size(), message.data.size()});
            log_.bytes.insert(log_.bytes.end(), message.data.begin(), message.data.end());
        }
        return {};
    }

  private:
    StoredLog& log_;
};

}  // namespace

std::size_t StoredLog::message_count() const noexcept {
    return std::accumulate(topics.begin(), topics.end(), std::size_t{0},
                           [](std::size_t sum, const auto& places) { return sum + places.size(); });
}

StoredLog read_stored_log(const std::filesystem::path& path) {
    const std::vector<std::uint8_t> file = files::read_file_bytes(path);
    StoredLog log;
    log.bytes.reserve(file.size());
    Collector collector(log);
    const mcap::ScanResult scan = mcap::scan(file, collector);
    if (const std::string why = mcap::why_unreadable(scan); !why.empty())
        throw files::InputError(fmt::format("{}: {}", path.string(), why));
    if (!scan.complete) log.problems.push_back("the log has no end: its writer was killed (`topple recover` mends it)");
    log.problems.insert(log.problems.end(), scan.problems.begin(), scan.problems.end());
    if (log.message_count() == 0)
        log.problems.push_back(scan.message_count > 0 ? "the log has no topic of Topple's: another program wrote it"
                                                      : "the log has no messages");
    for (auto& places : log.topics)
        std::stable_sort(places.begin(), places.end(),
                         [](const auto& a, const auto& b) { return a.log_time_ns < b.log_time_ns; });
    return log;
}

live::MessageSource SharedLog::source(std::size_t topic) {
    std::shared_ptr<const StoredLog> log = read_.lock();
    if (!log) {
        try {
            log = std::make_shared<const StoredLog>(read_stored_log(path_));
        } catch (const std::exception&) {
            return {};
        }
        read_ = log;
    }
    return [log, topic, next = std::size_t{0}](live::Message& message) mutable {
        const auto& places = log->topics[topic];
        if (next == places.size()) return false;
        const StoredLog::Place& place = places[next++];
        message = {place.log_time_ns, {log->bytes.data() + place.begin, place.size}};
        return true;
    };
}

}  // namespace topple::hil::page
