#include "hil/drive/drive_script.hpp"

#include <chrono>
#include <thread>

#include "controller/rt/thread_setup.hpp"
#include "hil/files/errors.hpp"

namespace topple::hil::drive {
namespace {

constexpr auto kProgressPeriod = std::chrono::milliseconds(200);

// A terminal that goes away must not take the tick with it: the test goes on unseen.
void show(ProgressSink& progress, const DriveStatus& status) noexcept {
    try {
        if (progress) progress(status);
    } catch (const std::exception&) {
        progress = nullptr;
    }
}

void answer(ConsentGate& gate, const ScriptSurroundings& around, const std::function<bool()>& abandoned,
            std::string& refusal) {
    try {
        around.consent.ask(around.question(gate.question()), abandoned);
        gate.reply(true);
    } catch (const std::exception& error) {  // no consent, or nobody could be asked
        refusal = error.what();
        gate.reply(false);
    }
}

}  // namespace

DriveResult drive_script(MotionDriver& driver, const DriveParts& parts, ConsentGate& gate,
                         const ScriptSurroundings& around) {
    if (parts.clock.is_virtual()) {
        driver.run();
        return driver.result();
    }
    std::string refusal;
    std::atomic<bool> ended{false};
    ProgressSink progress = around.progress;
    parts.predictor.start_thread();
    std::thread ticking([&] {
        const controller::RealTime real_time(parts.clock, {.processor = around.processor});
        driver.run(real_time.setup().text());
        ended.store(true);
    });
    while (!ended.load()) {
        if (gate.question() != ConsentGate::kNoQuestion)
            answer(
                gate, around, [&ended] { return ended.load(); }, refusal);
        show(progress, driver.status());
        std::this_thread::sleep_for(kProgressPeriod);
    }
    ticking.join();
    parts.predictor.stop_thread();
    DriveResult result = driver.result();
    // A fault that came while the question was open is the reason then, not the missing answer.
    if (!refusal.empty() && !result.moved && result.reason == controller::StopReason::operator_stop)
        throw files::InputError(refusal);
    return result;
}

}  // namespace topple::hil::drive
