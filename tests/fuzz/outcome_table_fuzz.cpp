// Any text as a table of tests: refused with a reason, or rows of which each is an experiment's text or refused.
#include <cstdint>
#include <string>
#include <string_view>

#include "hil/files/csv_cells.hpp"
#include "hil/files/errors.hpp"
#include "hil/outcome_tables/outcome_table.hpp"
#include "hil/outcome_tables/table_text.hpp"
#include "tests/fuzz/require.hpp"
#include "tests/fuzz/scratch_folder.hpp"

using namespace topple;
using fuzz::require;

namespace {

constexpr std::string_view kExperiment =
    "name = \"x\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n"
    "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

void read(const std::filesystem::path& file, const std::filesystem::path& experiment) {
    const auto table = hil::outcome_tables::read_outcome_table(file, experiment);
    require(table.rows.size() == table.text.rows.size(), "every line is a row");
    for (const auto& row : table.rows) {
        require(row.cells.size() >= table.columns.all.size(), "every column has a cell");
        require(row.refused.has_value() == row.experiment_text.empty(), "a row is an experiment or refused");
        require(!row.refused || !row.refused->reason.empty(), "a refusal has a reason");
        require(row.refused || row.seen || !row.not_scored.empty(), "an outcome is known, or it is said why not");
        for (const std::string& cell : row.cells) {
            const auto again =
                hil::outcome_tables::parse_table_text("a,b\n" + hil::files::csv_cell(cell) + ",x\n", "t");
            require(again.rows.at(0).cells.at(0) == cell || cell.find('\r') != std::string::npos,
                    "a cell that is written is read again");
        }
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static const fuzz::ScratchFolder folder;
    static const auto experiment = folder.write("experiment.toml", kExperiment);
    const auto file = folder.write("tests.csv", {reinterpret_cast<const char*>(bytes), size});
    try {
        read(file, experiment);
    } catch (const hil::files::InputError& refused) {
        require(refused.what()[0] != '\0', "a refusal has a reason");
    }
    return 0;
}
