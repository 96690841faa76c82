// topple fit free-rocking, a command of `topple fit`.
#pragma once

namespace CLI {
class App;
}

namespace topple::hil::cli {

void add_fit_free_rocking(CLI::App& fit);

}  // namespace topple::hil::cli
