// The messages of a finished run's log, for clients that fetch them whole.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "hil/live/live_server.hpp"
#include "hil/run_log/log_codec.hpp"

namespace topple::hil::page {

/// What of a log can be read, as its topics have it. Messages of other topics are left out.
struct StoredLog {
    struct Place {
        std::uint64_t log_time_ns = 0;
        std::size_t begin = 0, size = 0;  ///< in `bytes`
    };
    std::vector<std::uint8_t> bytes;
    std::array<std::vector<Place>, run_log::kTopicCount> topics;  ///< by run_log::Topic - 1, in the order of time
    std::int64_t log_time_anchor_ns = 0;
    std::vector<std::string> problems;  ///< what is missing or damaged, for people; empty: nothing

    std::size_t message_count() const noexcept;
};

/// Reads what can be read. Throws InputError if there is no such file, or it is no MCAP file, or compressed in a way
/// that is not read.
StoredLog read_stored_log(const std::filesystem::path& log);

/// Gives the messages of a topic. The log is read when the first source is asked for and kept as long as one is used;
/// a log that cannot be read any more has no messages.
class SharedLog {
  public:
    explicit SharedLog(std::filesystem::path log) : path_(std::move(log)) {}
    live::MessageSource source(std::size_t topic);

  private:
    std::filesystem::path path_;
    std::weak_ptr<const StoredLog> read_;
};

}  // namespace topple::hil::page
