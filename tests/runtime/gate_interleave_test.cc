// Gates of several threads under every interleaving within bounds and many random ones: nobody goes
// on before all have come, and what they did before is seen; what is put in as a copy is read by
// all though they meet only once; and canaries with weakened orders.
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

#include "runtime/gate.h"
#include "runtime/parker.h"
#include "runtime/put_in.h"
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

// Two processors on each thread. In each step all write their cell, meet, read all cells, meet.
template <class Atomics>
class Threads {
 public:
  Threads(int threads, const WaitPolicy& policy)
      : policy_(policy),
        parkers_(static_cast<std::size_t>(threads)),
        cells_(static_cast<std::size_t>(2 * threads)) {
    for (int t = 0; t < threads; ++t) {
      gates_.push_back(std::make_unique<Gate<Atomics>>(2, threads));
      put_in_.push_back(std::make_unique<PutIn<Atomics, kPageBytes>>(true));
    }
    if (threads == 2) gates_[1]->share_line_with(*gates_[0]);  // as machines do
    for (Places& places : places_) places.resize(cells_.size());
  }

  /// All put in a copy, meet, and read all copies: of pages that take turns, or of one page.
  void run_on_copies(int thread, int steps, bool by_turns) {
    Gate<Atomics>& gate = *gates_[static_cast<std::size_t>(thread)];
    for (int step = 1; step <= steps; ++step) {
      const std::uint32_t epoch = by_turns ? gate.epoch() : 2 * gate.epoch();
      Places& places = places_[gate.epoch() % 2];
      for (int i = 0; i < 2; ++i) {
        const int value = step;
        std::span<const std::byte>& place = places[static_cast<std::size_t>(2 * thread + i)];
        const std::span<const std::byte> list = put_in_[static_cast<std::size_t>(thread)]->put(
            epoch, std::as_bytes(std::span(&value, 1)));
        Checked::writes(&place, sizeof(place));
        place = list;
        (void)gate.come();
      }
      lead(thread);
      for (const std::span<const std::byte>& place : places) {
        Checked::reads(&place, sizeof(place));
        Checked::reads(place.data(), place.size());
        int value = 0;
        std::memcpy(&value, place.data(), sizeof(value));
        interleave::check(value == step, "all have put in theirs");
      }
    }
  }

  void run(int thread, int steps) {
    Gate<Atomics>& gate = *gates_[static_cast<std::size_t>(thread)];
    for (int step = 1; step <= steps; ++step) {
      for (int i = 0; i < 2; ++i) {
        Checked::writes(&cell(2 * thread + i), sizeof(int));
        cell(2 * thread + i) = step;
        gate.tell({thread, static_cast<std::uint32_t>(step)});
        interleave::check(gate.come() == (i == 1), "the last one of a thread leads");
      }
      lead(thread);
      for (const int& value : cells_) {
        Checked::reads(&value, sizeof(int));
        interleave::check(value == step, "all have come");
      }
      interleave::check(gate.met().latest == static_cast<Time>(gates_.size()) - 1 &&
                            gate.met().round == static_cast<std::uint32_t>(step),
                        "what all know together");
      for (int i = 0; i < 2; ++i) {
        gate.tell({});
        (void)gate.come();
      }
      lead(thread);
    }
  }

 private:
  static constexpr std::size_t kPageBytes = 64;
  using Places = std::vector<std::span<const std::byte>>;

  int& cell(int processor) { return cells_[static_cast<std::size_t>(processor)]; }

  void lead(int thread) {
    const auto threads = static_cast<int>(gates_.size());
    Gate<Atomics>& gate = *gates_[static_cast<std::size_t>(thread)];
    for (int round = 0; round < gate.rounds(); ++round) {
      const auto next = static_cast<std::size_t>((thread + (1 << round)) % threads);
      gate.pass_on(*gates_[next], round);
      gates_[next]->set(round, gate.epoch());
      parkers_[next].wake();
      await(AwaitedWord<typename Gate<Atomics>::Word>{&gate.flag(round), gate.epoch()}, policy_,
            parkers_[static_cast<std::size_t>(thread)]);
      gate.hear(round);
    }
    gate.agree();
    gate.open();
  }

  WaitPolicy policy_;
  std::vector<std::unique_ptr<Gate<Atomics>>> gates_;
  std::vector<Parker<Checked>> parkers_;
  std::vector<int> cells_;
  std::vector<std::unique_ptr<PutIn<Atomics, kPageBytes>>> put_in_;
  std::array<Places, 2> places_;
};

template <class Atomics>
void meet(Scene& scene, int threads, int steps, const WaitPolicy& policy = kSpins) {
  Threads<Atomics> all(threads, policy);
  for (int t = 0; t < threads; ++t) {
    scene.thread([&all, t, steps] { all.run(t, steps); });
  }
  scene.after();
}

template <class Atomics>
void meet_once(Scene& scene, int threads, int steps, bool by_turns = true) {
  Threads<Atomics> all(threads, kSpins);
  for (int t = 0; t < threads; ++t) {
    scene.thread([&all, t, steps, by_turns] { all.run_on_copies(t, steps, by_turns); });
  }
  scene.after();
}

// A leader works on memory that its owner frees once it has seen the machine stopped.
template <class Atomics>
void stop_and_free(Scene& scene, std::memory_order stop_order) {
  Gate<Atomics> gate(1, 2);
  typename Atomics::template Atomic<std::uint32_t> stop{0};
  int list = 1;
  scene.thread(
      [&] {
        if (!gate.begin_work([&] { return stop.load(stop_order) != 0; })) return;
        Checked::reads(&list, sizeof(list));
        interleave::check(list == 1, "the list is still there");
        gate.end_work();
      },
      "leader");
  scene.thread(
      [&] {
        stop.store(1, stop_order);
        while (gate.works()) Checked::yield();
        Checked::writes(&list, sizeof(list));
        list = 0;
      },
      "owner");
  scene.after();
}

Options random_options() { return {.executions = 10'000}; }
Options systematic_options() { return {.mode = Options::Mode::kSystematic, .executions = 50'000}; }

TEST(GateInterleaving, NobodyGoesOnBeforeAllHaveCome) {
  for (const Options& options : {random_options(), systematic_options()}) {
    for (const int threads : {2, 3}) {
      const Result result =
          interleave::explore(options, [&](Scene& scene) { meet<Checked>(scene, threads, 2); });
      EXPECT_TRUE(result.ok()) << result.report;
      EXPECT_GT(result.executions, 1000);
    }
  }
}

TEST(GateInterleaving, EveryInterleavingOfTheSmallestScenes) {
  const Options options{.mode = Options::Mode::kSystematic, .executions = 2'000'000};
  for (const interleave::Scenario& scenario : std::initializer_list<interleave::Scenario>{
           [](Scene& scene) { meet<Checked>(scene, 2, 1); },
           [](Scene& scene) { meet<Checked>(scene, 2, 1, kParks); },
           [](Scene& scene) { meet_once<Checked>(scene, 2, 3); },
           [](Scene& scene) { stop_and_free<Checked>(scene, std::memory_order_seq_cst); }}) {
    const Result result = interleave::explore(options, scenario);
    EXPECT_TRUE(result.ok()) << result.report;
    EXPECT_TRUE(result.complete) << result.executions;
  }
}

TEST(GateInterleaving, WhoParksIsWoken) {
  for (const Options& options : {random_options(), systematic_options()}) {
    const Result result =
        interleave::explore(options, [](Scene& scene) { meet<Checked>(scene, 2, 2, kParks); });
    EXPECT_TRUE(result.ok()) << result.report;
  }
}

TEST(GateInterleaving, CopiesAreReadByAllThoughTheyMeetOnce) {
  for (const Options& options : {random_options(), systematic_options()}) {
    for (const int threads : {2, 3}) {
      const Result result = interleave::explore(
          options, [&](Scene& scene) { meet_once<Checked>(scene, threads, 4); });
      EXPECT_TRUE(result.ok()) << result.report;
      EXPECT_GT(result.executions, 1000);
    }
  }
}

TEST(GateInterleaving, NoListGoesWhileThereIsWork) {
  for (const Options& options : {random_options(), systematic_options()}) {
    const Result result = interleave::explore(
        options, [](Scene& scene) { stop_and_free<Checked>(scene, std::memory_order_seq_cst); });
    EXPECT_TRUE(result.ok()) << result.report;
  }
}

TEST(GateCanary, AStopOutsideOfTheOneOrderIsSeenTooLate) {
  const Result result = interleave::explore(
      {}, [](Scene& scene) { stop_and_free<Checked>(scene, std::memory_order_relaxed); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(GateCanary, AFlagThatPublishesNothingIsARace) {
  const Result result = interleave::explore({}, [](Scene& scene) { meet<NoRelease>(scene, 2, 1); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(GateCanary, CopiesOnOnePageAreWrittenWhileTheyAreRead) {
  const Result result = interleave::explore(
      {}, [](Scene& scene) { meet_once<Checked>(scene, 2, 3, /*by_turns=*/false); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(GateCanary, CopiesThatAreNotPublishedAreARace) {
  const Result result =
      interleave::explore({}, [](Scene& scene) { meet_once<NoRelease>(scene, 2, 1); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

TEST(GateCanary, AFlagThatIsNotAcquiredIsARace) {
  const Result result = interleave::explore({}, [](Scene& scene) { meet<NoAcquire>(scene, 2, 1); });
  EXPECT_EQ(result.failure, Result::Failure::kRace) << result.report;
}

}  // namespace
}  // namespace postroom
