// The small tree of errors that the command line turns into exit codes.
#pragma once

#include <stdexcept>

namespace topple::hil::files {

/// Bad or infeasible experiment, machine file or argument: exit 2, nothing has moved.
class InputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// The test ran (or the answer is known) but a file could not be written: exit 1.
class OutputError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// A prediction was made and reported, but its solution failed, so that it has no outcome: exit 4.
class NoOutcomeError : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

// Device missing, wrong protocol, port lost, stop or fault: firmware_iface::DeviceError, exit 3; but a text that names
// no device is firmware_iface::AddressError, exit 2.

}  // namespace topple::hil::files
