// Any text as a table of columns, read in each of the ways there are: refused with a reason, or a rectangle of numbers.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "hil/files/csv.hpp"
#include "hil/files/declared_columns.hpp"
#include "hil/files/errors.hpp"
#include "hil/study/free_rocking.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

namespace {

void strictly(const std::filesystem::path& file) {
    const auto table = hil::files::read_csv(file);
    require(table.names.size() == table.columns.size(), "every column has a name");
    for (const auto& column : table.columns) {
        require(column.size() == table.line_numbers.size(), "columns are of one length");
        for (const double value : column) require(std::isfinite(value), "cells are finite");
    }
    hil::files::require_increasing(table, table.names.front());
}

void columns(const std::filesystem::path& file, std::optional<double> rate_hz, hil::files::Gaps gaps) {
    const auto columns = hil::files::read_declared_columns(file, rate_hz, gaps);
    for (const auto* series : {&columns.displacement_m, &columns.acceleration_m_s2})
        require(series->empty() || series->size() == columns.time_s.size(), "series have their times");
    for (std::size_t i = 1; i < columns.time_s.size(); ++i)
        require(columns.time_s[i] > columns.time_s[i - 1], "time increases");
    for (const auto& rotation : columns.rotation_rad)
        require(rotation.size() == columns.time_s.size(), "rotations have their times");
}

void free_rocking(const std::filesystem::path& file) {
    hil::study::FreeRockingRequest request;
    request.record = file;
    request.block = {.width_m = 0.06, .height_m = 0.27, .mass_kg = 2.5692};
    require(!hil::study::free_rocking_json(request, hil::study::fit_free_rocking(request)).empty(),
            "a fit can be told");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    if (size == 0) return 0;
    static const fuzz::ScratchFolder folder;
    const auto file = folder.write("columns.csv", {reinterpret_cast<const char*>(bytes) + 1, size - 1});
    try {
        switch (bytes[0] % 5) {
            case 0: strictly(file); break;
            case 1: columns(file, std::nullopt, hil::files::Gaps::refuse); break;
            case 2: columns(file, std::nullopt, hil::files::Gaps::allow); break;
            case 3: columns(file, 200.0, hil::files::Gaps::allow); break;
            case 4: free_rocking(file); break;
        }
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
