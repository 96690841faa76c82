// The page that shows a test, as documents of the live server. It needs nothing from elsewhere.
#pragma once

#include <vector>

#include "hil/live/live_server.hpp"

namespace topple::hil::page {

/// "/" is the page itself. What it shows it learns from "/test.json" (docs/live.md) and the server's channels.
std::vector<live::Document> assets();

}  // namespace topple::hil::page
