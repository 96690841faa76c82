#include "hil/campaign/publish.hpp"

#include <fmt/format.h>

#include "hil/campaign/page_parts.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/output_file.hpp"
#include "hil/report/html.hpp"
#include "hil/scores/scores_output.hpp"

namespace topple::hil::campaign {
namespace {

namespace fs = std::filesystem;

/// Draws into the folder, and gives the figure for the page.
class Figures {
  public:
    explicit Figures(fs::path folder) : folder_(std::move(folder)) {}

    template <typename Draw>
    std::string draw(const std::string& name, const std::string& caption, const Draw& draw) {
        try {
            if (!draw(folder_ / (name + ".svg"))) return {};
            return fmt::format("<figure>{}<figcaption>{}</figcaption></figure>\n",
                               report::inline_svg(files::read_text_file(folder_ / (name + ".svg")), caption),
                               report::escape_html(caption));
        } catch (const std::runtime_error& error) {
            failed_ = error.what();
            return fmt::format("<p class=\"note\">There is no figure: {}</p>", report::escape_html(failed_));
        }
    }
    const std::string& failed() const noexcept { return failed_; }

  private:
    fs::path folder_;
    std::string failed_;
};

}  // namespace

std::vector<scores::ScoredTest> scored_tests(const Settings& settings, std::span<const TestRecord> tests,
                                             std::size_t specimen) {
    std::vector<scores::ScoredTest> scored;
    for (const TestRecord& test : tests) {
        if (!test.counts() || specimen >= test.specimens.size() || !test.specimens[specimen].outcome) continue;
        const SpecimenRecord& record = test.specimens[specimen];
        scores::ScoredTest one;
        one.name = run_name(test.number);
        one.probability = record.probability;
        one.members = record.members;
        one.predicted = record.predicted;
        one.observed = scores::observed(*record.outcome);
        one.observed.slip_unseen = record.source != "simulated";
        one.peak_velocity_m_s = test.peak_velocity_m_s;
        if (!one.observed.overturned) one.peak_rotation_rad = record.peak_rotation_rad;
        one.group = settings.text(test.setting);
        scored.push_back(std::move(one));
    }
    return scored;
}

std::string publish(const Published& campaign, const fs::path& folder) {
    Figures figures(folder);
    std::string body = page_head(campaign);
    const std::size_t specimens = campaign.experiment.specimens.size();
    for (std::size_t i = 0; i < specimens; ++i) {
        const std::string of = specimens > 1 ? fmt::format(" of specimen {}", i) : std::string();
        const std::string file = specimens > 1 ? fmt::format("_{}", i) : std::string();
        const std::vector<scores::ScoredTest> scored = scored_tests(campaign.settings, campaign.tests, i);
        const scores::Scores score = scores::score(scored);
        if (campaign.plane) {
            const auto draw = [&](const fs::path& figure) {
                draw_stability_graph(
                    *campaign.plane,
                    {campaign.experiment.name + of, campaign.curves.at(i), campaign.tests, campaign.boundaries, i},
                    figure);
                return true;
            };
            body += report::html_section(
                "Stability graph" + of,
                figures.draw("stability" + file, "Computed boundaries of overturning and the outcome of every test.",
                             draw));
            files::write_file(folder / ("boundaries" + file + ".csv"),
                              boundaries_csv(campaign.curves.at(i), *campaign.plane), files::Overwrite::allow);
        }
        body += boundaries_section(campaign, i);
        body += scores::scores_html(score);
        body += figures.draw("reliability" + file, "How often it overturned, over the probability predicted before.",
                             [&](const fs::path& figure) { return scores::draw_reliability(score, figure); });
        body += figures.draw("peak_velocity" + file, "Tests over the peak velocity of the base, with a logistic fit.",
                             [&](const fs::path& figure) { return scores::draw_velocity_fit(score, figure); });
        body += scores::repeats_html(scores::repeat_groups(scored));
    }
    body += tests_section(campaign);
    files::write_file(folder / "summary.json", campaign_json(campaign), files::Overwrite::allow);
    files::write_file(folder / "index.html", report::html_page("Topple: " + campaign.experiment.name, body),
                      files::Overwrite::allow);
    return figures.failed();
}

}  // namespace topple::hil::campaign
