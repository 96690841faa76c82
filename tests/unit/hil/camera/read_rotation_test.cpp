// Files of cameras and tracking software, made from a known rotation, give that rotation back.
#include "hil/camera/read_rotation.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

#include "hil/camera/rigid_body.hpp"
#include "hil/files/errors.hpp"
#include "solver/numerics/random_sequence.hpp"
#include "tests/support/catch.hpp"
#include "tests/support/temporary_folder.hpp"

using namespace topple;
using hil::camera::read_rotation;
using hil::camera::ReadOptions;
using hil::camera::RotationHistory;
using hil::files::InputError;

namespace {

constexpr double kFrame_s = 1.0 / 150.0;
constexpr int kFrames = 900;

/// At rest for 1 s, then a decaying rocking motion; clockwise positive.
double rotation_rad(int frame) {
    const double t = frame * kFrame_s - 1.0;
    return t <= 0.0 ? 0.0 : 0.12 * std::exp(-0.4 * t) * std::sin(9.0 * t);
}

double camera_s(int frame) { return 5.0 + frame * kFrame_s; }

struct Marker {
    const char* name;
    double x_mm, z_mm;
};
const std::vector<Marker> kMarkers{{"P1", -25, 40}, {"P2", 20, 60}, {"P3", -10, 230}, {"P4", 22, 250}};

/// Where the marker is when the block leans by theta and its foot has moved: x to the right, z up.
std::pair<double, double> place_mm(const Marker& m, int frame, double foot_mm = 0.0) {
    const double theta = rotation_rad(frame);
    return {400.0 + foot_mm + m.x_mm * std::cos(theta) + m.z_mm * std::sin(theta),
            100.0 - m.x_mm * std::sin(theta) + m.z_mm * std::cos(theta)};
}

class Noise {
  public:
    double operator()(double sigma) { return sigma * solver::normal_pair(random_)[0]; }
    bool happens(double share) { return std::abs(solver::normal_pair(random_)[0]) < 1.2533 * share; }

  private:
    solver::SplitMix64 random_{11};
};

/// GOM's point export: a comment, then one row per stage with X, Y, Z of every point; lost ones are zeros.
std::string gom_text(const char* separator = ";", double lost_share = 0.03) {
    Noise noise;
    const std::string s = separator;
    std::string text = "# GOM Correlate, point export\nStage" + s + "Time [s]";
    for (const Marker& m : kMarkers)
        for (const char axis : {'X', 'Y', 'Z'}) text += fmt::format("{}{}.{} [mm]", s, m.name, axis);
    text += "\n";
    for (int i = 0; i < kFrames; ++i) {
        text += fmt::format("{}{}{:.6f}", i, s, camera_s(i));
        for (const Marker& m : kMarkers) {
            const auto [x, z] = place_mm(m, i, 10.0 * std::sin(0.02 * i));
            if (lost_share > 0.0 && noise.happens(lost_share))
                text += fmt::format("{0}0.000{0}0.000{0}0.000", s);
            else
                text += fmt::format("{0}{1:.4f}{0}{2:.4f}{0}{3:.4f}", s, x + noise(0.02), z + noise(0.02),
                                    -800.0 + noise(0.02));
        }
        text += "\n";
    }
    return text;
}

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

RotationHistory read(const std::string& text, const ReadOptions& options = {}, std::size_t blocks = 1) {
    static const tests::TemporaryFolder folder;
    return read_rotation(folder.write("camera.csv", text), options, blocks);
}

std::string refusal(const std::string& text, const ReadOptions& options = {}, std::size_t blocks = 1) {
    try {
        read(text, options, blocks);
    } catch (const InputError& error) {
        return error.what();
    }
    return "not refused";
}

double rms_error(const RotationHistory& history, std::size_t block = 0) {
    double square = 0.0;
    int count = 0;
    for (std::size_t i = 0; i < history.frames(); ++i) {
        if (!std::isfinite(history.rotation_rad[block][i])) continue;
        const int frame = static_cast<int>(std::lround((history.time_s[i] - 5.0) / kFrame_s));
        square += std::pow(history.rotation_rad[block][i] - rotation_rad(frame), 2);
        ++count;
    }
    return std::sqrt(square / std::max(1, count));
}

std::string motive_text(const std::string& type, const std::function<std::string(int)>& rotation,
                        const std::string& axes) {
    const auto row = [&](const std::string& head, const std::string& word) {
        std::string text = head;
        for (std::size_t i = 0; i < axes.size() + 3; ++i) text += "," + word;
        return text + "\n";
    };
    std::string text = "Format Version,1.23,Take Name,Take; one,Capture Frame Rate,150.000000,Rotation Type," + type +
                       ",Length Units,Millimeters,Coordinate Space,Global\n\n";
    text += row(",Type", "Rigid Body") + row(",Name", "Block") + row(",ID", "A1B2") + ",";
    for (std::size_t i = 0; i < axes.size(); ++i) text += ",Rotation";
    text += ",Position,Position,Position\nFrame,Time (Seconds)";
    for (const char axis : axes) text += fmt::format(",{}", axis);
    text += ",X,Y,Z\n";
    for (int i = 0; i < kFrames; ++i) text += fmt::format("{},{:.6f},{},1,2,3\n", i, camera_s(i), rotation(i));
    return text;
}

}  // namespace

TEST_CASE("GOM's points give the rotation of a block that also moves along, and zeros are gaps") {
    const RotationHistory history = read(gom_text());
    CHECK(history.format == "points, one row per frame");
    CHECK(rms_error(history) < 2.5e-4);  // 0.02 mm at 95 mm from the centroid: 1.5e-4 rad
    CHECK(history.bodies.at(0).residual_m < 3e-5);
    CHECK(history.bodies.at(0).markers.size() == 4);
    CHECK(std::count_if(history.remarks.begin(), history.remarks.end(), [](const std::string& remark) {
              return remark.find("taken as lost") != std::string::npos;
          }) == 4);
}

TEST_CASE("one row per stage and point is the same as one row per stage") {
    std::string text = "Stage\tTime [s]\tName\tX [mm]\tZ [mm]\n";
    for (int i = 0; i < kFrames; ++i)
        for (const Marker& m : kMarkers) {
            const auto [x, z] = place_mm(m, i);
            text += fmt::format("{}\t{:.6f}\t{}\t{:.4f}\t{:.4f}\n", i, camera_s(i), m.name, x, z);
        }
    const RotationHistory history = read(text);
    CHECK(history.frames() == kFrames);
    CHECK(rms_error(history) < 2e-6);
}

TEST_CASE("points named above their axes are read, and the mirrored view has the other sign") {
    std::string text = "Time [s];P1;;P3;\n;x [mm];y [mm];x [mm];y [mm]\n";
    for (int i = 0; i < kFrames; ++i) {
        const auto [x1, z1] = place_mm(kMarkers[0], i);
        const auto [x3, z3] = place_mm(kMarkers[2], i);
        text += fmt::format("{:.6f};{:.4f};{:.4f};{:.4f};{:.4f}\n", camera_s(i), x1, z1, x3, z3);
    }
    CHECK(rms_error(read(text)) < 2e-6);
    ReadOptions mirrored;
    mirrored.plane = "-x,y";
    mirrored.sign = -1;
    CHECK(rms_error(read(text, mirrored)) < 2e-6);
}

TEST_CASE("units in a line below the headings are read") {
    std::string text = "Stage;Time;P1 x;P1 y;P3 x;P3 y\n-;[s];[mm];[mm];[mm];[mm]\n";
    for (int i = 0; i < kFrames; ++i) {
        const auto [x1, z1] = place_mm(kMarkers[0], i);
        const auto [x3, z3] = place_mm(kMarkers[2], i);
        text += fmt::format("{};{:.6f};{:.4f};{:.4f};{:.4f};{:.4f}\n", i, camera_s(i), x1, z1, x3, z3);
    }
    CHECK(rms_error(read(text)) < 2e-6);
    CHECK(refusal(replaced(text, "[s]", "[min]")).find("in which unit is this time?") != std::string::npos);
}

TEST_CASE("Motive's quaternions are X, Y, Z, W, and clockwise is negative about the axis to the viewer") {
    const RotationHistory history = read(motive_text(
        "Quaternion",
        [](int i) {
            const double half = -0.5 * rotation_rad(i), tilt = 0.3;  // the body's own frame is tilted about z
            return i % 40 == 7 ? std::string(",,,")
                               : fmt::format("0.0,0.0,{:.7f},{:.7f}", std::sin(half + tilt), std::cos(half + tilt));
        },
        "XYZW"));
    CHECK(history.format == "OptiTrack Motive");
    CHECK(rms_error(history) < 1e-6);
    CHECK(std::isnan(history.rotation_rad[0][7]));
}

TEST_CASE("Motive's Euler angles are degrees in the order of the file") {
    const RotationHistory history = read(motive_text(
        "XYZ", [](int i) { return fmt::format("0.0,0.0,{:.6f}", -rotation_rad(i) * 180.0 / std::numbers::pi); },
        "XYZ"));
    CHECK(rms_error(history) < 1e-6);
}

TEST_CASE("a body that turns about another axis than the viewer's is asked about") {
    const std::string text = motive_text(
        "Quaternion",
        [](int i) {
            const double half = 0.5 * rotation_rad(i);
            return fmt::format("{:.7f},0.0,0.0,{:.7f}", std::sin(half), std::cos(half));
        },
        "XYZW");
    CHECK(refusal(text).find("--rotation-plane") != std::string::npos);
    ReadOptions side;
    side.plane = "z,y";  // seen against x: clockwise is positive about x
    CHECK(rms_error(read(text, side)) < 1e-6);
}

TEST_CASE("columns of rotations keep uneven times, gaps and their sync column") {
    std::string text = "time_ms,rotation_0_deg,led\n";
    double time_ms = 5000.0;
    for (int i = 0; i < 300; ++i, time_ms += i % 3 == 0 ? 9.0 : 6.0)
        text += fmt::format("{},{},{}\n", time_ms, i % 50 == 9 ? "nan" : fmt::format("{}", 0.01 * i), i > 99 ? 1 : 0);
    const RotationHistory history = read(text);
    CHECK(history.time_s[1] - history.time_s[0] == Approx(0.006));
    CHECK(history.time_s[3] - history.time_s[2] == Approx(0.009));
    CHECK(history.rotation_rad[0][100] == Approx(std::numbers::pi / 180.0));
    CHECK(std::isnan(history.rotation_rad[0][9]));
    CHECK(history.sync.at(99) == 0.0);
    CHECK(history.sync.at(100) == 1.0);
}

TEST_CASE("a comma that may be a decimal sign is asked about, never read as something else") {
    const std::string points = gom_text(";", 0.0);
    std::string commas = points;
    for (std::size_t i = commas.find('\n', commas.find("Stage")); i < commas.size(); ++i)
        if (commas[i] == '.') commas[i] = ',';
    CHECK(refusal(commas).find("--rotation-decimal ,") != std::string::npos);
    CHECK(refusal(commas).find("line 3") != std::string::npos);
    ReadOptions comma;
    comma.decimal = ',';
    CHECK(rms_error(read(commas, comma)) < 2.5e-4);
    CHECK(refusal(points, comma).find("decimal comma") != std::string::npos);
    std::string cut = "time_s,rotation_0_deg\n";
    for (int i = 0; i < 50; ++i) cut += fmt::format("0,{:03},1,{:03}\n", 10 * i, i);
    CHECK(refusal(cut).find("are there decimal commas?") != std::string::npos);
    CHECK(refusal(points, comma).find("not refused") == std::string::npos);
}

TEST_CASE("a unit, a time and a plane that are not stated are asked about") {
    const std::string bare = replaced(gom_text(), " [mm]", "");
    CHECK(refusal(bare).find("--rotation-unit") != std::string::npos);
    ReadOptions unit;
    unit.unit = "mm";
    CHECK(rms_error(read(bare, unit)) < 2.5e-4);
    const std::string timeless = replaced(gom_text(), "Time [s]", "Time");
    CHECK(refusal(timeless).find("in which unit is this time?") != std::string::npos);
    ReadOptions rate;
    rate.rate_hz = 150.0;
    CHECK(read(timeless, rate).time_s[1] == Approx(kFrame_s));
    CHECK(refusal(gom_text(), rate).find("omit --rotation-rate") != std::string::npos);
    std::string wild = gom_text();
    wild = replaced(wild, "-800.", "-8");
    CHECK(refusal(wild).find("--rotation-plane") != std::string::npos);
    std::string rad = "time_s,rotation_0_rad\n";
    for (int i = 0; i < 50; ++i) rad += fmt::format("{},{}\n", 0.01 * i, 0.2 * i);
    CHECK(refusal(rad).find("are these degrees?") != std::string::npos);
}

TEST_CASE("a marker that slips on its block is named and left out") {
    std::string text = "time_s";
    for (const Marker& m : kMarkers) text += fmt::format(",{0}_x_mm,{0}_z_mm", m.name);
    text += "\n";
    Noise noise;
    for (int i = 0; i < kFrames; ++i) {
        text += fmt::format("{:.6f}", camera_s(i));
        for (const Marker& m : kMarkers) {
            const auto [x, z] = place_mm(m, i);
            const double slip_mm = m.name == std::string("P2") && i > 400 ? 6.0 : 0.0;
            text += fmt::format(",{:.4f},{:.4f}", x + slip_mm + noise(0.02), z + noise(0.02));
        }
        text += "\n";
    }
    const RotationHistory history = read(text);
    CHECK(history.bodies.at(0).left_out == std::vector<std::string>{"P2"});
    CHECK(rms_error(history) < 2.5e-4);
    CHECK(std::any_of(history.remarks.begin(), history.remarks.end(),
                      [](const std::string& remark) { return remark.find("\"P2\" moved") != std::string::npos; }));
}

TEST_CASE("markers of two blocks are told apart by their names or by the operator") {
    std::string text =
        "time_s,marker_0_1_x_mm,marker_0_1_z_mm,marker_0_2_x_mm,marker_0_2_z_mm,marker_1_1_x_mm,"
        "marker_1_1_z_mm,marker_1_2_x_mm,marker_1_2_z_mm\n";
    for (int i = 0; i < kFrames; ++i) {
        text += fmt::format("{:.6f},10,20,12,50", camera_s(i));
        for (const Marker* m : {&kMarkers[0], &kMarkers[2]}) {
            const auto [x, z] = place_mm(*m, i);
            text += fmt::format(",{:.4f},{:.4f}", x, z);
        }
        text += "\n";
    }
    const RotationHistory history = read(text, {}, 2);
    CHECK(rms_error(history, 1) < 2e-6);
    CHECK(std::abs(history.rotation_rad[0].back()) < 1e-9);
    const std::string other = replaced(replaced(text, "marker_0_", "A"), "marker_1_", "B");
    CHECK(refusal(other, {}, 2).find("--rotation-block") != std::string::npos);
    ReadOptions blocks;
    blocks.bodies = {{"A1", "A2"}, {"B1", "B2"}};
    CHECK(rms_error(read(other, blocks, 2), 1) < 2e-6);
    blocks.bodies[1] = {"B1", "B3"};
    CHECK(refusal(other, blocks, 2).find("\"B3\" (") != std::string::npos);
    blocks.bodies[1] = {"B1"};
    CHECK(refusal(other, blocks, 2).find("at least two") != std::string::npos);
}

TEST_CASE("files that are no camera's are refused with what is missing") {
    CHECK(refusal("a,b\n1,2\n").find("no heading") != std::string::npos);
    CHECK(refusal("").find("no table") != std::string::npos);
    CHECK(refusal("time_s,rotation_0_rad\n0,0\n0.01,0\n").find("at least 20") != std::string::npos);
    CHECK(refusal("Time [s];P1.dX [mm];P1.dY [mm]\n0;1;1\n").find("displacements alone") != std::string::npos);
    std::string back = "time_s,rotation_0_rad\n", slow = back;
    for (int i = 0; i < 30; ++i)
        back += fmt::format("{},0\n", i == 20 ? 0.0 : 0.01 * i), slow += fmt::format("{},0\n", i);
    CHECK(refusal(back).find("increase") != std::string::npos);
    CHECK(refusal(slow).find("10 to 20000 Hz") != std::string::npos);
    CHECK(refusal(gom_text(), {}, 2).find("--rotation-block") != std::string::npos);
    CHECK(refusal("Format Version,1.23\n\nFrame,Time (Seconds)\n").find("Motive") != std::string::npos);
}
