// The base acceleration of one piece of a record as a curve: where it turns, and where it first passes a level.
#pragma once

#include <math.h>

#include "solver/lanes/record_lanes.hpp"

namespace topple::solver {
namespace {

class PieceCurve {
  public:
    /// `sign` -1 turns it upside down.
    PieceCurve(const double (&polynomial)[kRecordTerms], double sign) {
        for (int n = 0; n < kRecordTerms; ++n) c_[n] = sign * polynomial[n];
    }

    double value(double t) const {
        double sum = 0.0;
        for (int n = kRecordTerms - 1; n >= 0; --n) sum = sum * t + c_[n];
        return sum;
    }

    /// Times in (from, to) at which the slope is zero, in order; their number, at most 2. Of a quintic, which is a part
    /// of a harmonic that is all but straight: at most one in either half.
    int turns(double from, double to, double (&times)[2]) const {
        if (c_[4] == 0.0 && c_[5] == 0.0) return turns_of_cubic(from, to, times);
        const double middle = 0.5 * (from + to);
        int count = 0;
        add_zero_of_slope(from, middle, times, count);
        add_zero_of_slope(middle, to, times, count);
        return count;
    }

    /// Where it crosses `level` on its first way to more than level + margin within [from, to], `from` if it is above
    /// the level there; negative if it stays below.
    double first_above(double from, double to, double level, double margin) const {
        double ends[4] = {from, 0.0, 0.0, 0.0}, at[2];
        const int count = turns(from, to, at);
        for (int i = 0; i < count; ++i) ends[i + 1] = at[i];
        ends[count + 1] = to;
        for (int i = 0; i <= count; ++i)
            if (value(ends[i + 1]) > level + margin) return crossing(ends[i], ends[i + 1], level);
        return -1.0;
    }

  private:
    double slope(double t) const {
        double sum = 0.0;
        for (int n = kRecordTerms - 1; n >= 1; --n) sum = sum * t + n * c_[n];
        return sum;
    }

    int turns_of_cubic(double from, double to, double (&times)[2]) const {
        const double a = 3.0 * c_[3], b = 2.0 * c_[2], c = c_[1], under_root = b * b - 4.0 * a * c;
        if ((a == 0.0 && b == 0.0) || under_root < 0.0) return 0;
        const double root = ::sqrt(under_root), q = -0.5 * (b + (b < 0.0 ? -root : root));
        const double one = a != 0.0 ? q / a : -1.0, other = q != 0.0 ? c / q : -1.0;
        const double earlier = fmin(one, other), later = fmax(one, other);
        int count = 0;
        if (earlier > from && earlier < to) times[count++] = earlier;
        if (later > from && later < to && later > earlier) times[count++] = later;
        return count;
    }

    void add_zero_of_slope(double from, double to, double (&times)[2], int& count) const {
        const bool starts_rising = slope(from) > 0.0;
        if ((slope(to) > 0.0) == starts_rising) return;
        while (true) {
            const double middle = 0.5 * (from + to);
            if (!(middle > from && middle < to)) break;
            ((slope(middle) > 0.0) == starts_rising ? from : to) = middle;
        }
        times[count++] = to;
    }

    /// Rising from low to high.
    double crossing(double low, double high, double level) const {
        if (value(low) >= level) return low;
        bool is_line = true;
        for (int n = 2; n < kRecordTerms; ++n) is_line = is_line && c_[n] == 0.0;
        if (is_line) return fmin(high, fmax(low, (level - c_[0]) / c_[1]));
        while (true) {
            const double middle = 0.5 * (low + high);
            if (!(middle > low && middle < high)) return high;
            (value(middle) >= level ? high : low) = middle;
        }
    }

    double c_[kRecordTerms];
};

}  // namespace
}  // namespace topple::solver
