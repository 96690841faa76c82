// Thesis Table 4.5 from Table 4.3: k of 27 blocks in full contact.
#include "solver/identify/impulse_position.hpp"

#include "solver/specimen.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

/// The table says 0.989; only the unrounded value reproduces its k.
constexpr double kMaterial = 0.98895;
/// Printed k have four decimals, printed ratios are exact as given.
constexpr double kTolerance = 6e-5;

struct Row {
    double width_m, height_m, ratio, k;
};
constexpr Row kRows[] = {
    {0.03, 0.045, 0.690, 0.7704},
    {0.03, 0.0675, 0.825, 0.8001},
    {0.03, 0.09, 0.890, 0.8059},
    {0.03, 0.1125, 0.919, 0.8364},
    {0.03, 0.135, 0.948, 0.7602},
    {0.03, 0.18, 0.958, 0.8766},
    {0.03, 0.2025, 0.960, 0.9526},
    {0.03, 0.2475, 0.964, 1.0787},
    {0.03, 0.2925, 0.966, 1.2214},
    {0.045, 0.0675, 0.670, 0.8005},  // printed 0.8805: the position b = 0.0180 of the same row and the
                                     // averages say 0.8005
    {0.045, 0.10125, 0.840, 0.7595},
    {0.045, 0.135, 0.882, 0.8397},
    {0.045, 0.16875, 0.914, 0.8670},
    {0.045, 0.2025, 0.941, 0.8241},
    {0.045, 0.27, 0.959, 0.8621},
    {0.045, 0.30375, 0.966, 0.8468},
    {0.045, 0.37125, 0.969, 0.9634},
    {0.045, 0.43875, 0.974, 0.9838},
    {0.06, 0.09, 0.708, 0.7429},
    {0.06, 0.135, 0.852, 0.7259},
    {0.06, 0.18, 0.904, 0.7440},
    {0.06, 0.225, 0.937, 0.7175},
    {0.06, 0.27, 0.952, 0.7214},
    {0.06, 0.36, 0.970, 0.6838},
    {0.06, 0.405, 0.972, 0.7266},
    {0.06, 0.495, 0.978, 0.7121},
    {0.06, 0.585, 0.979, 0.8016},
};

}  // namespace

TEST_CASE("the published impulse positions follow from the published ratios") {
    for (const Row& row : kRows) {
        INFO("block " << row.width_m << " x " << row.height_m);
        const double alpha = Block{row.width_m, row.height_m, 1.0}.slenderness_rad();
        const double k = impulse_position(alpha, {row.ratio, 0.0}, {kMaterial, 0.0}).value;
        CHECK(k == Approx(row.k).margin(kTolerance));
    }
    const double alpha = Block{0.045, 0.0675, 1.0}.slenderness_rad();
    CHECK(impulse_position(alpha, {0.670, 0.0}, {0.989, 0.0}).value == Approx(0.80059).margin(5e-6));
}
