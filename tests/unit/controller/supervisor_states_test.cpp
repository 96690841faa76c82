#include <array>

#include "controller/supervision/states.hpp"
#include "tests/support/catch.hpp"

using namespace topple::controller;
using S = SupervisorState;
using E = SupervisorEvent;

TEST_CASE("the supervisor's states follow one another as in this table, all of it") {
    constexpr std::array<E, 7> events = {E::begin,   E::motion_done, E::stop,     E::fault,
                                         E::at_rest, E::overdue,     E::link_lost};
    struct Row {
        S from;
        std::array<S, 7> to;
    };
    const std::array<Row, 5> table = {{
        // from          begin          motion_done    stop         fault        at_rest       overdue       link_lost
        {S::idle, {S::streaming, S::idle, S::failed, S::failed, S::idle, S::idle, S::failed}},
        {S::streaming, {S::streaming, S::done, S::stopping, S::stopping, S::streaming, S::streaming, S::failed}},
        {S::stopping, {S::stopping, S::stopping, S::stopping, S::stopping, S::failed, S::failed, S::failed}},
        {S::done, {S::done, S::done, S::stopping, S::stopping, S::done, S::done, S::failed}},
        {S::failed, {S::failed, S::failed, S::failed, S::failed, S::failed, S::failed, S::failed}},
    }};
    for (const Row& row : table) {
        for (std::size_t i = 0; i < events.size(); ++i) {
            INFO(name(row.from) << ", event " << i);
            CHECK(next(row.from, events[i]) == row.to[i]);
        }
    }
}

TEST_CASE("every state, reason and refusal has words for the operator") {
    for (int i = 0; i <= static_cast<int>(S::failed); ++i) CHECK(name(static_cast<S>(i)) != "unknown");
    for (int i = 0; i <= static_cast<int>(StopReason::clock_implausible); ++i) {
        CHECK(name(static_cast<StopReason>(i)) != "unknown");
        CHECK(explanation(static_cast<StopReason>(i)) != "unknown");
    }
    for (int i = 0; i <= static_cast<int>(StartRefusal::table_elsewhere); ++i)
        CHECK(explanation(static_cast<StartRefusal>(i)) != "unknown");
}
