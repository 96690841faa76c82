#include "hil/page/shown_runs.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "hil/files/errors.hpp"
#include "hil/page/assets.hpp"
#include "hil/page/campaign_listing.hpp"
#include "hil/page/finished_run.hpp"

namespace topple::hil::page {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using files::InputError;

/// Name of the folder, also of "runs/a/" and of ".".
std::string label_of(const fs::path& path) {
    std::error_code ignored;
    fs::path whole = fs::absolute(path, ignored).lexically_normal();
    if (whole.filename().empty()) whole = whole.parent_path();
    if (whole.filename() == "run.mcap") whole = whole.parent_path();
    return whole.filename().string();
}

class Collection {
  public:
    void add_run(const fs::path& path) {
        if (runs_.size() == kRunsMax) throw InputError(fmt::format("show: at most {} runs at once", kRunsMax));
        const FinishedRun run = finished_run(path, label_of(path));
        for (const std::string& problem : run.problems)
            shown.remarks.push_back(fmt::format("{}: {}", path.string(), problem));
        is_anything_ = is_anything_ || run.is_anything;
        runs_.push_back(Json::parse(run.description));
        const auto channels = channels_of(run, fmt::format("/{}", runs_.size()));
        shown.channels.insert(shown.channels.end(), channels.begin(), channels.end());
    }

    void add_campaign(const fs::path& folder) {
        const CampaignListing listing = campaign_listing(folder, runs_.size() + 1, kRunsMax - runs_.size());
        campaign_ = Json::parse(listing.description);
        is_anything_ = true;
        shown.documents.insert(shown.documents.end(), listing.figures.begin(), listing.figures.end());
        for (const fs::path& run : listing.runs) add_run(run);
    }

    ShownRuns finish(const std::string& name) {
        if (!is_anything_) throw InputError("show: nothing can be shown" + reasons());
        shown.run_count = runs_.size();
        Json json{{"name", name}, {"runs", std::move(runs_)}};
        if (!campaign_.is_null()) json["campaign"] = std::move(campaign_);
        shown.documents.push_back(
            {"/test.json", "application/json", json.dump(-1, ' ', false, Json::error_handler_t::replace)});
        for (live::Document& asset : assets()) shown.documents.push_back(std::move(asset));
        return std::move(shown);
    }

    ShownRuns shown;

  private:
    std::string reasons() const {
        std::string text;
        for (const std::string& remark : shown.remarks) text += "\n  " + remark;
        return text;
    }

    Json runs_ = Json::array();
    Json campaign_;
    bool is_anything_ = false;
};

}  // namespace

ShownRuns shown_runs(const std::vector<fs::path>& paths) {
    Collection collection;
    std::string name;
    std::size_t campaigns = 0;
    for (const fs::path& path : paths) {
        std::error_code ignored;
        if (!fs::exists(path, ignored))
            throw InputError(fmt::format(
                "show: {}: there is no such file or folder, and it is not HOST:PORT with a port from 1 to 65535",
                path.string()));
        name += (name.empty() ? "" : ", ") + label_of(path);
        if (!is_campaign(path)) {
            collection.add_run(path);
        } else {
            if (++campaigns > 1) throw InputError("show: one campaign at a time");
            collection.add_campaign(path);
        }
    }
    return collection.finish(name);
}

}  // namespace topple::hil::page
