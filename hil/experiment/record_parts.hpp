// The parts of a record's section: reading the samples, correcting and scaling them.
#pragma once

#include <string>
#include <vector>

#include "hil/experiment/record_account.hpp"
#include "hil/experiment/sections.hpp"
#include "hil/files/csv.hpp"
#include "hil/signal/even_grid.hpp"

namespace topple::hil::experiment {

struct RecordSamples {
    std::vector<double> time_s, acceleration_m_s2;  ///< of one size, at least 2; times from 0 on
    double clock_start_s = 0.0;                     ///< time in the file that is 0 here
    signal::Samples displacement;                   ///< of displacement_channel, m; same times; else empty
};

/// Keys that name a displacement beside the acceleration.
bool has_displacement(TomlTable& section);
/// Column displacement_channel of the record's own CSV, m. Times are those of the record, from 0 on.
signal::Samples displacement_column(TomlTable& section, const files::CsvTable& csv, const std::vector<double>& time_s);
/// Acceleration of the record as it would be with another calibration; not corrected, not scaled.
struct VariedSamples {
    std::string name;
    std::vector<double> acceleration_m_s2;
};
/// Keys displacement_*: calibrates the acceleration by the displacement and replaces the samples by the fused motion.
/// Returns its variants; nothing happens without a displacement, or with displacement_check = "off".
std::vector<VariedSamples> fuse_record(TomlTable& section, const ExcitationContext& context, RecordSamples& samples,
                                       RecordAccount& account, std::vector<std::string>& remarks);

/// Keys file, format, channel, units, step_s, uneven_time: the samples as they were read, in m/s2.
RecordSamples read_record_samples(TomlTable& section, const ExcitationContext& context, RecordAccount& account);
/// Every key that corrects or scales: changes the samples, notes what was done. Remarks go to the excitation.
/// Returns the corner of the high-pass, if one is asked for.
std::optional<double> correct_record(TomlTable& section, const ExcitationContext& context, RecordSamples& samples,
                                     RecordAccount& account, std::vector<std::string>& remarks);

}  // namespace topple::hil::experiment
