// Feet by their law against contact dynamics at 1e-5 s: outcomes and times of the first changes of pivot of robust
// cases. Where they are more than 1e-4 s apart, the step is halved until they are not. Printed, never asserted.
// Arguments: cases per number of faces; `midpoint` (theta = activation = 0.5), `default` (1), `friction` or `all`;
// numbers of faces.
#include <cstdio>
#include <cstdlib>
#include <string>

#include "tests/support/foot_contact.hpp"

using namespace topple::solver;
using topple::tests::FootCase;

namespace {

std::vector<int> all_faces = {1, 2, 3, 4, 5, 8, 9};  // 2, 3, 5 and 9 corners, 2, 3, 5 and 9 faces

std::string quantiles(std::vector<double> values) {
    if (values.empty()) return "-";
    std::sort(values.begin(), values.end());
    char text[80];
    std::snprintf(text, sizeof text, "%.1e %.1e %.1e", values[values.size() / 2], values[values.size() * 9 / 10],
                  values.back());
    return text;
}

struct Tally {
    int overturn = 0, other_outcome = 0, open = 0;
    std::vector<int> by_halvings = std::vector<int>(topple::tests::kHalvingsMax + 1, 0);
    std::vector<double> error_s, within_sensitivity_s, beyond_sensitivity_s;
};

void compare(const FootCase& foot, double scheme, Tally& tally) {
    const Prediction law = follow(foot.specimen, foot.motion());
    SolverOptions options = topple::tests::foot_contact_options(scheme, topple::tests::kContactStep_s);
    options.outcome_only = true;
    tally.overturn += topple::tests::side_of(law) != 0 ? 1 : 0;
    const bool is_other =
        topple::tests::side_of(follow(foot.specimen, foot.motion(), options)) != topple::tests::side_of(law);
    tally.other_outcome += is_other ? 1 : 0;
    const auto study = topple::tests::study_step(foot, law, scheme);
    const double sensitivity_s = topple::tests::change_sensitivity_s(foot, law);
    tally.error_s.push_back(study.error_s);
    (study.halvings == 0 ? tally.within_sensitivity_s : tally.beyond_sensitivity_s).push_back(sensitivity_s);
    if (study.agrees())
        ++tally.by_halvings[static_cast<std::size_t>(study.halvings)];
    else
        ++tally.open;
    if (is_other || !study.agrees())
        std::printf("  %s: %.1e s at 1e-5 s, %.1e s after %d halvings; 1e-6 of the amplitude moves them by %.1e s\n",
                    is_other ? "other outcome" : "still apart", study.error_s, study.last_s, study.halvings,
                    sensitivity_s);
}

void without_slip(int wanted, double scheme) {
    std::printf(
        "| faces | cases | overturn | other outcome | within 1e-4 s at 1e-5 s | after 1, 2, 3... halvings | "
        "still apart | errors: median, 90 %%, largest, s | 1e-6 of the amplitude moves those within | and the "
        "others, s |\n");
    for (const int faces : all_faces) {
        topple::test::FootDraw draw(20261204 + static_cast<std::uint64_t>(faces));
        Tally tally;
        for (int cases = 0; cases < wanted;) {
            const auto foot = topple::tests::robust_case(draw, faces);
            if (!foot) continue;
            ++cases;
            compare(*foot, scheme, tally);
        }
        std::string halved;
        for (std::size_t k = 1; k < tally.by_halvings.size(); ++k)
            halved += (k > 1 ? ", " : "") + std::to_string(tally.by_halvings[k]);
        std::printf("| %d | %d | %d | %d | %d | %s | %d | %s | %s | %s |\n", faces, wanted, tally.overturn,
                    tally.other_outcome, tally.by_halvings[0], halved.c_str(), tally.open,
                    quantiles(tally.error_s).c_str(), quantiles(tally.within_sensitivity_s).c_str(),
                    quantiles(tally.beyond_sensitivity_s).c_str());
        std::fflush(stdout);
    }
}

void with_friction(int wanted) {
    std::printf("| faces | cases | slip | other outcome | other face | peak slip: median, 90 %%, largest error, m |\n");
    const SolverOptions options = topple::tests::foot_contact_options(0.5, topple::tests::kContactStep_s);
    for (const int faces : all_faces) {
        topple::test::FootDraw draw(20261204 + static_cast<std::uint64_t>(faces));
        int slip = 0, other_outcome = 0, other_face = 0;
        std::vector<double> error_m;
        while (static_cast<int>(error_m.size()) < wanted) {
            const auto foot = topple::tests::robust_slide(draw, faces);
            if (!foot) continue;
            const Prediction law = follow(foot->specimen, foot->motion());
            const Prediction contact = follow(foot->specimen, foot->motion(), options);
            const bool is_other = topple::tests::side_of(law) != topple::tests::side_of(contact);
            slip += law.slip->peak_m > 1e-3 ? 1 : 0;
            other_outcome += is_other ? 1 : 0;
            other_face += !is_other && law.resting_face != contact.resting_face ? 1 : 0;
            error_m.push_back(std::abs(law.slip->peak_m - contact.slip->peak_m));
        }
        std::printf("| %d | %d | %d | %d | %d | %s |\n", faces, wanted, slip, other_outcome, other_face,
                    quantiles(error_m).c_str());
        std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
    const int wanted = argc > 1 ? std::atoi(argv[1]) : 200;
    const std::string which = argc > 2 ? argv[2] : "all";
    if (argc > 3) all_faces.clear();
    for (int i = 3; i < argc; ++i) all_faces.push_back(std::atoi(argv[i]));
    if (which != "default" && which != "friction") without_slip(wanted, 0.5);
    if (which != "midpoint" && which != "friction") without_slip(wanted, 1.0);
    if (which != "midpoint" && which != "default") with_friction(wanted);
    return 0;
}
