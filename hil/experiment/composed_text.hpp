// An experiment file with keys set or added and its specimen exchanged: what one row of a table of tests describes.
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace topple::hil::experiment {

struct TomlDocument;

class ComposedText {
  public:
    /// `file` is used in messages only. Throws InputError for what is no TOML.
    ComposedText(std::string text, const std::string& file);

    bool has(std::string_view key) const;  ///< "section.key"; of an array that of its first element

    /// Keys as in VariedText, and those that are not there yet.
    struct Setting {
        std::string key;
        std::string value;  ///< a number, true or false, else a text
    };
    /// Whole parts that files take the place of, before keys are set.
    struct Exchange {
        std::optional<std::filesystem::path> specimen;  ///< an experiment or specimen file, for its specimens
        /// A record; an [excitation] of another type goes with all its keys.
        std::optional<std::filesystem::path> motion;
    };
    /// The file written anew, without comments: the same settings give the same text. A key takes the place of the one
    /// that says the same in another unit (amplitude_g of amplitude_m_s2). Throws InputError for a specimen file that
    /// cannot be read, and for a key that leads through a value that is no table.
    std::string with(std::span<const Setting> settings, const Exchange& exchange = {}) const;

  private:
    std::shared_ptr<const TomlDocument> document_;
};

}  // namespace topple::hil::experiment
