#include <array>
#include <cstdint>
#include <thread>

#include "controller/rt/in_memory.hpp"
#include "controller/rt/latest.hpp"
#include "tests/support/catch.hpp"

using topple::controller::bring_into_memory;
using topple::controller::Latest;

namespace {

template <class Item>
using Queue = boost::lockfree::spsc_queue<Item>;

/// Several words that must never be seen half old, half new.
struct Wide {
    std::array<std::uint64_t, 16> words{};
};

Wide all(std::uint64_t value) {
    Wide wide;
    wide.words.fill(value);
    return wide;
}

bool uniform(const Wide& wide) {
    for (const std::uint64_t word : wide.words)
        if (word != wide.words[0]) return false;
    return true;
}

}  // namespace

TEST_CASE("a queue brought into memory is empty, gives back what went in, in order, and refuses beyond its capacity") {
    Queue<int> queue(3);
    CHECK(queue.is_lock_free());
    int value = 0;
    for (int round = 0; round < 5; ++round) {
        if (round < 2) bring_into_memory(queue, 99);
        CHECK_FALSE(queue.pop(value));
        for (int i = 0; i < 3; ++i) CHECK(queue.push(10 * round + i));
        CHECK_FALSE(queue.push(99));
        CHECK(queue.read_available() == 3);
        for (int i = 0; i < 3; ++i) {
            REQUIRE(queue.pop(value));
            CHECK(value == 10 * round + i);
        }
    }
}

TEST_CASE("a queue between two threads loses, doubles and tears nothing") {
    constexpr std::uint64_t kCount = 200'000;
    Queue<Wide> queue(64);
    bring_into_memory(queue, {});
    std::thread producer([&] {
        for (std::uint64_t i = 1; i <= kCount;)
            if (queue.push(all(i)))
                ++i;
            else
                std::this_thread::yield();
    });
    std::uint64_t expected = 1, wrong = 0;
    Wide item;
    while (expected <= kCount) {
        if (!queue.pop(item)) {
            std::this_thread::yield();
            continue;
        }
        wrong += !(uniform(item) && item.words[0] == expected);
        ++expected;
    }
    producer.join();
    CHECK(wrong == 0);
}

TEST_CASE("the latest value is the last one written, and news is reported once") {
    Latest<int> latest(7);
    int value = 0;
    CHECK(latest.read() == 7);
    CHECK_FALSE(latest.read_new(value));
    latest.write(8);
    latest.write(9);
    CHECK(latest.read_new(value));
    CHECK(value == 9);
    CHECK_FALSE(latest.read_new(value));
    CHECK(latest.read() == 9);
}

TEST_CASE("the latest value between two threads is never torn and never goes back") {
    constexpr std::uint64_t kCount = 200'000;
    Latest<Wide> latest;
    std::thread writer([&] {
        for (std::uint64_t i = 1; i <= kCount; ++i) latest.write(all(i));
    });
    std::uint64_t last = 0, wrong = 0;
    while (last < kCount) {
        const Wide now = latest.read();
        wrong += !uniform(now) || now.words[0] < last;
        last = now.words[0];
    }
    writer.join();
    CHECK(wrong == 0);
}
