#include <cstdio>

#include "solver/outcome.hpp"

int main() { std::printf("%s\n", topple::solver::name(topple::solver::Outcome::rocking).data()); }
