// From reset to main() on a Cortex-M: vectors, memory, a painted stack, floating point; and what the compiler asks of a
// system that has none.
#include "firmware_iface/firmware/startup.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

extern "C" {
extern std::uint32_t data_in_flash[], data_begin[], data_end[], bss_begin[], bss_end[], stack_begin[], stack_end[];
using Constructor = void (*)();
extern const Constructor constructors_begin[], constructors_end[];
int main();

[[noreturn]] void reset();

/// Nothing is left to do: interrupts off, so that the watchdog is not kicked and takes the drive's power.
[[noreturn]] void trap() {
    __asm volatile("cpsid i");
    for (;;) __asm volatile("wfi");
}
void __cxa_pure_virtual() { trap(); }
}

namespace topple::firmware {
namespace {

constexpr std::uint32_t kPaint = 0x5AFE57AC;
[[maybe_unused]] volatile std::uint32_t& coprocessor_access() noexcept {
    return *reinterpret_cast<std::uint32_t*>(0xE000ED88);
}

void paint_stack() noexcept {
    std::uint32_t* here = nullptr;
    __asm volatile("mov %0, sp" : "=r"(here));
    constexpr std::ptrdiff_t kOwnFrame = 16;
    for (std::uint32_t* word = stack_begin; word < here - kOwnFrame; ++word) *word = kPaint;
}

}  // namespace

std::size_t stack_used_bytes() noexcept {
    const std::uint32_t* word = stack_begin;
    while (word < stack_end && *word == kPaint) ++word;
    return static_cast<std::size_t>(stack_end - word) * sizeof(*word);
}

std::size_t stack_size_bytes() noexcept {
    return static_cast<std::size_t>(stack_end - stack_begin) * sizeof(std::uint32_t);
}

using Vector = void (*)();
struct SystemVectors {
    std::uint32_t* stack;
    Vector handlers[15];
};
[[gnu::section(".vectors.system"), gnu::used]] const SystemVectors kSystemVectors{
    stack_end,
    {reset, trap, trap, trap, trap, trap, nullptr, nullptr, nullptr, nullptr, trap, trap, nullptr, trap, trap}};

}  // namespace topple::firmware

void reset() {
    using namespace topple::firmware;
    __asm volatile("cpsid i");
#if defined(__ARM_FP)
    coprocessor_access() = coprocessor_access() | 0xF00000U;  // CP10 and CP11: full access
    __asm volatile("dsb\n isb" ::: "memory");
#endif
    paint_stack();
    const std::uint32_t* from = data_in_flash;
    for (std::uint32_t* to = data_begin; to < data_end;) *to++ = *from++;
    for (std::uint32_t* to = bss_begin; to < bss_end;) *to++ = 0;
    for (const Constructor* constructor = constructors_begin; constructor < constructors_end; ++constructor)
        (*constructor)();
    main();
    trap();
}
