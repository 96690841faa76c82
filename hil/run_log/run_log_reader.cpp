#include "hil/run_log/run_log_reader.hpp"

#include <fmt/format.h>

#include <array>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/mcap/reader.hpp"
#include "hil/run_log/log_codec.hpp"

namespace topple::hil::run_log {

namespace {

class RunCollector final : public mcap::Visitor {
  public:
    void on_metadata(const std::string& name, const std::map<std::string, std::string>& entries) override {
        if (name == "topple.run") run.metadata = entries;
        if (name == "topple.clock") run.clock = entries;
        if (name == "topple.prediction") note_prediction(entries);
        if (name == "topple.loss" && entries.contains("records_lost")) {
            lose(fmt::format("{} records were lost while the log was written",
                             entries.at("records_lost").substr(0, 20)));
        }
        if (name == "topple.recovered") note_recovery(entries);
    }
    std::string on_message(const mcap::Channel& channel, const mcap::MessageView& message) override {
        const Counts before = counts();
        const std::string wrong = codec_.decode(channel.topic, message.data, run);
        const Counts after = counts();
        for (std::size_t i = 0; i < after.size(); ++i)
            if (after[i] != before[i]) order.push_back({static_cast<Topic>(i + 1), before[i]});
        return wrong;
    }
    /// After the pass: does the metadata say what was written?
    void check_metadata() {
        if (!metadata_checksum_.empty() && metadata_checksum_ != metadata_checksum(run.metadata))
            lose("the metadata record topple.run is damaged");
    }
    RunData run;
    std::vector<LogPlace> order;

  private:
    using Counts = std::array<std::size_t, kTopicCount>;  // in the order of Topic
    Counts counts() const {
        return {run.setpoints.size(), run.feedback.size(), run.predictions.size(), run.events.size(),
                run.timing.size()};
    }
    void note_prediction(const std::map<std::string, std::string>& entries) {
        const auto entry = [&](const char* key) {
            const auto found = entries.find(key);
            return found == entries.end() ? std::string() : found->second;
        };
        run.prediction_sha256 = entry("sha256");
        metadata_checksum_ = entry("run_metadata_crc32");
    }
    void lose(const std::string& what) {
        run.damage.push_back(what);
        run.data_whole = false;
    }
    // A log that had lost its index only has all its data.
    void note_recovery(const std::map<std::string, std::string>& entries) {
        const auto found = entries.find("data_whole");
        if (found == entries.end() || found->second != "true")
            lose("the log was damaged and has been recovered as far as it could be read");
    }
    LogCodec codec_;
    std::string metadata_checksum_;
};

}  // namespace

std::filesystem::path run_log_path(const std::filesystem::path& run) {
    const bool is_folder = std::filesystem::is_directory(run);
    const std::filesystem::path path = is_folder ? run / "run.mcap" : run;
    if (!std::filesystem::exists(path))
        throw files::InputError(fmt::format("{}: no such {}", path.string(), is_folder ? "log" : "folder or log"));
    return path;
}

RunData read_run_log(const std::filesystem::path& run) { return read_run_log_in_order(run).run; }

OrderedRun read_run_log_in_order(const std::filesystem::path& run) {
    const std::filesystem::path path = run_log_path(run);
    const std::vector<std::uint8_t> bytes = files::read_file_bytes(path);
    RunCollector collector;
    const mcap::ScanResult result = mcap::scan(bytes, collector);
    const std::string unreadable = mcap::why_unreadable(result);
    if (!unreadable.empty()) throw files::InputError(fmt::format("{}: {}", path.string(), unreadable));
    collector.check_metadata();
    collector.run.torn = !result.complete;
    collector.run.data_whole = collector.run.data_whole && result.data_whole;
    auto& damage = collector.run.damage;
    damage.insert(damage.end(), result.problems.begin(), result.problems.end());
    if (result.problem_count > result.problems.size()) {
        damage.push_back(fmt::format("and {} more", result.problem_count - result.problems.size()));
    }
    return {std::move(collector.run), std::move(collector.order)};
}

}  // namespace topple::hil::run_log
