// An experiment file with some of its numbers replaced: what a map reads at each of its points.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace topple::hil::experiment {

/// The text of a file in which numbers can be named: "section.key", an array by the index of its element
/// ("specimen.blocks.1.height_m"); without an index a key means that of every element of an array, and [specimen] of a
/// file with several means the first. "friction" of { static, kinetic } means both.
class VariedText {
  public:
    /// `file` is used in messages only. Throws InputError for what is no TOML.
    VariedText(std::string text, const std::string& file);
    ~VariedText();
    VariedText(VariedText&&) noexcept;

    /// The number as written (of several the first). Throws InputError naming the file, the key, what stands there
    /// instead or, if it is missing, the keys of the innermost table that is there.
    double number(std::string_view key) const;
    bool has(std::string_view key) const;

    struct Change {
        std::string key;
        double value = 0.0;
    };
    /// The text with these numbers in place of its own; lines stay where they are. Throws as number(), and InputError
    /// if two of them set the same number.
    std::string with(const std::vector<Change>& changes) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace topple::hil::experiment
