#include <iostream>

#include "hil/version.hpp"

int main() { std::cout << "topple " << topple::hil::version() << '\n'; }
