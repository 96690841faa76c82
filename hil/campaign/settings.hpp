// The numbers that a campaign varies, and the experiment of one test.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/varied_text.hpp"

namespace topple::hil::campaign {

/// One number per key of the campaign.
using Setting = std::vector<double>;

class Settings {
  public:
    /// Of an experiment with a campaign; a list in a file is read here, relative to the experiment. Throws InputError
    /// for a key that the experiment does not have, and for a list that cannot be read.
    explicit Settings(const experiment::Experiment& experiment);

    const std::vector<std::string>& keys() const noexcept { return keys_; }
    /// Of protocol list, in order; empty of all others.
    const std::vector<Setting>& listed() const noexcept { return listed_; }
    /// As it would stand in a file of its own: the numbers in place, `number` as its [campaign_test]. Throws InputError
    /// for numbers that are not allowed.
    experiment::Experiment at(const Setting& setting, std::uint64_t number) const;
    /// The same for computing only: quicker, of no particular number.
    experiment::Experiment trial(const Setting& setting) const;
    /// The numbers in the file of a test. Throws InputError if it lacks one.
    Setting setting_of(const experiment::Experiment& one) const;
    /// Throws InputError if the experiment file does not allow a listed setting, or both ends of a row's search: what
    /// no test could be made of is said before the first one. Of a long list the first ones are looked at.
    void require_readable(const experiment::CampaignSection& campaign) const;
    /// "amplitude_m_s2 = 3, frequency_hz = 4.5"; "as described" without keys.
    std::string text(const Setting& setting) const;

  private:
    void read_list(const experiment::Experiment& experiment);
    std::vector<experiment::VariedText::Change> changes(const Setting& setting) const;

    std::filesystem::path source_;
    experiment::VariedText text_, trial_text_;
    std::vector<std::string> keys_;
    std::vector<Setting> listed_;
};

}  // namespace topple::hil::campaign
