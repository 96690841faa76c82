// Was the prediction there before the motion? Checked from the file and the log, and said in one sentence.
#pragma once

#include <optional>
#include <string>

#include "hil/run_log/records.hpp"

namespace topple::hil::compare {

/// What prediction.json of a run folder says of itself.
struct PredictionFile {
    std::string sha256;       ///< of the file as it is now, hex; empty: there is no file
    std::string created_utc;  ///< stated in it, "2026-03-01T13:02:11.123Z"; empty: it states none
};

struct BlindRecord {
    bool proven = false;      ///< the file is the one whose hash the log begins with, and older than the motion
    std::string sha256;       ///< of the file; empty: there is no file
    std::string created_utc;  ///< as stated in the file
    std::string motion_utc;   ///< of the first sample of the motion, by the log's clock; empty: not known
    std::optional<double> before_motion_s;  ///< motion_utc - created_utc; empty if one of them is not known
    std::string statement;                  ///< "prediction of <UTC> (hash matches ...), <x> s before ..." or why not
};

/// Pure. On a virtual clock there are no dates: there the order of the log's records is the proof. Elsewhere the time
/// stated in the file cannot have been changed later, because the log's first record is the hash of the whole file; the
/// motion's time is the log's wall clock at device time 0 plus the device time of its first setpoint.
BlindRecord check_blind_record(const PredictionFile& file, const run_log::RunData& run);

}  // namespace topple::hil::compare
