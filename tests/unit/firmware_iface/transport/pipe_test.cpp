#include <algorithm>
#include <vector>

#include "firmware_iface/transport/byte_stream.hpp"
#include "firmware_iface/transport/paced.hpp"
#include "tests/support/catch.hpp"

using namespace topple::firmware_iface;
using namespace std::chrono_literals;

namespace {

std::vector<std::byte> counting(std::size_t size) {
    std::vector<std::byte> bytes(size);
    for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::byte>(i * 31 + i / 256);
    return bytes;
}

}  // namespace

TEST_CASE("a pipe carries bytes in order both ways, across the wrap of its ring") {
    auto [a, b] = make_pipe();
    const auto sent = counting(40000);
    std::vector<std::byte> got(sent.size());
    for (int round = 0; round < 5; ++round) {
        REQUIRE(a->write_some(sent) == sent.size());
        CHECK(a->unsent_bytes() == sent.size());
        REQUIRE(b->read_some(got) == sent.size());
        CHECK(got == sent);
        REQUIRE(b->write_some(sent) == sent.size());
        REQUIRE(a->read_some(std::span(got).first(7)) == 7);
        REQUIRE(a->read_some(std::span(got).subspan(7)) == sent.size() - 7);
        CHECK(got == sent);
    }
    CHECK(b->read_some(got) == 0);
}

TEST_CASE("a full pipe takes what fits and no more") {
    auto [a, b] = make_pipe();
    const auto sent = counting(100000);
    const std::size_t taken = a->write_some(sent);
    CHECK(taken < sent.size());
    CHECK(a->write_some(sent) == 0);
    a->discard_output();
    CHECK(a->unsent_bytes() == 0);
    CHECK(a->write_some(sent) == taken);
}

TEST_CASE("what was sent before a pipe closed can still be read") {
    auto [a, b] = make_pipe();
    const auto sent = counting(10);
    a->write_some(sent);
    a.reset();
    CHECK(b->status() == StreamStatus::open);
    CHECK(b->write_some(sent) == 0);
    std::vector<std::byte> got(20);
    CHECK(b->read_some(got) == 10);
    CHECK(b->status() == StreamStatus::closed);
}

TEST_CASE("a paced stream carries what its baud rate carries, each way") {
    VirtualClock clock;
    auto ends = make_pipe();
    auto slow = paced(std::move(ends.first), clock, 100000);  // 10 bytes per ms
    const auto bytes = counting(1000);
    std::vector<std::byte> got(1000);
    ends.second->write_some(bytes);
    std::size_t in = 0, out = 0;
    for (int ms = 0; ms < 20; ++ms) {
        clock.sleep_for(1ms);
        in += slow->read_some(std::span(got).subspan(in));
        out += slow->write_some(std::span(bytes).subspan(out));
        CHECK(in <= 10U * (ms + 1));
    }
    CHECK(in == 200);
    CHECK(out == 200);
    CHECK(std::equal(got.begin(), got.begin() + 200, bytes.begin()));
    clock.sleep_for(1s);  // an idle line does not save up
    CHECK(slow->write_some(bytes) == 100);
    CHECK(slow->bytes_per_second() == 10000.0);
}
