#include "hil/campaign/campaign.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <future>

#include "hil/campaign/adaptive.hpp"
#include "hil/campaign/campaign_folder.hpp"
#include "hil/campaign/member_boundaries.hpp"
#include "hil/campaign/one_test.hpp"
#include "hil/campaign/page_parts.hpp"
#include "hil/campaign/publish.hpp"
#include "hil/campaign/test_table.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::campaign {
namespace {

using experiment::CampaignDrive;
using experiment::CampaignProtocol;
using experiment::Experiment;
using files::InputError;

constexpr std::size_t kMembers = 100;      // of the adaptive protocol's prior
constexpr std::size_t kSlowMembers = 40;   // where a solution takes long
constexpr std::size_t kFruitlessMax = 3;   // tests of one setting in a row without an outcome
constexpr double kPublishPeriod_s = 10.0;  // of simulated tests, which are made faster than they can be read

class Campaign {
  public:
    Campaign(const Experiment& experiment, const CampaignOptions& options, const std::atomic<bool>& stop_requested)
        : experiment_(experiment), options_(options), settings_(experiment), stop_requested_(stop_requested) {}

    CampaignResult run() {
        settings_.require_readable(*experiment_.campaign);
        require_drivable_at_all();
        const CampaignFolder folder = options_.resume ? taken_up(experiment_, settings_, options_.folder)
                                                      : begun(experiment_, settings_, options_.folder);
        folder_ = folder.path;
        table_ = folder.tests;
        protocol_ = make_protocol(experiment_, settings_);
        if (options_.resume) take_up_what_was_left();
        prepare_graph();
        CampaignResult result = go_on();
        result.folder = folder_;
        result.figures_missing = show(true);
        const Published now = published();
        result.text = campaign_text(now);
        result.json = campaign_json(now);
        return result;
    }

  private:
    // What no setting changes.
    void require_drivable_at_all() const {
        if (experiment_.campaign->driven_by != CampaignDrive::table) return;
        experiment::require_drivable(experiment_);
        if (!experiment_.excitation.table_motion_missing.empty())
            throw InputError(fmt::format("{}: {} (a test that no table makes: driven_by = \"hand\")",
                                         experiment_.source.string(), experiment_.excitation.table_motion_missing));
    }

    TestSetup setup() const {
        return {experiment_, settings_, folder_, options_.drive, options_.person, stop_requested_, options_.progress};
    }

    CampaignResult go_on() {
        CampaignResult result;
        while (result.ended.empty()) {
            const auto next = protocol_->next(table_->tests());
            if (!next) {
                result.is_complete = true;
                return result;
            }
            if (stop_requested_)
                result.ended = "a stop was asked for between two tests";
            else if (table_->tests().size() >= experiment_.campaign->tests_max)
                result.ended =
                    fmt::format("[campaign] tests_max = {} tests are made: a larger number there allows more",
                                experiment_.campaign->tests_max);
            else if (is_fruitless(*next))
                result.ended = fmt::format("{} tests of {} in a row gave no outcome: {}", kFruitlessMax,
                                           settings_.text(next->setting), table_->tests().back().reason);
            else
                make(*next, result);
        }
        return result;
    }

    void make(const NextTest& next, CampaignResult& result) {
        MadeTest made;
        try {
            made = make_test(setup(), next, preparation(next));
        } catch (const files::OutputError& error) {
            if (made_here_ == 0) throw;
            result.ended = error.what();
            result.output_failed = true;
            return;
        } catch (const std::exception& error) {  // nobody consented, no table
            if (made_here_ == 0) throw;
            result.ended = error.what();
            return;
        }
        result.ended = made.ended;
        result.output_failed = made.output_failed;
        if (!made.record) return;
        table_->append(*made.record);
        ++made_here_;
        spent_s_ += made.record->took_s;
        options_.tell(line_of(*made.record));
        if (!options_.is_simulated || since_shown_s() > kPublishPeriod_s) show();
    }

    Preparation preparation(const NextTest& next) const {
        Preparation preparation;
        const std::vector<TestRecord>& tests = table_->tests();
        preparation.number = next_number();
        preparation.setting = settings_.text(next.setting);
        preparation.made = tests.size();
        preparation.expected_left = protocol_->expected_left(tests);
        preparation.left_s = left_s(preparation.expected_left);
        if (!tests.empty())
            for (const SpecimenRecord& specimen : tests.back().specimens)
                preparation.blocks_fell = preparation.blocks_fell || solver::is_overturning(specimen.outcome);
        preparation.by_hand = experiment_.campaign->driven_by != CampaignDrive::table;
        return preparation;
    }

    // Beyond every record and every folder.
    std::uint64_t next_number() const {
        const std::vector<std::uint64_t> folders = run_numbers(folder_);
        const std::uint64_t recorded = table_->tests().empty() ? 0 : table_->tests().back().number;
        return std::max(recorded, folders.empty() ? 0 : folders.back()) + 1;
    }

    bool is_fruitless(const NextTest& next) const {
        const std::vector<TestRecord>& tests = table_->tests();
        return made_here_ >= kFruitlessMax && tests.size() >= kFruitlessMax &&
               std::all_of(tests.end() - kFruitlessMax, tests.end(), [&](const TestRecord& test) {
                   return test.setting == next.setting && test.status == TestStatus::discarded &&
                          std::none_of(test.specimens.begin(), test.specimens.end(),
                                       [](const SpecimenRecord& s) { return s.outcome.has_value(); });
               });
    }

    // Marks made since, then the folder of a test that has no record.
    void take_up_what_was_left() {
        if (table_->was_torn()) options_.tell("the last line of tests.csv was torn; its test is taken from its folder");
        const std::vector<TestRecord> before = table_->tests();
        for (const TestRecord& test : before)
            if (const auto marked = marked_since(setup(), test)) {
                table_->append(*marked);
                options_.tell(fmt::format("marked since: {}", line_of(*marked)));
            }
        for (const std::uint64_t number : run_numbers(folder_)) {
            const auto is_recorded = [&](const TestRecord& test) { return test.number == number; };
            if (std::any_of(before.begin(), before.end(), is_recorded)) continue;
            const auto record = record_left_behind(setup(), number);
            if (record) table_->append(*record);
            options_.tell(record ? fmt::format("taken up: {}", line_of(*record))
                                 : fmt::format("{}: nothing that could be read was kept of this test: passed over",
                                               run_name(number)));
        }
    }

    // The tests need not wait for it.
    void prepare_graph() {
        plane_ = graph_plane(experiment_, settings_);
        curves_.resize(experiment_.specimens.size());
        if (!plane_ || experiment_.model != "full") return;  // others take minutes
        drawing_ = std::async(std::launch::async, [this] {
            std::vector<std::vector<BoundaryCurve>> curves;
            for (std::size_t i = 0; i < experiment_.specimens.size(); ++i)
                curves.push_back(computed_boundaries(experiment_, settings_, *plane_, i, stop_requested_));
            return curves;
        });
    }

    // Without waiting, unless it is the last time: then the page gets what is still being computed.
    void take_curves(bool is_last) {
        if (!drawing_.valid()) return;
        if (is_last || drawing_.wait_for(std::chrono::seconds(0)) == std::future_status::ready)
            curves_ = drawing_.get();
    }

    Published published() const {
        Published now{experiment_,
                      settings_,
                      table_->tests(),
                      protocol_->boundaries(table_->tests()),
                      protocol_->expected_left(table_->tests()),
                      0.0,
                      plane_,
                      curves_};
        now.left_s = left_s(now.expected_left);
        return now;
    }

    std::string show(bool is_last = false) {
        take_curves(is_last);
        shown_ = std::chrono::steady_clock::now();
        return publish(published(), folder_);
    }

    double left_s(std::size_t tests) const {
        return made_here_ == 0 ? 0.0 : spent_s_ / static_cast<double>(made_here_) * static_cast<double>(tests);
    }
    double since_shown_s() const {
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - shown_).count();
    }

    std::string line_of(const TestRecord& test) const {
        std::string text = fmt::format("test {}: {}: ", test.number, settings_.text(test.setting));
        if (!test.counts()) return text + fmt::format("{}: {}", name(test.status), test.reason);
        for (std::size_t i = 0; i < test.specimens.size(); ++i)
            text += fmt::format("{}{}", i == 0 ? "" : "; ", name(test.specimens[i].outcome));
        return text + fmt::format(" ({})", test.why);
    }

    const Experiment& experiment_;
    const CampaignOptions& options_;
    Settings settings_;
    const std::atomic<bool>& stop_requested_;
    std::filesystem::path folder_;
    std::shared_ptr<TestTable> table_;
    std::unique_ptr<Protocol> protocol_;
    std::optional<GraphPlane> plane_;
    std::vector<std::vector<BoundaryCurve>> curves_;
    std::future<std::vector<std::vector<BoundaryCurve>>> drawing_;
    std::size_t made_here_ = 0;
    double spent_s_ = 0.0;
    std::chrono::steady_clock::time_point shown_{};
};

void require_person(const Experiment& experiment, const CampaignOptions& options) {
    if (experiment.campaign->driven_by == CampaignDrive::hand && !options.person.is_person)
        throw InputError(
            "[campaign] driven_by = \"hand\": needs a person at a terminal who moves the base and looks "
            "(\"simulated_hand\" computes what would happen)");
}

}  // namespace

void require_makeable(const Experiment& experiment) {
    const auto refuse = [&](const std::string& what) {
        throw InputError(fmt::format("{}: {}", experiment.source.string(), what));
    };
    if (!experiment.campaign) refuse("has no [campaign]");
    if (experiment.assembly || experiment.specimens.empty())
        refuse("[campaign] is of blocks and stacks, whose outcome decides what comes next; there are none");
    if (experiment.table.protect)
        refuse("[table] protect: not with [campaign]: a test that was ended early says nothing about its motion");
}

std::unique_ptr<Protocol> make_protocol(const Experiment& experiment, const Settings& settings) {
    const experiment::CampaignSection& campaign = *experiment.campaign;
    switch (campaign.protocol) {
        case CampaignProtocol::descending: return descending_protocol(campaign, experiment.specimens.size());
        case CampaignProtocol::adaptive:
            return adaptive_protocol(
                campaign, experiment.specimens.size(),
                member_boundaries(experiment, settings, is_slow(experiment) ? kSlowMembers : kMembers));
        case CampaignProtocol::list: return listed_protocol(settings.listed(), campaign.repeats);
        case CampaignProtocol::repeats: return listed_protocol({Setting{}}, campaign.repeats);
    }
    return nullptr;
}

CampaignResult run_campaign(const Experiment& experiment, const CampaignOptions& options,
                            const std::atomic<bool>& stop_requested) {
    require_makeable(experiment);
    require_person(experiment, options);
    return Campaign(experiment, options, stop_requested).run();
}

}  // namespace topple::hil::campaign
