#include "hil/files/run_folder.hpp"
#include "hil/files/input_file.hpp"

#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
namespace fs = std::filesystem;

TEST_CASE("a run folder is never overwritten") {
    const tests::TemporaryFolder scratch;
    hil::files::create_run_folder(scratch.path() / "a" / "b");
    CHECK(fs::is_directory(scratch.path() / "a" / "b"));
    CHECK_THROWS_AS(hil::files::create_run_folder(scratch.path() / "a" / "b"), hil::files::InputError);
    fs::create_symlink("nowhere", scratch.path() / "dangling");
    CHECK_THROWS_AS(hil::files::create_run_folder(scratch.path() / "dangling"), hil::files::InputError);
}

TEST_CASE("a durable file appears whole or not at all") {
    const tests::TemporaryFolder scratch;
    hil::files::write_durably(scratch.path() / "f", "first");
    hil::files::write_durably(scratch.path() / "f", "second");
    CHECK(hil::files::read_text_file(scratch.path() / "f") == "second");
    CHECK_THROWS_AS(hil::files::write_durably(scratch.path() / "missing" / "f", "x"), hil::files::OutputError);
    CHECK(std::distance(fs::directory_iterator(scratch.path()), fs::directory_iterator()) == 1);
}

TEST_CASE("the default run folder holds no character that a shell or a file system minds") {
    const std::string name = hil::files::default_run_folder("B6L single sine/../x \"$(rm)\"").filename().string();
    CHECK(name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_") ==
          std::string::npos);
    CHECK(name.find("B6L_single_sine") != std::string::npos);
}

TEST_CASE("SHA-256 agrees with the published vector of \"abc\"") {
    CHECK(hil::files::sha256_hex("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}
