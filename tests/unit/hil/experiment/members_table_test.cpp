// Tables of members: what a row sets, what its weight is worth, and every way to write it wrongly.
#include "hil/experiment/members_table.hpp"

#include <cmath>
#include <string>
#include <vector>

#include "hil/experiment/experiment.hpp"
#include "hil/experiment/members_specimen.hpp"
#include "hil/experiment/referenced_files.hpp"
#include "hil/files/errors.hpp"
#include "hil/files/input_file.hpp"
#include "hil/plan/ensemble.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using namespace topple::hil::experiment;
using hil::plan::MotionIs;

namespace {

const std::string kBlock = "[specimen]\nkind = \"block\"\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5692\n";
const std::string kBody =
    "[specimen]\nkind = \"block\"\nmass_kg = 2.5\n"
    "pivots = { alpha_left_rad = 0.2, alpha_right_rad = 0.3, radius_left_m = 0.14, radius_right_m = 0.1436, "
    "inertia_kg_m2 = 0.0164 }\n";
const std::string kStack =
    "[specimen]\nkind = \"stack\"\n[[specimen.blocks]]\nwidth_m = 0.06\nheight_m = 0.27\nmass_kg = 2.5\n"
    "[[specimen.blocks]]\nwidth_m = 0.05\nheight_m = 0.2\nmass_kg = 1.1\n";
const std::string kSine = "[excitation]\ntype = \"sine\"\namplitude_m_s2 = 3.0\nfrequency_hz = 4.0\n";

MembersTable table(const std::string& text) {
    const tests::TemporaryFolder folder;
    return read_members_table(folder.write("members.csv", text));
}

Experiment read(const std::string& specimen, const std::string& members, const std::string& lines = {}) {
    const tests::TemporaryFolder folder;
    folder.write("members.csv", members);
    return read_experiment(folder.write(
        "experiment.toml", "name = \"x\"\n" + specimen + kSine + "[uncertainty]\nmembers = \"members.csv\"\n" + lines));
}

std::string message_of(const std::string& specimen, const std::string& members, const std::string& lines = {}) {
    try {
        read(specimen, members, lines);
    } catch (const hil::files::InputError& error) {
        return error.what();
    }
    return "no error";
}

}  // namespace

TEST_CASE("A row sets what its columns say and leaves the rest as described") {
    const MembersTable read =
        table("restitution,width,tilt_rad,amplitude\n0.98,1.01,0.002,1.03\n# a remark\n1.02,0.99,-0.001,0.97\n");
    REQUIRE(read.rows.size() == 2);
    CHECK(read.keys == std::vector<std::string>{"restitution", "width", "tilt_rad", "amplitude"});
    CHECK(read.rows[1].line == 4);
    CHECK(read.rows[1].perturbation.restitution_factor == 1.02);
    CHECK(read.rows[1].perturbation.width_factors == std::vector<double>{0.99});
    CHECK(read.rows[1].perturbation.tilt_rad == -0.001);
    CHECK(read.rows[1].perturbation.height_factors.empty());
    CHECK(read.rows[1].motion.amplitude == 0.97);
    CHECK(read.rows[1].motion.frequency == 1.0);
    CHECK(read.rows[0].weight == 1.0);
    CHECK_FALSE(read.is_weighted);
    CHECK(read.effective_members == 2.0);
}

TEST_CASE("Equal weights of any size count exactly 1 each, unequal ones as many as they are worth after Kish") {
    const MembersTable equal = table("weight,width\n0.3,1\n0.3,1\n0.3,1\n");
    CHECK_FALSE(equal.is_weighted);
    for (const WeightedMember& row : equal.rows) CHECK(row.weight == 1.0);
    const MembersTable weighted = table("weight,width\n3,1\n1,1\n0,1\n");
    CHECK(weighted.is_weighted);
    CHECK(weighted.effective_members == Approx(16.0 / 10.0).epsilon(1e-14));
    CHECK(weighted.rows[0].weight == Approx(3.0 * weighted.rows[1].weight).epsilon(1e-14));
    CHECK(weighted.rows[0].weight + weighted.rows[1].weight == Approx(weighted.effective_members).epsilon(1e-14));
    CHECK(weighted.rows[2].weight == 0.0);
}

TEST_CASE("A broken table is refused with its line, its column, the value and what is allowed") {
    struct Bad {
        std::string text;
        std::vector<std::string> told;
    };
    for (const Bad& bad : std::vector<Bad>{
             {"", {}},
             {"weight,width\n", {}},
             {"1,2\n3,4\n", {"header"}},
             {"widht\n1\n", {"\"widht\"", "allowed", "width_left", "restitution_face_0"}},
             {"width,width\n1,1\n", {"\"width\"", "twice"}},
             {"width,width_left\n1,1\n", {"\"width\"", "width_left"}},
             {"width\n1\n0\n", {"members.csv:3", "\"width\" = 0", "(0, 10]"}},
             {"width\n1\n11\n", {"members.csv:3", "\"width\" = 11"}},
             {"width\n1\nnan\n", {"members.csv", "3"}},
             {"width\n1\ninf\n", {"members.csv", "3"}},
             {"width\n1\nabc\n", {"members.csv", "3"}},
             {"width,tilt_rad\n1\n", {"members.csv", "2"}},
             {"weight,width\n1,1\n-0.5,1\n", {"members.csv:3", "\"weight\" = -0.5", "[0, "}},
             {"weight,width\n0,1\n0,1\n", {"\"weight\"", "all are 0"}},
             {"tilt_rad\n0.5\n", {"members.csv:2", "\"tilt_rad\" = 0.5", "[-0.4, 0.4]"}},
             {"wear_m\n-0.001\n", {"members.csv:2", "\"wear_m\" = -0.001"}},
             {"restitution_face_x\n1\n", {"restitution_face_x", "not known"}},
         }) {
        const std::string message = message_of(kBlock, bad.text);
        INFO(bad.text << "\n -> " << message);
        CHECK(message != "no error");
        CHECK(message.find("members.csv") != std::string::npos);
        for (const std::string& part : bad.told) CHECK(message.find(part) != std::string::npos);
    }
}

TEST_CASE(
    "What a table says must apply to the specimen, each row be a specimen that stands, and nothing be said twice") {
    struct Bad {
        std::string specimen, text, lines;
        std::vector<std::string> told;
    };
    for (const Bad& bad : std::vector<Bad>{
             {kBlock, "width_left\n1\n", "", {"width_left", "pivots or a foot", "allowed: \"width\""}},
             {kBlock, "restitution_face_1\n1\n", "", {"restitution_face_1", "1 faces"}},
             {kBlock, "friction\n1.1\n", "", {"friction", "no specimen has friction"}},
             {kBlock, "k\n1.1\n", "", {"\"k\"", "improved"}},
             {kStack, "seat_m\n0.001\n", "", {"seat_m", "no specimen is a single body"}},
             {kBlock, "seat_m\n0.001\n0.04\n", "", {"members.csv:3", "no valid specimen", "seat_m = 0.04"}},
             {kBlock, "wear_m\n0.029\n0.031\n", "", {"members.csv:3", "wear_m = 0.031"}},
             {kBlock, "yaw_rad\n0.8\n", "", {"members.csv:2", "yaw_rad = 0.8"}},
             {kBlock, "width\n1\n", "width = { normal = 0.01 }\n", {"uncertainty.width", "members.csv already"}},
             {kBody, "width_left\n1\n", "width = { normal = 0.01 }\n", {"width_left is a column"}},
             {kBlock, "width\n1\n", "prior = \"x.toml\"\n", {"members", "not allowed together with prior"}},
         }) {
        const std::string message = message_of(bad.specimen, bad.text, bad.lines);
        INFO(bad.text << bad.lines << "\n -> " << message);
        for (const std::string& part : bad.told) CHECK(message.find(part) != std::string::npos);
    }
    const std::string foot =
        "[specimen]\nkind = \"block\"\nmass_kg = 2.5\ninertia_kg_m2 = 0.0164\n"
        "foot = [[-0.04, -0.13], [-0.03, -0.135], [0.03, -0.135]]\n";
    CHECK(message_of(foot, "height_left,height_right\n1,1\n1,1.01\n").find("members.csv:3: columns \"height_left\"") !=
          std::string::npos);
    CHECK(message_of(foot, "height,width_left,restitution_face_1\n1.01,0.99,0.95\n") == "no error");
    CHECK(message_of(foot, "restitution_face_2\n0.95\n").find("has 2 faces") != std::string::npos);
    CHECK(message_of(kBody, "width_left,height_right\n1.01,0.99\n") == "no error");
}

TEST_CASE("A table that says of which specimen it is holds for no other one, and without such lines for any") {
    const std::string rows = "width\n1.01\n";
    const Experiment one = read(kBlock, rows);
    const std::string lines = specimen_comment(one.specimens.front());
    CHECK(lines.starts_with("# specimen.restitution_law = housner\n# specimen.block_0_width_m = 0.06\n"));
    CHECK(message_of(kBlock, lines + rows) == "no error");
    const std::string of_body = message_of(kBody, lines + rows);
    CHECK(of_body.find("learned on another specimen than number 0: block_0_width_m") != std::string::npos);
    CHECK(message_of(kBody, rows) == "no error");
    const std::string broken = message_of(kBlock, "# specimen.block_0_width_m = wide\n" + rows);
    CHECK(broken.find("members.csv:1: \"# specimen.block_0_width_m = wide\"") != std::string::npos);
}

TEST_CASE("Nothing but the table is uncertain, unless a distribution stands beside it") {
    const Experiment alone = read(kBlock, "width\n1.01\n0.99\n");
    const auto first = hil::plan::draw_member(alone.specimens[0], alone.uncertainty, 0, MotionIs::planned);
    CHECK(first.specimen.blocks[0].width_m == Approx(0.0606).epsilon(1e-14));
    CHECK(first.specimen.initial_tilt_rad == 0.0);
    CHECK(first.specimen.restitution.model == solver::RestitutionModel::housner);
    CHECK(first.amplitude_factor == 1.0);
    CHECK(alone.uncertainty.of.amplitude.kind == solver::DistributionKind::fixed);
    const Experiment beside = read(kBlock, "width\n1.01\n0.99\n", "amplitude = { normal = 0.05 }\n");
    const auto moved = hil::plan::draw_member(beside.specimens[0], beside.uncertainty, 0, MotionIs::planned);
    CHECK(moved.specimen.blocks[0].width_m == first.specimen.blocks[0].width_m);
    CHECK(moved.amplitude_factor != 1.0);
}

TEST_CASE("The ensemble is the table, and where members must count alike each row stands as often as its weight says") {
    const Experiment experiment = read(kBlock, "weight,width\n5,1.00\n3,1.01\n0,1.02\n2,0.99\n");
    const UncertaintySection& uncertainty = experiment.uncertainty;
    CHECK(hil::plan::ensemble_size(uncertainty, 200) == 4);
    CHECK(hil::plan::ensemble_size(uncertainty, 0) == 0);
    CHECK(hil::plan::ensemble_size({}, 200) == 200);
    CHECK_NOTHROW(hil::plan::require_ensemble_size(uncertainty, 4, "--ensemble"));
    CHECK_THROWS_WITH(hil::plan::require_ensemble_size(uncertainty, 200, "--ensemble"),
                      "--ensemble 200: the ensemble is the 4 members of members.csv; allowed: 4");
    std::vector<std::size_t> often(4);
    for (const std::size_t row : hil::plan::equal_members(uncertainty, 10)) ++often[row];
    CHECK(often == std::vector<std::size_t>{5, 3, 0, 2});
    CHECK(hil::plan::equal_members({}, 3) == std::vector<std::size_t>{0, 1, 2});
    const auto weight = [&](std::size_t i) {
        return hil::plan::draw_member(experiment.specimens[0], uncertainty, i, MotionIs::planned).weight;
    };
    CHECK(weight(0) / weight(3) == Approx(2.5).epsilon(1e-14));
    CHECK(weight(2) == 0.0);
}

TEST_CASE("The sides and faces of a row reach the specimen, and a run folder takes the table along") {
    const tests::TemporaryFolder folder;
    folder.write("members.csv", "width_left,restitution_face_0\n1.1,0.9\n");
    const Experiment experiment = read_experiment(folder.write(
        "experiment.toml", "name = \"x\"\n" + kBody + kSine + "[uncertainty]\nmembers = \"members.csv\"\n"));
    const auto member = hil::plan::draw_member(experiment.specimens[0], experiment.uncertainty, 0, MotionIs::planned);
    const solver::Pivots &now = *member.specimen.pivots, &was = *experiment.specimens[0].pivots;
    CHECK(std::tan(now.alpha_left_rad) == Approx(1.1 * std::tan(was.alpha_left_rad)).epsilon(1e-12));
    CHECK(now.alpha_right_rad == Approx(was.alpha_right_rad).epsilon(1e-12));
    CHECK(member.specimen.restitution.model == solver::RestitutionModel::fixed);
    const PortableExperiment portable = make_portable(experiment);
    REQUIRE(portable.files.size() == 1);
    CHECK(portable.files[0].text == hil::files::read_text_file(folder.file("members.csv"), 1000));
    CHECK(portable.text.find("members = \"referenced/1_members.csv\"") != std::string::npos);
    CHECK(experiment.uncertainty.members->sha256.size() == 64);
}
