// [campaign], and the file of one of its tests.
#include <algorithm>
#include <string>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/models.hpp"
#include "hil/experiment/test_text.hpp"
#include "hil/files/errors.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kHead =
    "name = \"c\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
    "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";
const std::string kRows =
    "rows = { key = \"excitation.amplitude_m_s2\", values = [3.0, 4.0] }\n"
    "search = { key = \"excitation.frequency_hz\", from = 8.0, to = 2.0 }\n";

experiment::Experiment read(const std::string& text) { return experiment::read_experiment_text(text, "c.toml", {}); }

}  // namespace

TEST_CASE("[campaign] is read with its protocol, rows and search, repeats are 3 near a boundary by default") {
    const auto campaign = *read(kHead + "[campaign]\nprotocol = \"descending\"\n" + kRows).campaign;
    CHECK(campaign.protocol == experiment::CampaignProtocol::descending);
    CHECK(campaign.rows->values == std::vector<double>{3.0, 4.0});
    CHECK(campaign.search->from == 8.0);
    CHECK(campaign.repeats == 3);
    const auto list = *read(kHead +
                            "[campaign]\nprotocol = \"list\"\ntests = [{ \"excitation.frequency_hz\" = 2.0 }, "
                            "{ \"excitation.frequency_hz\" = 3.0 }]\n")
                           .campaign;
    CHECK(list.list.settings == std::vector<std::vector<double>>{{2.0}, {3.0}});
    CHECK(list.repeats == 1);
}

TEST_CASE("A campaign that makes no sense is refused, and the message says where and what is allowed") {
    const auto refused = [](const std::string& campaign, const std::string& words) {
        CHECK_THROWS_WITH(read(kHead + "[campaign]\n" + campaign), ContainsSubstring(words));
    };
    refused("protocol = \"random\"\n", "descending");
    refused("protocol = \"descending\"\n", "rows");
    refused("protocol = \"adaptive\"\nrepeats = 3\n" + kRows, "repeats a test where that tells most");
    refused(
        "protocol = \"descending\"\nrows = { key = \"excitation.frequency_hz\", values = [3.0] }\n"
        "search = { key = \"excitation.frequency_hz\", from = 8.0, to = 2.0 }\n",
        "as rows does");
    refused(
        "protocol = \"descending\"\nrows = { key = \"excitation.frequency_hz\", values = [3.0, 3.0] }\n"
        "search = { key = \"excitation.amplitude_m_s2\", from = 8.0, to = 2.0 }\n",
        "the same number twice");
    refused("protocol = \"list\"\n", "either file");
    refused("protocol = \"list\"\ntests = [{ \"a.b\" = 1.0 }, { \"a.c\" = 1.0 }]\n", "a.b");
    refused("protocol = \"repeats\"\nrepeats = 0\n", "repeats");
    refused("protocol = \"repeats\"\nreps = 2\n", "reps");
    refused("protocol = \"repeats\"\ndriven_by = \"wind\"\n", "simulated_hand");
}

TEST_CASE("The file of a test is the campaign's without [campaign], line by line where it was") {
    const std::string text = kHead + "# how it goes\n[campaign]\nprotocol = \"descending\"\n# a comment stays\n" +
                             kRows + "repeats = 4\n\n[simulation]\nseed = 3\n";
    const std::string one = experiment::text_of_one_test(text, "c.toml", 12);
    CHECK(std::count(one.begin(), one.end(), '\n') == std::count(text.begin(), text.end(), '\n'));
    CHECK_THAT(one, ContainsSubstring("[campaign_test]\nnumber = 12\n# a comment stays\n"));
    CHECK(one.find("repeats") == std::string::npos);
    CHECK(one.substr(0, kHead.size()) == kHead);
    CHECK(one.find("[simulation]") == text.find("[simulation]") - (text.size() - one.size()));
    const experiment::Experiment test = read(one);
    CHECK_FALSE(test.campaign.has_value());
    CHECK(test.campaign_test == 12);
    CHECK(test.simulation.seed == 3);
}

TEST_CASE("[campaign] may be anywhere and have sub-tables, written inline it is refused with what to do") {
    const std::string text =
        "name = \"c\"\n[campaign]\nprotocol = \"descending\"\n[campaign.rows]\nkey = "
        "\"excitation.amplitude_m_s2\"\nvalues = [3.0,\n 4.0]\n[campaign.search]\nkey = "
        "\"excitation.frequency_hz\"\nfrom = 8.0\nto = 2.0\n" +
        kHead.substr(kHead.find('\n') + 1);
    REQUIRE(read(text).campaign.has_value());
    const experiment::Experiment test = read(experiment::text_of_one_test(text, "c.toml", 1));
    CHECK_FALSE(test.campaign.has_value());
    CHECK(test.specimens.size() == 1);
    const std::string inline_form = "campaign = { protocol = \"repeats\" }\n" + kHead;
    CHECK_THROWS_WITH(experiment::text_of_one_test(inline_form, "c.toml", 1),
                      ContainsSubstring("as a section of its own"));
}
