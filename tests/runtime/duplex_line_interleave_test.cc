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
#include "runtime/wait.h"
#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"
#include "tests/interleave/weakened.h"
#include "tests/runtime/await.h"

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

struct Waits {
  WaitPolicy policy = kSpins;
  bool looks_at_line = true;
};

template <class Atomics>
class Talk {
 public:
  Talk(Scene& run, std::vector<Round> rounds, Waits waits) : waits_(waits) {
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
      await_message(mailbox, waits_.policy, parkers_[first ? 0 : 1], waits_.looks_at_line);
      int value = 0;
      std::memcpy(&value, mailbox.front().payload.data(), sizeof(value));
      interleave::check(value == received, "messages come in order");
      (void)mailbox.take();
    }
  }

  Waits waits_;
  DuplexLine<Atomics> line_;
  Mailbox<Atomics> there_{2, 2, std::pmr::get_default_resource(), {&line_.end(0), &line_.end(1)}};
  Mailbox<Atomics> back_{2, 2, std::pmr::get_default_resource(), {&line_.end(1), &line_.end(0)}};
  Parker<Atomics> parkers_[2];
};

interleave::Scenario talk_of(const std::vector<Round>& rounds, Waits waits = {}) {
  return [rounds, waits](Scene& run) { const Talk<Checked> talk(run, rounds, waits); };
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

TEST(DuplexLineInterleaving, EveryInterleavingOfOneAnswer) {
  const Options options{.mode = Options::Mode::kSystematic, .executions = 2'000'000};
  for (const WaitPolicy& policy : {kSpins, kParks}) {
    const Result result = interleave::explore(options, talk_of({{1, 1}}, {.policy = policy}));
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_TRUE(result.complete) << result.executions;
  }
}

TEST(DuplexLineInterleaving, AnswersAfterSeveralMessages) {
  expect_ok(talk_of({{2, 1}, {1, 2}, {1, 1}}));
}

TEST(DuplexLineInterleaving, MessagesThatCross) {
  expect_ok(talk_of({{1, 1, true}, {1, 1, true}, {1, 1}, {2, 2, true}}));
}

TEST(DuplexLineInterleaving, ARingThatGrowsBehindAnAnswer) { expect_ok(talk_of({{1, 1}, {4, 1}})); }

TEST(DuplexLineInterleaving, NoWakeUpIsLost) {
  expect_ok(talk_of({{1, 1}, {2, 1}}, {.policy = kParks}));
}

// --- Canaries.

template <class Atomics>
Result explore_weakened() {
  return interleave::explore({}, [](Scene& run) {
    const Talk<Atomics> talk(run, {{1, 1}, {1, 1}}, {});
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

TEST(DuplexLineCanary, WhoSleepsWithoutALookAtTheLineIsNotWoken) {
  const Result result =
      interleave::explore({}, talk_of({{1, 1}}, {.policy = kParks, .looks_at_line = false}));
  EXPECT_EQ(result.failure, Result::Failure::kDeadlock) << result.report;
}

}  // namespace
}  // namespace postroom
