// Files that are either whole or not there, and never overwritten unasked.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

namespace topple::hil::files {

enum class Overwrite { refuse, allow };

/// A file being written under a new name of its own in the folder of its target: whatever is there already, a symbolic
/// link included, is neither followed nor touched. Removed again unless it was put in place.
class UnfinishedFile {
  public:
    /// Throws OutputError if it cannot be created.
    explicit UnfinishedFile(std::filesystem::path target);
    ~UnfinishedFile();
    UnfinishedFile(const UnfinishedFile&) = delete;
    UnfinishedFile& operator=(const UnfinishedFile&) = delete;

    /// For libraries that write by name.
    const std::filesystem::path& name() const noexcept { return name_; }
    void append(std::string_view text);  ///< throws OutputError
    void sync();                         ///< to the disk; throws OutputError
    /// Gives it the target's name. Throws InputError if that exists and must not be overwritten, OutputError.
    void put_in_place(Overwrite overwrite);

  private:
    [[noreturn]] void fail(int error) const;
    std::filesystem::path target_, name_;
    int descriptor_ = -1;
};

/// A whole text through an UnfinishedFile. A device or pipe (e.g. /dev/stdout) is written directly.
/// Throws InputError if it exists and must not be overwritten, OutputError if it cannot be written.
void write_file(const std::filesystem::path& file, std::string_view text, Overwrite overwrite = Overwrite::refuse);

/// Takes the next piece of a text; throws OutputError.
using TextSink = std::function<void(std::string_view)>;
/// The same in pieces, for a text too long to be held: `write` is called once, with where the pieces go.
void write_file_in_pieces(const std::filesystem::path& file, Overwrite overwrite,
                          const std::function<void(const TextSink&)>& write);

/// The refusal of write_file, for asking before long work.
void require_writable_name(const std::filesystem::path& file, Overwrite overwrite);

}  // namespace topple::hil::files
