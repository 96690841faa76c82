#include <array>
#include <cstdint>
#include <thread>
#include <vector>

#include "controller/rt/latest.hpp"
#include "controller/rt/tick_queue.hpp"
#include "tests/support/catch.hpp"

using topple::controller::Latest;
using topple::controller::TickQueue;

namespace {

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

TEST_CASE("a queue gives back what went in, in order, and refuses beyond its capacity") {
    TickQueue<int> queue(3);
    int value = 0;
    CHECK(queue.capacity() == 3);
    CHECK_FALSE(queue.pop(value));
    for (int round = 0; round < 5; ++round) {
        for (int i = 0; i < 3; ++i) CHECK(queue.push(10 * round + i));
        CHECK_FALSE(queue.push(99));
        CHECK(queue.size() == 3);
        for (int i = 0; i < 3; ++i) {
            REQUIRE(queue.pop(value));
            CHECK(value == 10 * round + i);
        }
        CHECK_FALSE(queue.pop(value));
    }
}

TEST_CASE("a slot that owns memory keeps it") {
    TickQueue<std::vector<int>> queue(1);
    const int* memory = nullptr;
    for (int round = 0; round < 4; ++round) {
        std::vector<int>* slot = queue.back();
        REQUIRE(slot != nullptr);
        slot->assign(100, round);
        queue.commit();
        std::vector<int>* out = queue.front();
        REQUIRE(out != nullptr);
        CHECK((*out)[99] == round);
        if (round == 0 || round == 1) memory = out->data();
        if (round == 3) CHECK(out->data() == memory);
        queue.release();
    }
}

TEST_CASE("a queue between two threads loses, doubles and tears nothing") {
    constexpr std::uint64_t kCount = 200'000;
    TickQueue<Wide> queue(64);
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

TEST_CASE("the latest value is the last one written, and news is told once") {
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
