#include <cstdio>

#include "solver/predict.hpp"

int main() {
    using namespace topple::solver;
    const Specimen block{.blocks = {{.width_m = 0.06, .height_m = 0.27, .mass_kg = 2.5692}}};
    const auto prediction = predict(block, sine_acceleration(3.0, 25.0));
    std::printf("%s\n", name(prediction.outcome).data());
    return prediction.outcome == Outcome::rocking ? 0 : 1;
}
