#include "hil/experiment/photo.hpp"

#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/picture.hpp"

namespace topple::hil::experiment {

std::string read_photo(const std::filesystem::path& file) {
    std::string bytes = files::read_text_file(file, kPhotoBytesMax);
    if (!files::picture_of(bytes))
        throw files::InputError(file.string() + ": is no picture; a JPEG or PNG file is allowed, at most 8 MiB");
    return bytes;
}

}  // namespace topple::hil::experiment
