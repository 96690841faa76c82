// Which column of a table is what.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "hil/experiment/composed_text.hpp"
#include "hil/outcome_tables/table_text.hpp"

namespace topple::hil::outcome_tables {

enum class Role {
    ignored,        ///< nothing that is known
    of_campaign,    ///< what a campaign's own table has beside the settings: passed over
    carried,        ///< date, note: copied to the results
    test,           ///< name
    key,            ///< of the experiment file, or a derived axis
    motion,         ///< file of a base acceleration
    specimen,       ///< experiment or specimen file
    outcome,        ///< in words or letters
    fell,           ///< y: it overturned
    stood,          ///< y: it did not
    discarded,      ///< not empty: why the test does not count
    peak_velocity,  ///< of the base, m/s, measured
    peak_rotation,  ///< rad, measured
};

struct Column {
    std::string heading;
    Role role = Role::ignored;
    std::string key;          ///< "section.key" or a derived axis, of role key
    bool is_derived = false;  ///< a derived axis
};

struct TableColumns {
    std::vector<Column> all;  ///< one per cell of the header
    DecimalSign decimal = DecimalSign::point;

    std::optional<std::size_t> find(Role role) const noexcept;
    std::vector<std::string> headings(Role role) const;
};

/// Names in any case. Throws InputError if two columns say the same, one looks like a setting without its unit, no
/// column says how a test ended or none tells the tests apart, or decimal points and commas are mixed.
TableColumns columns_of(const TableText& table, const experiment::ComposedText& experiment);

/// tests.csv of a campaign.
bool is_journal(const TableText& table);
/// Of a campaign's journal: a test that was written again, after a mark, counts as written last. Other tables stay.
void keep_last_lines(TableText& table);

}  // namespace topple::hil::outcome_tables
