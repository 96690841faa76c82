// Studies from the section to the numbers: steps in closed form, scaling, chunks, tallies, refusals.
#include "hil/fragility/study.hpp"

#include <cmath>
#include <fstream>
#include <numeric>
#include <string>
#include <vector>

#include "hil/experiment/models.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/sha256.hpp"
#include "hil/fragility/chunk_file.hpp"
#include "hil/fragility/results.hpp"
#include "hil/fragility/study_folder.hpp"
#include "solver/predict.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::fragility::Study;
using tests::TemporaryFolder;

namespace {

const std::string kBlock =
    "name = \"a block\"\n[[specimen]]\nkind = \"block\"\nwidth_m = 0.1\nheight_m = 0.4\nmass_kg = 2.0\n"
    "restitution = { model = \"fixed\", value = 0.9 }\n";
const std::string kTwoPulses =
    "[[fragility.motions]]\ntype = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = 1.5\n"
    "[[fragility.motions]]\ntype = \"ricker\"\namplitude_m_s2 = 1.0\nfrequency_hz = 1.0\n";

Study study_of(const std::string& text) {
    const auto experiment = hil::experiment::read_experiment_text(text, "study.toml", "");
    return hil::fragility::make_study(experiment, "", 1);
}

std::string error_of(const std::string& text, const std::string& source = "study.toml") {
    try {
        const auto experiment = hil::experiment::read_experiment_text(text, source, "");
        hil::fragility::make_study(experiment, "", 1);
        return "";
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
}

/// Every chunk solved and counted.
std::vector<hil::fragility::Tally> solved(const Study& study) {
    hil::fragility::MotionShelf shelf(study.experiment, study.motions, study.options);
    std::vector<hil::fragility::Tally> tallies(study.members.size(), hil::fragility::Tally(study));
    for (std::size_t i = 0; i < study.chunk_count(); ++i)
        tallies[study.chunk(i).specimen].add(study.chunk(i), hil::fragility::solve(study, study.chunk(i), shelf));
    return tallies;
}

hil::fragility::SpecimenResult result_of(const Study& study) {
    return hil::fragility::evaluate(study, solved(study).front(), 1);
}

}  // namespace

TEST_CASE("A constant acceleration that never ends overturns above its closed form, and the curve is a step there") {
    // Held for so long that the block has fallen or hangs before it ends: it falls from rest at g tan(alpha).
    const Study study = study_of(kBlock +
                                 "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 1.0\nduration_s = 30.0\n"
                                 "[uncertainty]\nrestitution = { fixed = true }\nwidth = { fixed = true }\n"
                                 "tilt_rad = { fixed = true }\namplitude = { fixed = true }\n"
                                 "[fragility]\nintensity_measure = \"amplitude\"\nvalues_g = \"0.2401:0.2599:100\"\n"
                                 "members = 3\n");
    const hil::fragility::SpecimenResult result = result_of(study);
    REQUIRE(result.fit.state == hil::fragility::FitState::step);
    const double closed_form_m_s2 = 0.25 * study.experiment.gravity_m_s2;
    CHECK(result.fit.bracket_low < closed_form_m_s2);
    CHECK(result.fit.bracket_high > closed_form_m_s2);
    CHECK(result.fit.bracket_high / result.fit.bracket_low < 1.001);
    CHECK_FALSE(result.median_band);  // one motion says nothing about others
}

TEST_CASE("An uncertain amplitude alone makes the curve that follows from its distribution") {
    const Study study = study_of(kBlock +
                                 "[excitation]\ntype = \"constant\"\namplitude_m_s2 = 1.0\nduration_s = 30.0\n"
                                 "[uncertainty]\nrestitution = { fixed = true }\nwidth = { fixed = true }\n"
                                 "tilt_rad = { fixed = true }\namplitude = { lognormal = 0.1 }\n"
                                 "[fragility]\nintensity_measure = \"amplitude\"\nvalues_g = \"0.17:0.35:13\"\n"
                                 "members = 2000\nresponses = [\"overturning\"]\n");
    const hil::fragility::SpecimenResult result = result_of(study);
    REQUIRE(result.fit.state == hil::fragility::FitState::fitted);
    CHECK(result.fit.median == Approx(0.25 * study.experiment.gravity_m_s2).epsilon(0.01));
    CHECK(result.fit.dispersion == Approx(0.1).epsilon(0.06));
}

TEST_CASE("A motion that is written twice as strong gives the same study: only its factors are halved") {
    const std::string of =
        "[fragility]\nintensity_measure = \"pgv\"\nvalues_m_s = [0.2, 0.4, 0.8, 1.6]\nmembers = 5\n"
        "[[fragility.motions]]\ntype = \"sine\"\nfrequency_hz = 1.5\namplitude_m_s2 = ";
    const Study one = study_of(kBlock + of + "1.0\n"), two = study_of(kBlock + of + "2.0\n");
    CHECK(two.motions[0].intensity == Approx(2 * one.motions[0].intensity).epsilon(1e-12));
    const auto a = solved(one).front(), b = solved(two).front();
    for (std::size_t v = 0; v < 4; ++v) {
        CHECK(a.at(0, v).overturned == b.at(0, v).overturned);
        CHECK(a.at(0, v).median_peak == b.at(0, v).median_peak);
    }
}

TEST_CASE("Every run is what predict says of this member along the scaled motion") {
    const Study study = study_of(kBlock +
                                 "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = \"1:8:8\"\n"
                                 "members = 4\n" +
                                 kTwoPulses);
    hil::fragility::MotionShelf shelf(study.experiment, study.motions, study.options);
    std::size_t overturned = 0;
    for (std::size_t i = 0; i < study.chunk_count(); ++i) {
        const hil::fragility::Chunk chunk = study.chunk(i);
        const auto runs = hil::fragility::solve(study, chunk, shelf);
        const auto motion = hil::experiment::read_motion(study.motions[chunk.motion].listed, study.experiment);
        for (std::size_t k = 0; k < runs.size(); ++k) {
            const auto& member = study.members[0][k % study.member_count()];
            const double scale = study.scale(chunk.motion, chunk.first_value + k / study.member_count());
            const solver::Prediction predicted =
                solver::follow(member.specimen, member.motion(motion.planned_motion()).scaled(scale), study.options);
            CHECK(runs[k].outcome == predicted.outcome);
            if (solver::is_overturning(predicted.outcome)) {
                ++overturned;
                continue;
            }
            CHECK(runs[k].has_uplifted == (predicted.outcome == solver::Outcome::rocking));
            const double ratio = predicted.peak_rotation_rad.at(0) / member.specimen.blocks[0].slenderness_rad();
            CHECK(runs[k].peak * hil::fragility::kPeakUnit == Approx(ratio).margin(1e-4));
        }
    }
    CHECK(overturned > 5);
}

TEST_CASE("Chunks cover every run once, in order of specimen, motion and value") {
    const Study study = study_of(kBlock +
                                 "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = \"1:8:70\"\n"
                                 "members = 100\n" +
                                 kTwoPulses);
    CHECK(study.run_count() == 14'000);
    std::size_t value = 0, motion = 0;
    for (std::size_t i = 0; i < study.chunk_count(); ++i) {
        const hil::fragility::Chunk chunk = study.chunk(i);
        CHECK(chunk.motion == motion);
        CHECK(chunk.first_value == value);
        value += chunk.value_count;
        if (value == study.value_count()) value = 0, ++motion;
    }
    CHECK(motion == 2);
    CHECK(value == 0);
}

TEST_CASE("A chunk is read back as it was written, and any changed byte is noticed") {
    const TemporaryFolder folder;
    const Study study = study_of(kBlock +
                                 "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [2, 3, 6]\n"
                                 "members = 3\n" +
                                 kTwoPulses);
    std::filesystem::create_directories(folder.path() / "chunks");
    hil::fragility::MotionShelf shelf(study.experiment, study.motions, study.options);
    const hil::fragility::Chunk chunk = study.chunk(0);
    const auto runs = hil::fragility::solve(study, chunk, shelf);
    hil::fragility::write_chunk(study, chunk, runs, folder.path());
    const auto read = hil::fragility::read_chunk(study, chunk, folder.path());
    CHECK(read.damage.empty());
    CHECK(read.runs == runs);
    CHECK(hil::fragility::read_chunk(study, study.chunk(1), folder.path()).runs.empty());

    const auto file = hil::fragility::chunk_path(folder.path(), 0);
    std::string whole;
    {
        std::ifstream in(file, std::ios::binary);
        whole.assign(std::istreambuf_iterator<char>(in), {});
    }
    for (std::size_t at = 0; at + 1 < whole.size(); at += 7) {  // the last byte is the end of the line
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 1);
        std::ofstream(file, std::ios::binary) << changed;
        INFO("byte " << at);
        CHECK_FALSE(hil::fragility::read_chunk(study, chunk, folder.path()).damage.empty());
    }
    std::ofstream(file, std::ios::binary) << whole.substr(0, whole.size() / 2);
    CHECK_FALSE(hil::fragility::read_chunk(study, chunk, folder.path()).damage.empty());
}

TEST_CASE("Fractiles are order statistics, with overturned runs beyond every peak") {
    hil::fragility::PeakCounts peaks;
    for (const unsigned peak : {100u, 200u, 300u, 25'000u}) peaks.add(peak);
    peaks.add_overturned(1);
    CHECK(peaks.fractile(0.16) == Approx(0.01));
    CHECK(peaks.fractile(0.50) == Approx(0.03));
    CHECK(peaks.fractile(0.80) == Approx(2.5));
    CHECK(peaks.fractile(0.84) == hil::fragility::kOverturned);
    CHECK(std::isnan(hil::fragility::PeakCounts().fractile(0.5)));
}

TEST_CASE("Of motions of one shape the measure that scales with what overturns has the least dispersion") {
    // The same pulse, written with different strengths: in pga and pgv alike all overturn at one value.
    std::string text = kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = \"1:12:60\"\nmembers = 0\n";
    for (const char* frequency : {"1.0", "1.5", "2.2"})
        text += std::string("[[fragility.motions]]\ntype = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = ") +
                frequency + "\n";
    const hil::fragility::SpecimenResult result = result_of(study_of(text));
    CHECK(result.crossed == 3);
    REQUIRE_FALSE(result.efficiency.empty());
    for (std::size_t i = 1; i < result.efficiency.size(); ++i)
        CHECK(result.efficiency[i - 1].dispersion <= result.efficiency[i].dispersion);
    const double sum = std::accumulate(result.motions.begin(), result.motions.end(), 0.0,
                                       [](double all, const auto& motion) { return all + motion.share; });
    CHECK(sum == Approx(1.0));
}

TEST_CASE("What is wrong with the section is told with its line and key") {
    const std::string head = kBlock + "[fragility]\n", motion = kTwoPulses;
    CHECK(error_of(head + "intensity_measure = \"pgx\"\nvalues_m_s2 = [1]\n" + motion).find("study.toml, line 9") == 0);
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\n" + motion),
               Catch::Matchers::ContainsSubstring("values_m_s2"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pgv\"\nvalues_m_s2 = [1]\n" + motion),
               Catch::Matchers::ContainsSubstring("values_m_s"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [2, 1]\n" + motion),
               Catch::Matchers::ContainsSubstring("must rise"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = \"1:2\"\n" + motion),
               Catch::Matchers::ContainsSubstring("LO:HI:N"));
    CHECK_THAT(error_of(head + "intensity_measure = \"sa\"\nvalues_m_s2 = [1]\n" + motion),
               Catch::Matchers::ContainsSubstring("period_s"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nperiod_s = 1.0\nvalues_m_s2 = [1]\n" + motion),
               Catch::Matchers::ContainsSubstring("period_s"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [1]\nmember = 5\n" + motion),
               Catch::Matchers::ContainsSubstring("members"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [1]\n"),
               Catch::Matchers::ContainsSubstring("nothing moves the base"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [1]\nresponses = [\"slip\"]\n" + motion),
               Catch::Matchers::ContainsSubstring("slip"));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [1]\n" + motion + "count = 3\n"),
               Catch::Matchers::ContainsSubstring("only of type = \"noise\""));
    CHECK_THAT(error_of(head + "intensity_measure = \"pga\"\nvalues_m_s2 = [1]\n[fragility.record]\nscale = 2.0\n"),
               Catch::Matchers::ContainsSubstring("there are none"));
}

TEST_CASE("All records that cannot be read are named at once, and nothing is begun") {
    const TemporaryFolder folder;
    std::filesystem::create_directories(folder.path() / "records");
    const std::string source = folder.file("study.toml");
    const std::string text =
        kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\nrecords = \"records\"\n";
    CHECK_THAT(error_of(text, source), Catch::Matchers::ContainsSubstring("there is no file"));
    folder.write("records/bad.csv", "no numbers\n");
    folder.write("records/worse.csv", "time_s,acceleration_m_s2\n0,1\n0,2\n");
    folder.write("records/good.csv", "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n");
    const std::string error = error_of(text, source);
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("2 of 3 motions"));
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("bad.csv"));
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("worse.csv"));
    CHECK(error.find("good.csv") == std::string::npos);
    CHECK_THAT(error_of(kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\nrecords = \"nowhere\"\n",
                        source),
               Catch::Matchers::ContainsSubstring("nowhere"));
}

TEST_CASE("A pattern takes the records whose names fit, in their order") {
    const TemporaryFolder folder;
    for (const char* name : {"b_1.csv", "a_2.csv", "c.txt"})
        folder.write(name, std::string("# ") + name + "\ntime_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n");
    const auto experiment = hil::experiment::read_experiment_text(
        kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\nrecords = \"*_*.csv\"\n",
        folder.file("study.toml"), "");
    const Study study = hil::fragility::make_study(experiment, "", 1);
    REQUIRE(study.motions.size() == 2);
    CHECK(study.motions[0].listed.name == "a_2.csv");
    CHECK(study.motions[1].listed.name == "b_1.csv");
    CHECK(study.motions[0].intensity == Approx(1.0));
}

TEST_CASE("Motions that are made much stronger are listed") {
    const Study study = study_of(kBlock +
                                 "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1, 4, 8]\n"
                                 "scale_limit = 3.0\nmembers = 0\n" +
                                 kTwoPulses);
    const auto beyond = hil::fragility::beyond_limit(study);
    REQUIRE(beyond.size() == 2);
    CHECK(beyond[0].values == 2);
    CHECK(beyond[0].largest == Approx(8.0));
}

TEST_CASE("A record that changes while the study runs ends it and is not mixed in") {
    const TemporaryFolder folder;
    const std::string record = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n";
    folder.write("a.csv", record);
    folder.write("b.csv", record + "0.4,0\n");
    const auto experiment = hil::experiment::read_experiment_text(
        kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\nrecords = \"*.csv\"\n",
        folder.file("study.toml"), "");
    const Study study = hil::fragility::make_study(experiment, "", 1);
    hil::fragility::MotionShelf shelf(study.experiment, study.motions, study.options);
    folder.write("b.csv", record + "0.4,1\n");
    CHECK_NOTHROW(shelf.take(0));
    CHECK_THROWS_WITH(shelf.take(1), "b.csv: has changed since the study began");
}

TEST_CASE("Motions that are the same but for their strength, and records of one content, are refused by name") {
    const TemporaryFolder folder;
    const std::string source = folder.file("study.toml");
    const std::string record = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n";
    folder.write("a.csv", record);
    std::filesystem::create_directories(folder.file("dup"));
    folder.write("dup/b.csv", record);
    const std::string head = kBlock + "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\n";
    const std::string error = error_of(head + "records = [\"a.csv\", \"dup\"]\n", source);
    CHECK_THAT(error, Catch::Matchers::ContainsSubstring("a.csv and dup/b.csv"));
    const std::string noise =
        "[[fragility.motions]]\ntype = \"noise\"\nlow_hz = 0.5\nhigh_hz = 4.0\nduration_s = 2.0\nrms_m_s2 = ";
    CHECK_THAT(error_of(head + noise + "1.0\n" + noise + "2.0\n"),
               Catch::Matchers::ContainsSubstring("noise 1 seed 1 and noise 2 seed 1"));
    CHECK(error_of(head + noise + "1.0\n" + noise + "2.0\nseed = 2\n") == "");
    const std::string sine = "[[fragility.motions]]\ntype = \"sine\"\nfrequency_hz = 1.5\namplitude_m_s2 = ";
    CHECK_THAT(error_of(head + sine + "1.0\n" + sine + "2\n"), Catch::Matchers::ContainsSubstring("sine 1 and sine 2"));
    CHECK(error_of(head + sine + "1.0\n" + sine + "-2.0\n") == "");  // mirrored
}

TEST_CASE("The hash of a record in [excitation] is that of its file, and a wave there has none") {
    const TemporaryFolder folder;
    const std::string record = "time_s,acceleration_m_s2\n0,0\n0.1,1\n0.2,-1\n0.3,0\n";
    folder.write("a.csv", record);
    const std::string rest = "[fragility]\nintensity_measure = \"pga\"\nvalues_m_s2 = [1]\n";
    const auto experiment = hil::experiment::read_experiment_text(
        kBlock + "[excitation]\ntype = \"record\"\nfile = \"a.csv\"\n" + rest, folder.file("study.toml"), "");
    CHECK(hil::fragility::make_study(experiment, "", 1).motions[0].sha256 == hil::files::sha256_hex(record));
    const Study wave =
        study_of(kBlock + "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 1.0\nfrequency_hz = 1.0\n" + rest);
    CHECK(wave.motions[0].sha256.empty());
}
