#include "solver/motion/vertical_motion.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>
#include <string>

#include "solver/motion/excitation.hpp"

namespace topple::solver {
namespace {

std::string number(double value) {
    std::array<char, 32> text;
    return {text.data(),
            std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 9).ptr};
}

}  // namespace

void require_weight(const BaseMotion& vertical, double gravity) {
    for (const MotionPiece& piece : vertical.pieces()) {
        const Excitation up({&piece, nullptr}, gravity, 0.0);
        const auto falls = up.first_exit(piece.start_s, piece.end_s, -gravity * (1.0 - kLeastWeightRatio),
                                         std::numeric_limits<double>::infinity(), 0.0);
        if (!falls) continue;
        throw std::invalid_argument("vertical motion: the base falls freely at t = " + number(falls->time_s) +
                                    " s; its acceleration must stay above " + number(-gravity) +
                                    " m/s2: the specimen would lose contact");
    }
}

VerticalCursor::Stretch VerticalCursor::stretch_from(double time_s) noexcept {
    if (!moves()) return {};
    const auto& pieces = motion_->pieces();
    while (next_ < pieces.size() && pieces[next_].end_s <= time_s) ++next_;
    if (next_ == pieces.size()) return {};
    const MotionPiece& piece = pieces[next_];
    if (piece.start_s > time_s) return {nullptr, piece.start_s};
    return {&piece, piece.end_s};
}

}  // namespace topple::solver
