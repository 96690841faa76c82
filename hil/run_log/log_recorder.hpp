// Decides which record goes into which chunk of run.mcap and when a chunk is written.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>

#include "hil/files/log_file.hpp"
#include "hil/mcap/writer.hpp"
#include "hil/run_log/log_codec.hpp"
#include "hil/run_log/log_slot.hpp"
#include "hil/run_log/run_log_writer.hpp"

namespace topple::hil::run_log {

/// Used by one thread. Setpoints run ahead of the measurements and predictions behind them, so each of the two
/// has its own chunk; every chunk spans at most kChunkSpan_us of data time and kChunkBytesMax.
class LogRecorder {
  public:
    static constexpr std::uint64_t kChunkSpan_us = 250'000;
    static constexpr std::size_t kChunkBytesMax = 256 * 1024;

    /// Writes and syncs header, metadata, schemas and channels. Throws OutputError.
    LogRecorder(files::LogFile& file, const RunLogOptions& options);
    /// False if a chunk was due and could not be written; its messages are lost.
    bool write(const LogSlot& slot);
    /// Writes open chunks. False on failure.
    bool flush();
    /// Flushes, notes losses, writes index and summary. False on failure.
    bool finish(std::uint64_t records_refused);

  private:
    static constexpr std::size_t kGroups = 3;  ///< measurements, setpoints, predictions
    struct Group {
        mcap::ChunkBuilder chunk{kChunkBytesMax};
        std::uint64_t opened_at_us = 0;  ///< progress of the run when the chunk got its first message
    };
    static std::size_t group_of(Topic topic) noexcept;
    bool write_group(Group& group);

    files::LogFile& file_;
    mcap::Writer writer_;
    LogCodec codec_;
    std::array<Group, kGroups> groups_;
    std::array<std::uint32_t, kTopicCount + 1> sequence_{};
    RecordObserver observer_;
    std::uint64_t log_anchor_ns_ = 0;
    std::uint64_t progress_us_ = 0;  ///< newest measurement
    std::uint64_t messages_lost_ = 0;
};

}  // namespace topple::hil::run_log
