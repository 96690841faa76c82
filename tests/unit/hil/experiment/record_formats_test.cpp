// Records of every format in an experiment: channels, corrections, scaling, what is told of them.
#include <cmath>
#include <filesystem>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/record_account.hpp"
#include "hil/files/errors.hpp"
#include "hil/ground_motion/measures.hpp"
#include "hil/plan/record_view.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;

namespace {

hil::experiment::Experiment read(const std::string& file, const std::string& keys = "") {
    const tests::TemporaryFolder folder;
    const std::string path = std::string(TOPPLE_SOURCE_DIR) + "/tests/data/ground_motion/" + file;
    return hil::experiment::read_experiment(
        folder.write("experiment.toml",
                     "name = \"x\"\n[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
                     "[excitation]\ntype = \"record\"\nfile = \"" +
                         path + "\"\nend_correction = \"stop\"\n" + keys));
}

std::string message_of(const std::string& file, const std::string& keys = "") {
    try {
        read(file, keys);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

bool says(const std::string& text, const std::string& words) { return text.find(words) != std::string::npos; }

hil::ground_motion::Measures used(const hil::experiment::Experiment& experiment) {
    const auto& account = *experiment.excitation.record;
    return hil::ground_motion::measures_of(account.used_m_s2, account.used_step_s);
}

constexpr double kPeak_m_s2 = 2.382540387822856;

}  // namespace

TEST_CASE("A record of ground motion moves the base as its file says") {
    const auto experiment = read("nga_west2.at2");
    CHECK(experiment.excitation.motion.at(1.3).acceleration_m_s2 == Approx(kPeak_m_s2).margin(1e-6));
    REQUIRE(experiment.excitation.record);
    CHECK(experiment.excitation.record->format == "PEER AT2");
    CHECK(experiment.excitation.record->corrections.empty());
    CHECK(read("utf16_tabs.txt").excitation.motion.at(1.3).acceleration_m_s2 == Approx(kPeak_m_s2).margin(1e-5));
    CHECK(read("decimal_commas.txt").excitation.motion.at(1.3).acceleration_m_s2 == Approx(kPeak_m_s2).margin(1e-5));
}

TEST_CASE("Of several channels one is chosen, by number or by the file's words") {
    CHECK(
        says(message_of("csmip_three_channels.V2"), "3 accelerations: choose one by channel; there are: 1 (CHAN  1:"));
    CHECK(read("csmip_three_channels.V2", "channel = 2\n").excitation.motion.at(1.3).acceleration_m_s2 ==
          Approx(-kPeak_m_s2).margin(1e-5));
    CHECK(read("afad.txt", "channel = \"E-W\"\n").excitation.motion.at(1.3).acceleration_m_s2 == Approx(-0.1943612));
    CHECK(says(message_of("afad.txt", "channel = 4\n"), "no such channel; there are: 1 (N-S), 2 (E-W), 3 (U-D)"));
}

TEST_CASE("Step and unit are given where the file has none, and only there") {
    CHECK(says(message_of("one_column.txt"), "the time between two samples (step_s, or --step) and the unit"));
    CHECK(read("one_column.txt", "step_s = 0.02\nunits = \"g\"\n").excitation.motion.at(1.3).acceleration_m_s2 ==
          Approx(kPeak_m_s2).margin(1e-5));
    CHECK(says(message_of("nga_west2.at2", "units = \"m/s2\"\n"), "the file states the unit g, m/s2 is given"));
    CHECK(says(message_of("nga_west2.at2", "step_s = 0.01\n"), "contradictory sampling"));
    CHECK(says(message_of("spectra.V3"), "response spectra"));
    CHECK(read("time_and_acceleration.mat", "units = \"m/s2\"\n").excitation.record->channel == "Quake");
}

TEST_CASE("A record is scaled to what is asked for, by one key") {
    CHECK(std::abs(used(read("esm.asc", "scale_to_pga_m_s2 = 1.5\n")).pga_m_s2) == Approx(1.5));
    CHECK(std::abs(used(read("esm.asc", "scale_to_pga_g = 0.1\n")).pga_m_s2) == Approx(0.981));
    CHECK(std::abs(used(read("esm.asc", "scale_to_pgv_m_s = 0.05\n")).pgv_m_s) == Approx(0.05));
    const auto spectral = read("esm.asc", "scale_to_sa_m_s2 = 2.0\nsa_period_s = 0.5\n");
    CHECK(hil::ground_motion::pseudo_acceleration_m_s2(spectral.excitation.record->used_m_s2, 0.02, 0.5) ==
          Approx(2.0).epsilon(1e-9));
    CHECK(says(message_of("esm.asc", "scale = 2\nscale_to_pga_g = 0.1\n"), "not allowed together with scale"));
    CHECK(says(message_of("esm.asc", "scale_to_sa_m_s2 = 2.0\n"), "needs sa_period_s"));
    CHECK(says(message_of("esm.asc", "sa_period_s = 2.0\n"), "needs scale_to_sa_m_s2"));
    CHECK(read("esm.asc", "scale = -2\n").excitation.motion.at(1.3).acceleration_m_s2 == Approx(-2 * kPeak_m_s2));
}

TEST_CASE("Time is scaled by the root of a stated length scale and by nothing else") {
    const auto model = read("esm.asc", "length_scale = 0.25\n");
    CHECK(model.excitation.record->used_step_s == Approx(0.01));
    CHECK(model.excitation.motion.at(0.65).acceleration_m_s2 == Approx(kPeak_m_s2));
    CHECK(says(hil::plan::record_text(model), "specimen 0, 0.06 x 0.27 m, stands for 0.24 x 1.08 m"));
    CHECK(says(message_of("esm.asc", "time_scale = 0.5\n"), "unknown key"));
}

TEST_CASE("Corrections are told with both end states, and the record as read is kept") {
    const auto experiment = read("knet.EW",
                                 "pre_event_s = 0.2\ndetrend = \"linear\"\ntaper_s = [0.2, 0.3]\nhigh_pass_hz = 0.5\n"
                                 "high_pass_order = 4\nhigh_pass_padding = \"zeros\"\n");
    const auto& account = *experiment.excitation.record;
    REQUIRE(account.corrections.size() == 4);
    CHECK(says(account.corrections[0], "pre-event mean of the first 0.2 s"));
    CHECK(says(account.corrections[1], "line of least squares"));
    CHECK(says(account.corrections[2], "cosine taper over the first 0.2 s and the last 0.3 s"));
    CHECK(says(account.corrections[3], "24 s of zeros at either end"));  // 1.5 * 8 / 0.5 Hz
    CHECK(account.read_m_s2.size() == 200);
    CHECK(account.used_m_s2.size() == 200 + 2 * 1200);
    CHECK(says(experiment.excitation.remarks[4], "end of the record: "));
    const std::string text = hil::plan::record_text(experiment);
    for (const char* told : {"as read", "as used", "the header prints 238.166 gal", "response spectrum"})
        CHECK(says(text, told));
    for (const char* key : {"high_pass_order = 4\n", "high_pass_padding = \"zeros\"\n"})
        CHECK(says(message_of("knet.EW", key), "needs high_pass_hz"));
    CHECK(says(message_of("knet.EW", "taper_s = 3.0\n"), "longer than the record"));
    CHECK(says(message_of("knet.EW", "pre_event_s = 30\n"), "<= 3.98"));
}
