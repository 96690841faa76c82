#include "hil/mcap/chunk_codec.hpp"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <memory>

namespace topple::hil::mcap {

namespace {

constexpr std::string_view kZstd = "zstd", kLz4 = "lz4";
constexpr std::size_t kFirstBytes = 256 * 1024;

/// What one call of a codec did.
struct Step {
    std::size_t consumed = 0, produced = 0;
    bool frame_ended = false;
    const char* error = nullptr;
};

class Zstd {
  public:
    Zstd() : context_(ZSTD_createDCtx(), ZSTD_freeDCtx) {}
    bool ok() const noexcept { return context_ != nullptr; }
    Step step(ByteView in, std::span<std::uint8_t> out) {
        ZSTD_inBuffer from{in.data(), in.size(), 0};
        ZSTD_outBuffer to{out.data(), out.size(), 0};
        const std::size_t hint = ZSTD_decompressStream(context_.get(), &to, &from);
        return {from.pos, to.pos, hint == 0, ZSTD_isError(hint) ? ZSTD_getErrorName(hint) : nullptr};
    }

  private:
    std::unique_ptr<ZSTD_DCtx, decltype(&ZSTD_freeDCtx)> context_;
};

class Lz4 {
  public:
    Lz4() : context_(create(), LZ4F_freeDecompressionContext) {}
    bool ok() const noexcept { return context_ != nullptr; }
    Step step(ByteView in, std::span<std::uint8_t> out) {
        std::size_t consumed = in.size(), produced = out.size();
        const std::size_t hint = LZ4F_decompress(context_.get(), out.data(), &produced, in.data(), &consumed, nullptr);
        return {consumed, produced, hint == 0, LZ4F_isError(hint) ? LZ4F_getErrorName(hint) : nullptr};
    }

  private:
    static LZ4F_dctx* create() {
        LZ4F_dctx* context = nullptr;
        return LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) ? nullptr : context;
    }
    std::unique_ptr<LZ4F_dctx, decltype(&LZ4F_freeDecompressionContext)> context_;
};

/// Frame after frame until the stored bytes are used up. One byte of room beyond `size` shows that there is more.
template <typename Codec>
std::string decode(Codec codec, ByteView stored, std::uint64_t size, Bytes& out) {
    if (!codec.ok()) return "not enough memory to decompress a chunk";
    std::size_t produced = 0;
    bool frame_ended = false;
    out.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size + 1, kFirstBytes)));
    for (;;) {
        if (produced == out.size())
            out.resize(static_cast<std::size_t>(std::min<std::uint64_t>(size + 1, 2 * out.size())));
        const Step step = codec.step(stored, std::span(out).subspan(produced));
        if (step.error != nullptr) return fmt::format("chunk cannot be decompressed: {}", step.error);
        stored = stored.subspan(step.consumed);
        produced += step.produced;
        frame_ended = step.frame_ended;
        if (produced > size) return "chunk contains more than it declares";
        const bool stands_still = step.consumed == 0 && step.produced == 0;
        if ((stored.empty() && (frame_ended || produced < out.size())) || stands_still) break;
    }
    if (!stored.empty() || !frame_ended || produced != size) return "chunk contains less than it declares";
    out.resize(produced);
    return {};
}

}  // namespace

bool is_known_compression(std::string_view name) noexcept { return name.empty() || name == kZstd || name == kLz4; }

std::string decompress(std::string_view compression, ByteView stored, std::uint64_t size, Bytes& out) {
    if (!is_known_compression(compression))
        return fmt::format("chunk uses a compression that Topple does not read (it reads zstd and lz4)");
    if (size > kChunkRecordsBytesMax)
        return fmt::format("chunk declares {} bytes; at most {} are read", size, kChunkRecordsBytesMax);
    if (compression == kZstd) return decode(Zstd(), stored, size, out);
    if (compression == kLz4) return decode(Lz4(), stored, size, out);
    out.assign(stored.begin(), stored.end());
    return {};
}

}  // namespace topple::hil::mcap
