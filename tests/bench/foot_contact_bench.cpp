// Feet by their law against contact dynamics at 1e-5 s: outcomes and times of the first changes of pivot of robust
// cases, without slip and with friction. Printed, never asserted. Arguments: cases per number of faces, time step.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "tests/support/foot_cases.hpp"

using namespace topple::solver;
using topple::tests::FootCase;

namespace {

struct Tally {
    int cases = 0, overturn = 0, slip = 0, other_outcome = 0, other_face = 0, within = 0;
    std::vector<double> error_s, slip_error_m;
};

int side_of(const Prediction& prediction) {
    if (prediction.outcome != Outcome::overturning) return 0;
    return prediction.direction == Side::left ? -1 : 1;
}

void compare(const FootCase& foot, const SolverOptions& contact_options, Tally& tally) {
    constexpr std::size_t kFirst = 5;
    const Prediction law = follow(foot.specimen, foot.motion());
    const Prediction contact = follow(foot.specimen, foot.motion(), contact_options);
    ++tally.cases;
    tally.overturn += side_of(law) != 0 ? 1 : 0;
    const bool same = side_of(law) == side_of(contact);
    tally.other_outcome += same ? 0 : 1;
    tally.other_face += same && law.resting_face != contact.resting_face ? 1 : 0;
    double worst_s = 0.0;
    for (std::size_t i = 0; i < std::min(kFirst, law.impacts.size()); ++i) {
        const bool is_listed = i < contact.impacts.size();
        const double error_s = is_listed ? std::abs(law.impacts[i].time_s - contact.impacts[i].time_s) : 1.0;
        worst_s = std::max(worst_s, error_s);
    }
    tally.error_s.push_back(worst_s);
    tally.within += worst_s <= 1e-4 ? 1 : 0;
    if (!law.slip) return;
    tally.slip += law.slip->peak_m > 1e-3 ? 1 : 0;
    tally.slip_error_m.push_back(std::abs(law.slip->peak_m - contact.slip->peak_m));
}

std::string quantiles(std::vector<double> values) {
    if (values.empty()) return "";
    std::sort(values.begin(), values.end());
    char text[80];
    std::snprintf(text, sizeof text, "%.1e %.1e %.1e", values[values.size() / 2], values[values.size() * 9 / 10],
                  values.back());
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 200;
    SolverOptions options;
    options.model = Model::contact_dynamics;
    options.contact.time_step_s = argc > 2 ? std::atof(argv[2]) : 1e-5;
    options.contact.theta = options.contact.activation = 0.5;
    options.settle_limit_s = 30.0;
    std::printf("median, 90 %% and largest of each: worst time of the first five changes, s; peak slip, m\n");
    for (const bool with_friction : {false, true})
        for (const int faces : {1, 2, 3, 4, 5, 8, 9}) {
            topple::test::FootDraw draw(20261204 + static_cast<std::uint64_t>(faces));
            Tally tally;
            while (tally.cases < wanted) {
                const auto foot =
                    with_friction ? topple::tests::robust_slide(draw, faces) : topple::tests::robust_case(draw, faces);
                if (foot) compare(*foot, options, tally);
            }
            std::printf(
                "%d faces, %s: %d cases, %d overturn, %d slip; other outcome %d, other face %d; %d within 1e-4 s; "
                "times %s; slips %s\n",
                faces, with_friction ? "friction" : "no slip", tally.cases, tally.overturn, tally.slip,
                tally.other_outcome, tally.other_face, tally.within, quantiles(tally.error_s).c_str(),
                quantiles(tally.slip_error_m).c_str());
            std::fflush(stdout);
        }
    return 0;
}
