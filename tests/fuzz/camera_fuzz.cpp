// Any text as a camera's file, for one block or two: refused with a reason, or histories that can be used.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "hil/camera/read_rotation.hpp"
#include "hil/files/errors.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static const fuzz::ScratchFolder folder;
    const auto file = folder.write("camera.csv", {reinterpret_cast<const char*>(bytes) + 1, size - 1});
    hil::camera::ReadOptions options;
    if (bytes[0] & 1) options.decimal = ',';
    if (bytes[0] & 2) options.unit = "mm";
    if (bytes[0] & 4) options.rate_hz = 150.0;
    if (bytes[0] & 8) options.plane = "-x,z";
    const std::size_t blocks = bytes[0] & 16 ? 2 : 1;
    try {
        const auto history = hil::camera::read_rotation(file, options, blocks);
        require(history.rotation_rad.size() == blocks, "every block has a history");
        for (std::size_t i = 1; i < history.frames(); ++i)
            require(history.time_s[i] > history.time_s[i - 1], "time increases");
        for (const auto& block : history.rotation_rad) {
            require(block.size() == history.frames(), "every frame has a reading or a gap");
            for (const double value : block) require(!std::isinf(value), "readings are finite or gaps");
        }
        require(history.sync.empty() || history.sync.size() == history.frames(), "every frame has its level");
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
