// What must hold for every input of a fuzz target; ends the program, so that the input is kept.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace topple::fuzz {

inline void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "does not hold: %s\n", what);
    std::abort();
}

}  // namespace topple::fuzz
