// Any bytes as a file of ground motion: refused with a reason, or finite samples of one length with times that
// increase.
#include <cmath>
#include <cstdint>
#include <optional>
#include <string_view>

#include "hil/files/errors.hpp"

#include "hil/ground_motion/read_record.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

namespace {

void check(const hil::ground_motion::Channel& channel) {
    require(channel.samples.size() >= 2 && channel.samples.size() <= hil::ground_motion::kSamplesMax,
            "bounded samples");
    for (const double value : channel.samples) require(std::isfinite(value), "samples are finite");
    require(channel.time_s.empty() || channel.time_s.size() == channel.samples.size(), "every sample has its time");
    for (std::size_t i = 1; i < channel.time_s.size(); ++i)
        require(channel.time_s[i] > channel.time_s[i - 1], "time increases");
    require(channel.step_s >= 0.0 && std::isfinite(channel.step_s), "a step is a time");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static const fuzz::ScratchFolder folder;
    const auto file = folder.write("record.dat", {reinterpret_cast<const char*>(bytes) + 1, size - 1});
    hil::ground_motion::Stated stated;
    if (bytes[0] % 2 == 1) stated = {0.01, "g"};
    try {
        const auto record = hil::ground_motion::read_record(file, "auto", stated);
        require(!record.channels.empty(), "a record has a channel");
        for (const auto& channel : record.channels) check(channel);
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
