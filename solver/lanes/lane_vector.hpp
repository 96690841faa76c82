// Eight doubles that are computed with at once, as wide as the instruction set of the including file allows.
// Include from kernels only: everything lives in an unnamed namespace because its layout differs between
// them.
#pragma once

namespace topple::solver {
namespace {

#ifdef __AVX__
inline constexpr int kRegisterBytes = 32;
#else
inline constexpr int kRegisterBytes = 16;
#endif
inline constexpr int kLanes = 8;
inline constexpr int kRegisters = kLanes * static_cast<int>(sizeof(double)) / kRegisterBytes;

using Register = double __attribute__((vector_size(kRegisterBytes), may_alias));

/// Lanes in memory: what scalar code reads and writes one by one.
struct alignas(64) LaneArray {
    double lane[kLanes];
};

/// One register's worth of lanes in memory.
inline Register& part_of(LaneArray& lanes, int part) { return reinterpret_cast<Register*>(lanes.lane)[part]; }
inline const Register& part_of(const LaneArray& lanes, int part) {
    return reinterpret_cast<const Register*>(lanes.lane)[part];
}

/// Lanes in registers.
struct Lanes {
    Register part[kRegisters];

    static Lanes all(double value) {
        Lanes r;
        for (int i = 0; i < kRegisters; ++i) r.part[i] = Register{} + value;
        return r;
    }
    static Lanes load(const LaneArray& from) {
        Lanes r;
        for (int i = 0; i < kRegisters; ++i) r.part[i] = reinterpret_cast<const Register*>(from.lane)[i];
        return r;
    }
    void store(LaneArray& to) const {
        for (int i = 0; i < kRegisters; ++i) reinterpret_cast<Register*>(to.lane)[i] = part[i];
    }
};

#define TOPPLE_LANE_OPERATOR(op)                                                 \
    inline Lanes operator op(const Lanes& a, const Lanes& b) {                   \
        Lanes r;                                                                 \
        for (int i = 0; i < kRegisters; ++i) r.part[i] = a.part[i] op b.part[i]; \
        return r;                                                                \
    }                                                                            \
    inline Lanes operator op(const Lanes& a, double b) {                         \
        Lanes r;                                                                 \
        for (int i = 0; i < kRegisters; ++i) r.part[i] = a.part[i] op b;         \
        return r;                                                                \
    }
TOPPLE_LANE_OPERATOR(+)
TOPPLE_LANE_OPERATOR(-)
TOPPLE_LANE_OPERATOR(*)
TOPPLE_LANE_OPERATOR(/)
#undef TOPPLE_LANE_OPERATOR

inline Lanes min(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int i = 0; i < kRegisters; ++i) r.part[i] = a.part[i] < b.part[i] ? a.part[i] : b.part[i];
    return r;
}
inline Lanes max(const Lanes& a, const Lanes& b) {
    Lanes r;
    for (int i = 0; i < kRegisters; ++i) r.part[i] = a.part[i] > b.part[i] ? a.part[i] : b.part[i];
    return r;
}
inline Lanes abs(const Lanes& a) { return max(a, Lanes::all(0.0) - a); }

/// 16th root within 7 %, by a sixteenth of the exponent: good enough for the choice of a step. x > 0, normal.
inline Lanes root16(const Lanes& x) {
    using Bits = long long __attribute__((vector_size(kRegisterBytes), may_alias));
    constexpr long long kBias = (1023LL << 52) - ((1023LL << 52) >> 4);
    Lanes r;
    for (int i = 0; i < kRegisters; ++i) {
        Bits bits = reinterpret_cast<const Bits&>(x.part[i]);
        bits = (bits >> 4) + kBias;
        r.part[i] = reinterpret_cast<const Register&>(bits);
    }
    return r;
}

}  // namespace
}  // namespace topple::solver
