// Copies what is sound in a log, record by record as it is, and gives the copy an index.
#pragma once

#include <map>
#include <string>

#include "hil/files/log_file.hpp"
#include "hil/mcap/format.hpp"

namespace topple::hil::mcap {

/// A metadata record added behind the copied ones; no name: none.
struct AddedMetadata {
    std::string name;
    std::map<std::string, std::string> entries;
};

/// Chunks keep their compression; attachments, metadata and records that are not known here are kept as they are.
/// Left out is what scan() calls damaged, and the old indexes. `torn` must begin with magic and header. Returns false
/// if `out` refuses.
bool copy_sound_records(ByteView torn, files::LogFile& out, const AddedMetadata& added);

}  // namespace topple::hil::mcap
