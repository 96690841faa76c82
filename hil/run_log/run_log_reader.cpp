#include "hil/run_log/run_log_reader.hpp"

#include <fmt/format.h>

#include "hil/errors.hpp"
#include "hil/run_log/file_bytes.hpp"
#include "hil/run_log/log_codec.hpp"
#include "hil/run_log/mcap_reader.hpp"

namespace topple::hil {

namespace {

class RunCollector final : public mcap::Visitor {
  public:
    void on_metadata(const std::string& name, const std::map<std::string, std::string>& entries) override {
        if (name == "topple.run") run.metadata = entries;
        if (name == "topple.clock") run.clock = entries;
        if (name == "topple.prediction" && entries.contains("sha256")) run.prediction_sha256 = entries.at("sha256");
        if (name == "topple.loss" && entries.contains("records_lost")) {
            run.damage.push_back(fmt::format("{} records were lost while the log was written",
                                             entries.at("records_lost").substr(0, 20)));
        }
        if (name == "topple.recovered") run.damage.push_back("the log was torn and has been recovered up to its tear");
    }
    std::string on_message(const mcap::Channel& channel, const mcap::MessageView& message) override {
        return codec_.decode(channel.topic, message.data, run);
    }
    RunData run;

  private:
    LogCodec codec_;
};

}  // namespace

std::filesystem::path run_log_path(const std::filesystem::path& run) {
    const std::filesystem::path path = std::filesystem::is_directory(run) ? run / "run.mcap" : run;
    if (!std::filesystem::exists(path)) throw InputError(fmt::format("{}: there is no such log", path.string()));
    return path;
}

RunData read_run_log(const std::filesystem::path& run) {
    const std::filesystem::path path = run_log_path(run);
    const std::vector<std::uint8_t> bytes = read_file_bytes(path);
    RunCollector collector;
    const mcap::ScanResult result = mcap::scan(bytes, collector);
    if (!result.mcap) throw InputError(fmt::format("{}: {}", path.string(), result.problems.front()));
    collector.run.torn = !result.complete;
    auto& damage = collector.run.damage;
    damage.insert(damage.end(), result.problems.begin(), result.problems.end());
    if (result.problem_count > result.problems.size()) {
        damage.push_back(fmt::format("and {} more", result.problem_count - result.problems.size()));
    }
    return std::move(collector.run);
}

}  // namespace topple::hil
