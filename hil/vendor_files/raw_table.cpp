#include "hil/vendor_files/raw_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/vendor_files/labview.hpp"
#include "hil/vendor_files/mat_file.hpp"
#include "hil/vendor_files/text_table.hpp"

namespace topple::hil::vendor_files {

std::size_t RawTable::find(std::string_view name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found != names.end()) {
        if (std::find(found + 1, names.end(), name) != names.end())
            throw files::InputError(
                fmt::format("{}: two columns are named \"{}\": give the number of the one that is "
                            "meant; there are: {}",
                            file, name, list()));
        return static_cast<std::size_t>(found - names.begin());
    }
    std::size_t number = 0;
    const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size() && number >= 1 && number <= names.size())
        return number - 1;
    throw files::InputError(fmt::format("{}: no column \"{}\"; there are: {}", file, name, list()));
}

std::string RawTable::list() const {
    std::string text;
    for (std::size_t i = 0; i < names.size(); ++i)
        text += fmt::format("{}{} \"{}\"{}", i > 0 ? ", " : "", i + 1, names[i],
                            units[i].empty() ? "" : fmt::format(" ({})", units[i]));
    return text;
}

RawTable read_raw_table(const std::filesystem::path& file) {
    const std::string bytes = files::read_text_file(file, kFileMax_bytes);
    if (is_mat_file(bytes)) return read_mat_file(file);
    const std::string text = text_of(bytes, file.string());
    if (is_labview(text)) return read_labview(text, file.string());
    return read_text_table(text, file.string());
}

}  // namespace topple::hil::vendor_files
