// Which column of a foreign file is what, in which unit, with which sign, zero and factor.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "hil/files/declared_columns.hpp"
#include "hil/vendor_files/raw_table.hpp"

namespace topple::hil::vendor_files {

/// SI value = sign scale (raw - offset) unit.
struct ChannelChoice {
    std::string quantity;  ///< "time", "displacement", "acceleration", "rotation_<block>"
    std::string column;    ///< name, or number from 1
    std::string unit;      ///< empty: the one that the file states; "any": of an acceleration, left to its gain
    double sign = 1.0;     ///< 1 or -1
    double offset = 0.0;   ///< in the column's unit
    double scale = 1.0;    ///< not 0
};

/// "displacement=Disp Ch1,unit=mm,sign=-1,offset=0.4,scale=1.002"; all but quantity and column may be left out. A comma
/// in a column's name, unless it is in parentheses: give the column's number. Throws InputError.
ChannelChoice parse_channel(std::string_view text);

/// What was taken, for the log and the operator.
struct ChosenColumns {
    files::DeclaredColumns columns;
    std::vector<std::string>
        said;  ///< one line per channel: column, unit, sign, offset, scale, extent of the SI values
};

/// Throws InputError: no such column, unit missing or unknown, a quantity chosen twice, neither displacement nor
/// acceleration nor rotation, columns of different length, time that does not increase, no time and no rate, or both.
ChosenColumns choose_channels(const RawTable& table, const std::vector<ChannelChoice>& choices,
                              std::optional<double> rate_hz);

}  // namespace topple::hil::vendor_files
