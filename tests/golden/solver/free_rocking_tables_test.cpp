// Thesis Tables 4.2, 4.4 and 4.5 (positions and averages) against the formulas; the k themselves:
// impulse_position_test.cpp. Differences: docs/physics/free_rocking_tables.md.
#include <array>
#include <cmath>
#include <string>

#include "solver/identify/impulse_position.hpp"
#include "solver/specimen.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kLastDigit = 0.5001e-4;  // four decimals are printed

/// Table 4.2: all blocks but B0M have the same ten slendernesses at three widths.
struct Slender {
    double ratio, alpha_rad;
    std::array<double, 3> radius_m;  ///< small, medium, large
};
constexpr Slender kTable42[] = {{1.0, 0.7854, {0.0212, 0.0318, 0.0424}},  {1.5, 0.5880, {0.0270, 0.0406, 0.0541}},
                                {2.25, 0.4182, {0.0369, 0.0554, 0.0739}}, {3.0, 0.3218, {0.0474, 0.0712, 0.0949}},
                                {3.75, 0.2606, {0.0582, 0.0873, 0.1164}}, {4.5, 0.2187, {0.0691, 0.1037, 0.1383}},
                                {6.0, 0.1651, {0.0912, 0.1369, 0.1825}},  {6.75, 0.1471, {0.1024, 0.1535, 0.2047}},
                                {8.25, 0.1206, {0.1247, 0.1870, 0.2493}}, {9.75, 0.1022, {0.1470, 0.2205, 0.2940}}};
constexpr std::array<double, 3> kWidth_m = {0.03, 0.045, 0.06};

/// Table 4.3 and the positions b of Table 4.5, B2 to B10; small, medium, large.
constexpr double kRatio[3][9] = {{0.690, 0.825, 0.890, 0.919, 0.948, 0.958, 0.960, 0.964, 0.966},
                                 {0.670, 0.840, 0.882, 0.914, 0.941, 0.959, 0.966, 0.969, 0.974},
                                 {0.708, 0.852, 0.904, 0.937, 0.952, 0.970, 0.972, 0.978, 0.979}};
constexpr double kPosition_m[3][9] = {{0.0116, 0.0120, 0.0121, 0.0125, 0.0114, 0.0131, 0.0143, 0.0162, 0.0183},
                                      {0.0180, 0.0171, 0.0189, 0.0195, 0.0185, 0.0194, 0.0191, 0.0217, 0.0221},
                                      {0.0223, 0.0218, 0.0223, 0.0215, 0.0216, 0.0205, 0.0218, 0.0214, 0.0240}};
constexpr double kMaterial = 0.98895;  // errata E1.23

double impulse_k(std::size_t scale, std::size_t block) {
    const double alpha = std::atan(1.0 / kTable42[block + 1].ratio);
    return impulse_position(alpha, {kRatio[scale][block], 0.0}, {kMaterial, 0.0}).value;
}

double mean_k(std::size_t scale) {
    double sum = 0.0;
    for (std::size_t block = 0; block < 9; ++block) sum += impulse_k(scale, block) / 9.0;
    return sum;
}

}  // namespace

TEST_CASE("Table 4.2: slenderness angle and half-diagonal of all 31 blocks are the printed ones") {
    for (const Slender& row : kTable42)
        for (std::size_t scale = 0; scale < 3; ++scale) {
            const Block block{kWidth_m[scale], kWidth_m[scale] * row.ratio, 1.0};
            INFO("h/b " << row.ratio << ", width " << block.width_m);
            CHECK(block.slenderness_rad() == Approx(row.alpha_rad).margin(kLastDigit).epsilon(0));
            CHECK(block.half_diagonal_m() == Approx(row.radius_m[scale]).margin(kLastDigit).epsilon(0));
        }
    const Block b0m{0.045, 0.02, 1.0};
    CHECK(b0m.slenderness_rad() == Approx(1.1526).margin(kLastDigit).epsilon(0));
    CHECK(b0m.half_diagonal_m() == Approx(0.0246).margin(kLastDigit).epsilon(0));
}

TEST_CASE("Table 4.4: k of the strips' inner edge, and of the middle of the strips") {
    const double inner[] = {0.9, 0.93333333, 0.95}, middle[] = {0.95, 0.96666667, 0.975};
    for (std::size_t scale = 0; scale < 3; ++scale) {
        CHECK(edge_contact_k(kWidth_m[scale], 0.0015) == Approx(inner[scale]).epsilon(1e-8));
        CHECK(edge_contact_k(kWidth_m[scale], 0.00075) == Approx(middle[scale]).epsilon(1e-8));
    }
}

TEST_CASE("Table 4.5: positions of the impulse and averages, as far as they are not misprinted") {
    for (std::size_t scale = 0; scale < 3; ++scale)
        for (std::size_t block = 0; block < 9; ++block) {
            INFO("B" << block + 2 << ", width " << kWidth_m[scale]);
            CHECK(0.5 * kWidth_m[scale] * impulse_k(scale, block) ==
                  Approx(kPosition_m[scale][block]).margin(kLastDigit).epsilon(0));
        }
    CHECK(mean_k(0) == Approx(0.9003).margin(kLastDigit).epsilon(0));
    CHECK(mean_k(1) == Approx(0.8608).margin(kLastDigit).epsilon(0));
    CHECK(mean_k(2) == Approx(0.7306).margin(kLastDigit).epsilon(0));
    // Printed 0.8306, the mean of the three rounded ones.
    CHECK((mean_k(0) + mean_k(1) + mean_k(2)) / 3.0 == Approx(0.8306).margin(1e-4).epsilon(0));
    CHECK((impulse_k(0, 8) + impulse_k(1, 8) + impulse_k(2, 8)) / 3.0 == Approx(1.0023).margin(1e-4).epsilon(0));
}

TEST_CASE("Table 4.3 against Housner: energy loss is overestimated up to h/b 4.5 small and medium, 6.75 large") {
    // The text says below 6 (small) and below 8 (large).
    const std::size_t last_above[] = {4, 4, 6};
    for (std::size_t scale = 0; scale < 3; ++scale)
        for (std::size_t block = 0; block < 9; ++block) {
            INFO("B" << block + 2 << ", width " << kWidth_m[scale]);
            const double housner = improved_ratio(std::atan(1.0 / kTable42[block + 1].ratio), 1.0);
            CHECK((kRatio[scale][block] > housner) == (block <= last_above[scale]));
        }
}
