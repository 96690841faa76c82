// Writes the manual page and the completion; run by the build.
#include <cstring>
#include <fstream>

#include "hil/host/version.hpp"
#include "hil/package/bash_completion.hpp"
#include "hil/package/man_page.hpp"

int main(int argc, char** argv) {
    using namespace topple::hil;
    const bool wants_man = argc == 3 && std::strcmp(argv[1], "man") == 0;
    const bool wants_bash = argc == 3 && std::strcmp(argv[1], "bash") == 0;
    if (!wants_man && !wants_bash) return 2;
    const package::Command program = package::describe_topple();
    std::ofstream out(argv[2], std::ios::binary | std::ios::trunc);
    out << (wants_man ? package::man_page(program, std::string(host::version())) : package::bash_completion(program));
    return out.flush() ? 0 : 1;
}
