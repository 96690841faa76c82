#include "hil/compare/blind_record.hpp"

#include "hil/host/host_identity.hpp"
#include "tests/support/catch.hpp"

using namespace topple::hil;
using compare::check_blind_record;
using compare::PredictionFile;

namespace {

/// Device time 0 is 12:00:00 UTC, the motion begins 10.25 s later.
run_log::RunData run() {
    run_log::RunData data;
    data.prediction_sha256 = "ab12";
    data.clock["wall_clock_anchor_ns"] = "01772366400000000000";
    data.events.push_back({1'000'000, run_log::EventKind::recording_start, {}});
    data.events.push_back({10'250'000, run_log::EventKind::motion_start, {}});
    return data;
}

const PredictionFile kFile{"ab12", "2026-03-01T12:00:03.125Z"};

std::string why_not(const PredictionFile& file, const run_log::RunData& data) {
    const compare::BlindRecord record = check_blind_record(file, data);
    CHECK_FALSE(record.proven);
    return record.statement;
}

}  // namespace

TEST_CASE("A prediction whose hash begins the log and that states an earlier time is proven to be blind") {
    const compare::BlindRecord record = check_blind_record(kFile, run());
    CHECK(record.proven);
    CHECK(record.motion_utc == "2026-03-01T12:00:10.250Z");
    CHECK(record.before_motion_s.value() == Approx(7.125));
    CHECK(record.statement ==
          "prediction of 2026-03-01T12:00:03.125Z (hash matches the log's first record), 7.125 s before the first "
          "sample of the motion");
}

TEST_CASE("What proves nothing is said to prove nothing, with the reason") {
    CHECK(why_not({"ab13", kFile.created_utc}, run()).find("not the file whose hash") != std::string::npos);
    CHECK(why_not({}, run()).find("no prediction.json") != std::string::npos);
    CHECK(why_not({"ab12", ""}, run()).find("does not state when") != std::string::npos);
    CHECK(why_not({"ab12", "2026-03-01T12:00:10.250Z"}, run()).find("not before the first sample") !=
          std::string::npos);
    CHECK(why_not({"ab12", "yesterday"}, run()).find("does not state when") != std::string::npos);
    run_log::RunData other = run();
    other.prediction_sha256.clear();
    CHECK(why_not(kFile, other).find("does not begin with the hash") != std::string::npos);
    other = run();
    other.events.pop_back();
    CHECK(why_not(kFile, other).find("did not begin") != std::string::npos);
    other = run();
    other.clock.clear();
    CHECK(why_not(kFile, other).find("does not say when") != std::string::npos);
    other = run();
    other.metadata["imported"] = "true";
    CHECK(why_not(kFile, other).find("imported") != std::string::npos);
}

TEST_CASE("On a virtual clock the order of the log's records is the proof, and no date is stated") {
    run_log::RunData lockstep = run();
    lockstep.clock["log_time_anchor_ns"] = "00000000000000000000";
    const compare::BlindRecord record = check_blind_record({"ab12", ""}, lockstep);
    CHECK(record.proven);
    CHECK(record.statement.find("before every sample") != std::string::npos);
    CHECK(record.motion_utc.empty());
    CHECK_FALSE(record.before_motion_s);
    CHECK(why_not({"ab13", ""}, lockstep).find("not the file whose hash") != std::string::npos);
}

TEST_CASE("Times of the calendar are read back exactly, and nothing else is one") {
    CHECK(host::utc_time(1772366403125) == "2026-03-01T12:00:03.125Z");
    CHECK(host::unix_ms_of("2026-03-01T12:00:03.125Z") == 1772366403125);
    for (const char* wrong : {"", "2026-02-31T12:00:03.125Z", "2026-03-01T12:00:03.125", "2026-03-01T12:00:03.1Z",
                              "2026-03-01T12:00:03.125+01:00", "2026-03-01T12:00:03.125Z "})
        CHECK_FALSE(host::unix_ms_of(wrong));
}
