// What the thesis says of its stability graphs (section 5.2.4, figures 5.15 to 5.22), as far as its text says it: the
// marks themselves are in pictures only.
#include <string>

#include "solver/study/stability_map.hpp"
#include "tests/support/catch.hpp"

using namespace topple::solver;

namespace {

constexpr double kPi = 3.141592653589793;

/// A block of chapter 4 with its own k, and the average k of its size (Table 4.5).
struct TestedBlock {
    std::string name;
    double width_m, height_m, own_k, average_k;
};
const TestedBlock kB6M{"B6M", 0.045, 0.2025, 0.8241, 0.8608}, kB6L{"B6L", 0.06, 0.27, 0.7214, 0.7306},
    kB3M{"B3M", 0.045, 0.10125, 0.7595, 0.8608}, kB3L{"B3L", 0.06, 0.135, 0.7259, 0.7306};

Specimen specimen_of(const TestedBlock& block, double k) {
    Specimen specimen;
    specimen.blocks = {{block.width_m, block.height_m, 1.0}};
    specimen.restitution.model = RestitutionModel::improved;
    specimen.restitution.impulse_position_k = k;  // 1 is Housner's
    return specimen;
}

/// Highest frequency, Hz, at which a single sine of this amplitude overturns, from high to low in steps of 0.2 %.
double first_overturning_hz(const Specimen& specimen, double amplitude_m_s2) {
    for (double frequency_hz = 20.0; frequency_hz > 0.5; frequency_hz /= 1.002)
        if (outcome_along(specimen, sine_acceleration(amplitude_m_s2, 2.0 * kPi * frequency_hz)).outcome ==
            Outcome::overturning)
            return frequency_hz;
    return 0.0;
}

/// By how much the boundary with the block's own k lies above that with the average k.
double gain_of_own_k(const TestedBlock& block, double amplitude_m_s2) {
    return first_overturning_hz(specimen_of(block, block.own_k), amplitude_m_s2) /
               first_overturning_hz(specimen_of(block, block.average_k), amplitude_m_s2) -
           1.0;
}

}  // namespace

TEST_CASE("Housner's restitution lets a block stand where the one with its impulse position overturns") {
    for (const TestedBlock& block : {kB6M, kB6L, kB3M, kB3L})
        for (const double amplitude_m_s2 : {10.0, 15.0, 20.0}) {
            INFO(block.name << ", " << amplitude_m_s2 << " m/s2");
            CHECK(first_overturning_hz(specimen_of(block, 1.0), amplitude_m_s2) <
                  first_overturning_hz(specimen_of(block, block.average_k), amplitude_m_s2));
        }
}

TEST_CASE("With its own k the overturning area grows noticeably for B6M and hardly for B6L") {
    for (const double amplitude_m_s2 : {5.0, 10.0, 20.0}) {
        const double of_m = gain_of_own_k(kB6M, amplitude_m_s2), of_l = gain_of_own_k(kB6L, amplitude_m_s2);
        INFO(amplitude_m_s2 << " m/s2: B6M " << of_m << ", B6L " << of_l);
        CHECK(of_m > 0.002);
        CHECK(of_l >= 0.0);
        CHECK(of_m > 2.0 * of_l);
    }
}

TEST_CASE(
    "For B3M its own k moves the boundary far, for B3L little: the tests of B3M contradicted the average k only") {
    for (const double amplitude_m_s2 : {10.0, 15.0, 20.0}) {
        const double of_m = gain_of_own_k(kB3M, amplitude_m_s2), of_l = gain_of_own_k(kB3L, amplitude_m_s2);
        INFO(amplitude_m_s2 << " m/s2: B3M " << of_m << ", B3L " << of_l);
        CHECK(of_m > 0.03);
        CHECK(of_l < 0.02);
        CHECK(of_m > gain_of_own_k(kB6M, amplitude_m_s2));
    }
}
