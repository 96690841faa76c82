// Sections of a campaign's page.
#pragma once

#include <string>

#include "hil/campaign/publish.hpp"

namespace topple::hil::campaign {

std::string page_head(const Published& campaign);
/// Where overturning begins in each row; empty of a list and of repeats.
std::string boundaries_section(const Published& campaign, std::size_t specimen);
/// Every test with a link to its report.
std::string tests_section(const Published& campaign);

/// "23 tests made (20 count), about 12 more, about 35 min"
std::string progress_words(const Published& campaign);
/// "3 T, 12 R, 8 O"
std::string outcome_words(std::span<const TestRecord> tests, std::size_t specimen);

}  // namespace topple::hil::campaign
