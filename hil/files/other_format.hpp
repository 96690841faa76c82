// What a file that is no CSV of ours seems to be, in words for its owner.
#pragma once

#include <string>
#include <string_view>

namespace topple::hil::files {

/// One sentence: what the file's content looks like and what to do with it. Empty if it looks like nothing known.
/// Looks at the content alone; meant for files that could not be read.
std::string other_format(std::string_view content);

}  // namespace topple::hil::files
