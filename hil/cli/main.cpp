// The `topple` executable.
#include "hil/cli/build_identity.hpp"
#include "hil/cli/command_line.hpp"

int main(int argc, char** argv) {
    return topple::hil::cli::run_command_line(argc, argv, topple::hil::cli::this_build());
}
