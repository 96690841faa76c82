// Figures by gnuplot: a script in a file, run beside its data.
#pragma once

#include <filesystem>

namespace topple::hil {

/// Runs `gnuplot script` in the script's folder and waits for it. Throws OutputError with gnuplot's own words if it
/// fails, or a clear message if gnuplot is not installed.
void run_gnuplot(const std::filesystem::path& script);

}  // namespace topple::hil
