// Any text as a machine file: refused with a reason, or a machine that survives being written and read again.
#include <cstdint>
#include <string_view>

#include "hil/experiment/experiment.hpp"
#include "hil/files/errors.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const fuzz::ScratchFolder folder;
    folder.write("machine.toml", {reinterpret_cast<const char*>(bytes), size});
    try {
        const auto machine = hil::experiment::read_machine("machine.toml", folder.path()).description;
        require(machine.stroke_m > 0.0 && machine.counts_per_m > 0.0 && machine.feedback_rate_hz > 0.0,
                "a machine has numbers");
        folder.write("again.toml", hil::experiment::machine_toml(machine));
        const auto again = hil::experiment::read_machine("again.toml", folder.path()).description;
        require(configuration_hash(again) == configuration_hash(machine), "a machine survives being written");
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
