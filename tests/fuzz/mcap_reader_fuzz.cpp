// Any bytes into the reader of logs: a libFuzzer target, or with a main() of its own a replay of kept inputs.
#include <cstdint>
#include <span>

#include "hil/mcap/reader.hpp"
#include "hil/run_log/log_codec.hpp"

namespace {

/// Decodes every message, as read_run_log does.
struct Decoder final : topple::hil::mcap::Visitor {
    std::string on_message(const topple::hil::mcap::Channel& channel,
                           const topple::hil::mcap::MessageView& message) override {
        return codec.decode(channel.topic, message.data, run);
    }
    topple::hil::run_log::LogCodec codec;
    topple::hil::run_log::RunData run;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::span<const std::uint8_t> file(bytes, size);
    Decoder decoder;
    topple::hil::mcap::scan(file, decoder);
    (void)topple::hil::mcap::verify_index(file);
    return 0;
}
