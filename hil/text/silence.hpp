// One of several processes that are one command speaks; the others are silent.
#pragma once

namespace topple::hil::text {

/// Nothing more is written to the terminal by this process.
void be_silent() noexcept;
/// It speaks again: for a failure that only this process knows of.
void speak() noexcept;

}  // namespace topple::hil::text
