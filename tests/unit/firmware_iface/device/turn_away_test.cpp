// Further hosts of a table that somebody has.
#include "firmware_iface/served/turn_away.hpp"

#include <array>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/catch.hpp"
#include "tests/support/device_bench.hpp"
#include "tests/support/link_bench.hpp"

using namespace topple::firmware_iface;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A device whose one host is "topple run", and a clock that serves those who come besides.
struct TakenTable {
    DeviceCore core{topple::test::DeviceBench::parameters()};
    DeviceSession session{core, describe(quanser_st_iii(), {})};
    TurnAway turn_away;
    VirtualClock clock;
    std::unique_ptr<TableLink> holder;

    TakenTable() {
        core.assume_homed(0);
        auto [host, device] = make_pipe();
        session.attach(std::move(device));
        clock.set_on_advance([this](Nanoseconds now) {
            const auto now_us = 1'000'000 + static_cast<std::uint64_t>(now / 1us);
            session.receive(now_us);
            core.tick(now_us, {});
            session.flush();
            turn_away.serve(session, now_us);
        });
        holder = std::make_unique<TableLink>(std::move(host), clock, 5, "topple run");
        holder->connect();
    }
    std::unique_ptr<ByteStream> further_host() {
        auto [host, device] = make_pipe();
        turn_away.take(std::move(device));
        return std::move(host);
    }
};

}  // namespace

TEST_CASE("A further host learns who has the table since when, and the holder notices nothing") {
    TakenTable table;
    for (const auto until = table.clock.now() + 12s; table.clock.now() < until; table.clock.sleep_for(10ms))
        table.holder->flush();
    for (int i = 0; i < 6; ++i) {  // more than it keeps at a time
        TableLink second(table.further_host(), table.clock, 6);
        CHECK_THAT(topple::test::error_of([&] { second.connect(); }),
                   ContainsSubstring("busy: run since ") && ContainsSubstring("(12 s)"));
    }
    CHECK(table.session.id() == 5);
    CHECK_NOTHROW(table.holder->disarm());  // it is answered
}

TEST_CASE("A further host that calls itself by signs that a terminal would obey, or by nothing, is shown readably") {
    for (const auto& [client, shown] :
         {std::pair{"\x1b[2Jx", "busy: ?[2Jx since"}, std::pair{"", "busy: another session since"}}) {
        TakenTable table;
        table.holder->close();
        auto [host, device] = make_pipe();
        table.session.attach(std::move(device));
        TableLink holder(std::move(host), table.clock, 9, client);
        holder.connect();
        TableLink second(table.further_host(), table.clock, 6);
        CHECK_THAT(topple::test::error_of([&] { second.connect(); }), ContainsSubstring(shown));
    }
}

TEST_CASE("A further host that says nothing, or only rubbish, is disconnected after two seconds") {
    TakenTable table;
    const auto host = table.further_host();
    const std::array<std::byte, 4> rubbish{};
    for (const auto until = table.clock.now() + 1900ms; table.clock.now() < until; table.clock.sleep_for(10ms)) {
        table.holder->flush();
        host->write_some(rubbish);
    }
    CHECK(host->status() == StreamStatus::open);
    table.clock.sleep_for(90ms);
    table.clock.sleep_for(90ms);
    CHECK(host->status() == StreamStatus::closed);
}
