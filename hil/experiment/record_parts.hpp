// The parts of a record's section: reading the samples, correcting and scaling them.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/record_account.hpp"
#include "hil/experiment/sections.hpp"

namespace topple::hil::experiment {

struct RecordSamples {
    std::vector<double> time_s, acceleration_m_s2;  ///< of one size, at least 2; times from 0 on
};

/// Keys file, format, channel, units, step_s, uneven_time: the samples as they were read, in m/s2.
RecordSamples read_record_samples(TomlTable& section, const ExcitationContext& context, RecordAccount& account);
/// Every key that corrects or scales: changes the samples, notes what was done. Remarks go to the excitation.
/// Returns the corner of the high-pass, if one is asked for.
std::optional<double> correct_record(TomlTable& section, const ExcitationContext& context, RecordSamples& samples,
                                     RecordAccount& account, std::vector<std::string>& remarks);

}  // namespace topple::hil::experiment
