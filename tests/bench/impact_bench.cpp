// Blocks in a basin, and single and double impacts of a block: processor time.
#include <chrono>
#include <cstdio>
#include <numbers>
#include <random>
#include <vector>

#include "solver/assembly/assembly_run.hpp"
#include "solver/laws/corner_impact.hpp"

using namespace topple::solver;

namespace {

template <class Work>
double seconds_of(int times, const Work& work) {
    const auto start = std::chrono::steady_clock::now();
    for (int i = 0; i < times; ++i) work(i);
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / times;
}

Assembly row(int count) {
    Assembly assembly{0.394, 0.03, 0.3, 0.6, {}};
    for (int i = 0; i < count; ++i) assembly.blocks.push_back({0.04, 0.05424, 0.02 + 0.04 * i, 0.0});
    return assembly;
}

}  // namespace

int main() {
    struct Basin {
        int blocks;
        double displacement_m, hz;
    };
    std::printf("basin of thesis 9.7, 10 s of a sine of displacement\n");
    for (const Basin& basin : {Basin{4, 0.040, 1.0}, {4, 0.040, 2.0}, {8, 0.008, 4.0}, {8, 0.075, 0.5}}) {
        const auto motion = displacement_sine(basin.displacement_m, 2.0 * std::numbers::pi * basin.hz, 10.0 * basin.hz);
        std::size_t impacts = 0;
        const double run_s = seconds_of(50, [&](int) { impacts = follow(row(basin.blocks), motion).impacts_count; });
        std::printf("  %d blocks, %2.0f mm, %.1f Hz: %6.2f ms, %zu impacts\n", basin.blocks, 1e3 * basin.displacement_m,
                    basin.hz, 1e3 * run_s, impacts);
    }
    const ImpactBody body{3.0, 3.0 * (0.04 + 0.36) / 12.0};
    const std::array<CornerArm, 2> arms{CornerArm{-0.1, -0.3}, CornerArm{0.1, -0.3}};
    const ImpactRule rule{0.7, 0.5, 0.4, 1.0, 1.5};
    std::mt19937_64 random(1);
    std::uniform_real_distribution<double> both(-1.0, 1.0);
    std::vector<PlanarVelocity> falls;
    while (falls.size() < 1000) {
        const PlanarVelocity v{both(random), both(random), both(random)};
        if (at_corner(v, arms[0]).normal_m_s < 0.0) falls.push_back(v);
    }
    double sum = 0.0;
    const double single_s = seconds_of(1'000'000, [&](int i) {
        sum += single_impact(body, arms, 0, falls[static_cast<std::size_t>(i) % falls.size()], rule).after.rate_rad_s;
    });
    const double double_s = seconds_of(100, [&](int i) {
        sum += double_impact(body, arms, falls[static_cast<std::size_t>(i)], rule).after.rate_rad_s;
    });
    std::printf("impact of one corner, closed form: %.0f ns; of both corners, over pseudo-time: %.2f ms  (%g)\n",
                1e9 * single_s, 1e3 * double_s, sum);
    return 0;
}
