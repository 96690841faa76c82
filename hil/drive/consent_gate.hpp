// A question from the ticking thread to the thread that may wait for a person.
#pragma once

#include <atomic>

namespace topple::hil::drive {

/// The tick asks and goes on ticking; the other thread finds the question, asks the operator and answers.
/// One question at a time.
class ConsentGate {
  public:
    enum class Answer : int { none, yes, no };
    enum Motion : int { positioning = 0, test = 1, back = 2 };
    static constexpr int kNoQuestion = -1;

    // ---- the tick's side ----
    void ask(Motion motion) noexcept {
        answer_.store(Answer::none);
        question_.store(motion);
    }
    Answer answer() const noexcept { return answer_.load(); }

    // ---- the waiting side ----
    int question() const noexcept { return question_.load(); }
    void reply(bool yes) noexcept {
        question_.store(kNoQuestion);
        answer_.store(yes ? Answer::yes : Answer::no);
    }

  private:
    std::atomic<int> question_{kNoQuestion};
    std::atomic<Answer> answer_{Answer::none};
};

}  // namespace topple::hil::drive
