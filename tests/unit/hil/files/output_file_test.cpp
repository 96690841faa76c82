// Files written whole or not at all, beside what is there already; files read only if they are files.
#include "hil/files/output_file.hpp"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <set>
#include <string>

#include "hil/files/errors.hpp"
#include "hil/files/file_bytes.hpp"
#include "hil/files/input_file.hpp"
#include "hil/files/run_folder.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using Catch::Matchers::ContainsSubstring;
namespace fs = std::filesystem;

namespace {

std::size_t files_in(const fs::path& folder) {
    return static_cast<std::size_t>(std::distance(fs::directory_iterator(folder), fs::directory_iterator()));
}

}  // namespace

TEST_CASE("writing a file touches nothing that has a name like an unfinished one, not through a link either") {
    const tests::TemporaryFolder scratch;
    scratch.write("victim", "precious");
    scratch.write("out.csv.part", "mine");
    fs::create_symlink("victim", scratch.file("link.part"));
    fs::create_symlink("victim", scratch.file("out.csv." + std::to_string(::getpid()) + ".part"));
    hil::files::write_file(scratch.file("out.csv"), "text");
    hil::files::write_file(scratch.file("link"), "text");
    hil::files::write_durably(scratch.file("out.csv"), "durable");
    CHECK(hil::files::read_text_file(scratch.file("out.csv")) == "durable");
    CHECK(hil::files::read_text_file(scratch.file("out.csv.part")) == "mine");
    CHECK(hil::files::read_text_file(scratch.file("victim")) == "precious");
    CHECK(files_in(scratch.path()) == 6);
}

TEST_CASE("a file that appears while another is being written is not overwritten") {
    const tests::TemporaryFolder scratch;
    {
        hil::files::UnfinishedFile file(scratch.file("a"));
        file.append("new");
        scratch.write("a", "somebody else's");
        CHECK_THROWS_AS(file.put_in_place(hil::files::Overwrite::refuse), hil::files::InputError);
    }
    CHECK(hil::files::read_text_file(scratch.file("a")) == "somebody else's");
    CHECK(files_in(scratch.path()) == 1);
    CHECK_THROWS_AS(hil::files::write_file(scratch.file("a"), "x"), hil::files::InputError);
    hil::files::write_file(scratch.file("a"), "x", hil::files::Overwrite::allow);
    CHECK(hil::files::read_text_file(scratch.file("a")) == "x");
    hil::files::write_file(scratch.file(std::string(255, 'n')), "a name may be as long as names can be");
}

TEST_CASE("a pipe, a device or a directory is no input: refused at once and by name") {
    const tests::TemporaryFolder scratch;
    const fs::path pipe = scratch.file("pipe");
    REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
    CHECK_THROWS_WITH(hil::files::read_text_file(pipe), ContainsSubstring("a pipe (FIFO)"));
    CHECK_THROWS_WITH(hil::files::read_text_file("/dev/zero"), ContainsSubstring("a device"));
    CHECK_THROWS_WITH(hil::files::read_text_file(scratch.path()), ContainsSubstring("a directory"));
    fs::create_symlink(pipe, scratch.file("link"));
    CHECK_THROWS_AS(hil::files::read_text_file(scratch.file("link")), hil::files::InputError);
    CHECK_THROWS_AS(hil::files::read_file_bytes(pipe), hil::files::InputError);
    CHECK_THROWS_WITH(hil::files::read_text_file(scratch.write("long", "12345"), 4),
                      ContainsSubstring("larger than 4 bytes"));
    CHECK(hil::files::read_text_file(scratch.write("short", "1234"), 4) == "1234");
}

TEST_CASE("runs of the same second get folders of their own") {
    const tests::TemporaryFolder scratch;
    const fs::path before = fs::current_path();
    fs::current_path(scratch.path());
    std::set<fs::path> folders;
    for (int i = 0; i < 20; ++i) folders.insert(hil::files::create_default_run_folder("quick"));
    fs::current_path(before);
    CHECK(folders.size() == 20);
    for (const fs::path& folder : folders) CHECK(fs::is_directory(scratch.path() / folder));
}

TEST_CASE("of several programs that make the same folder one gets it") {
    const tests::TemporaryFolder scratch;
    constexpr int kPrograms = 8;
    for (int i = 0; i < kPrograms; ++i) {
        if (::fork() != 0) continue;
        try {
            hil::files::create_run_folder(scratch.path() / "runs" / "same");
            ::_exit(0);
        } catch (const hil::files::InputError&) {
            ::_exit(2);
        }
    }
    int made = 0, refused = 0;
    for (int i = 0; i < kPrograms; ++i) {
        int status = 0;
        ::wait(&status);
        made += WEXITSTATUS(status) == 0;
        refused += WEXITSTATUS(status) == 2;
    }
    CHECK(made == 1);
    CHECK(refused == kPrograms - 1);
}
