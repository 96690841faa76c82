// Auxiliary analog inputs of a table: what the machine file says of each and how the volts are read.
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace topple::hil::experiment {

inline constexpr std::size_t kAuxListedMax = 8;  ///< as many as a device can have

/// One [[aux]] of a machine file, in the order of the device's inputs.
struct AuxChannel {
    std::string name;
    std::string unit;     ///< of the physical quantity, as written: "N", "m/s2"
    double scale = 1.0;   ///< unit per volt as reported
    double offset = 0.0;  ///< unit at 0 V

    double physical(double volts) const noexcept { return offset + scale * volts; }
    /// aux_<name>_<unit>: letters and digits as they are, everything else '_'.
    std::string column() const;
};

/// Entries for the metadata of a log, aux_<i>_name and so on, and back; what is incomplete ends the list.
std::map<std::string, std::string> aux_metadata(std::span<const AuxChannel> channels);
std::vector<AuxChannel> aux_of_metadata(const std::map<std::string, std::string>& metadata);

}  // namespace topple::hil::experiment
