// Two mailboxes that share a line, under every interleaving within bounds and many random ones,
// with the orders that they ship with; and canaries, which must be found.
#include <gtest/gtest.h>

#include <cstring>
#include <memory_resource>
#include <span>
#include <vector>

#include "runtime/duplex_line.h"
#include "runtime/mailbox.h"
#include "runtime/parker.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"

namespace postroom {
namespace {

using interleave::Checked;
using interleave::NoAcquire;
using interleave::NoRelease;
using interleave::Options;
using interleave::Result;
using Scene = interleave::Run;

// So many messages of one side, then so many of the other; or of both at once.
struct Round {
  int there;
  int back;
  bool crossing = false;
};

template <class Atomics>
class Talk {
 public:
  Talk(Scene& run, std::vector<Round> rounds, bool parks) : parks_(parks) {
    for (const bool first : {true, false}) {
      run.thread([this, first, rounds] { play(first, rounds); }, first ? "first" : "second");
    }
    run.after([this] {
      interleave::check(!there_.try_front() && !back_.try_front(), "nothing is left");
    });
  }

 private:
  void play(bool first, const std::vector<Round>& rounds) {
    int sent = 0;
    int received = 0;
    for (const Round& round : rounds) {
      const int out = first ? round.there : round.back;
      const int in = first ? round.back : round.there;
      if (first || round.crossing) send(first, out, sent);
      receive(first, in, received);
      if (!first && !round.crossing) send(first, out, sent);
    }
  }
  void send(bool first, int messages, int& sent) {
    for (int i = 0; i < messages; ++i, ++sent) {
      (first ? there_ : back_).post_inline(std::as_bytes(std::span(&sent, 1)));
      parkers_[first ? 1 : 0].wake();
    }
  }
  void receive(bool first, int messages, int& received) {
    Mailbox<Atomics>& mailbox = first ? back_ : there_;
    for (int i = 0; i < messages; ++i, ++received) {
      while (!mailbox.try_front()) parks_ ? park(mailbox, first) : Atomics::yield();
      int value = 0;
      std::memcpy(&value, mailbox.front().payload.data(), sizeof(value));
      interleave::check(value == received, "messages come in order");
      (void)mailbox.take();
    }
  }
  // As a wait for either word does.
  void park(const Mailbox<Atomics>& mailbox, bool first) {
    Parker<Atomics>& parker = parkers_[first ? 0 : 1];
    parker.prepare();
    const auto* const line = mailbox.line();
    if (has_come(mailbox.next_word(), mailbox.next_value()) ||
        (line != nullptr && has_come(line->next_word(), line->next_value()))) {
      parker.cancel();
    } else {
      parker.park();
    }
  }
  static bool has_come(const typename Mailbox<Atomics>::Word& word, std::uint32_t value) {
    return reached(word.load(std::memory_order_acquire), value);
  }

  bool parks_;
  DuplexLine<Atomics> line_;
  Mailbox<Atomics> there_{2, 2, std::pmr::get_default_resource(), {&line_.end(0), &line_.end(1)}};
  Mailbox<Atomics> back_{2, 2, std::pmr::get_default_resource(), {&line_.end(1), &line_.end(0)}};
  Parker<Atomics> parkers_[2];
};

interleave::Scenario talk_of(std::vector<Round> rounds, bool parks = false) {
  return [rounds, parks](Scene& run) { const Talk<Checked> talk(run, rounds, parks); };
}

void expect_ok(const interleave::Scenario& scenario) {
  for (const Options& options :
       {Options{.executions = 30'000},
        Options{.mode = Options::Mode::kSystematic, .executions = 100'000}}) {
    const Result result = interleave::explore(options, scenario);
    EXPECT_TRUE(result.ok()) << result.report;
  }
}

TEST(DuplexLineInterleaving, Answers) { expect_ok(talk_of({{1, 1}, {1, 1}, {1, 1}})); }

TEST(DuplexLineInterleaving, AnswersAfterSeveralMessages) {
  expect_ok(talk_of({{2, 1}, {1, 2}, {1, 1}}));
}

TEST(DuplexLineInterleaving, MessagesThatCross) {
  expect_ok(talk_of({{1, 1, true}, {1, 1, true}, {1, 1}, {2, 2, true}}));
}

TEST(DuplexLineInterleaving, ARingThatGrowsBehindAnAnswer) { expect_ok(talk_of({{1, 1}, {4, 1}})); }

TEST(DuplexLineInterleaving, NoWakeUpIsLost) {
  expect_ok(talk_of({{1, 1}, {2, 1}}, /*parks=*/true));
}

// --- Canaries.

template <class Atomics>
Result explore_weakened() {
  return interleave::explore({}, [](Scene& run) {
    const Talk<Atomics> talk(run, {{1, 1}, {1, 1}}, /*parks=*/false);
  });
}

TEST(DuplexLineCanary, AnUnpublishedAnswerIsARace) {
  const Result result = explore_weakened<NoRelease>();
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(DuplexLineCanary, AnAnswerThatIsNotAcquiredIsARace) {
  const Result result = explore_weakened<NoAcquire>();
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

}  // namespace
}  // namespace postroom
