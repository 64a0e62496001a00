// The checker's memory model against the axioms of the C++20 standard, on random small programs.
//
// A program is a few straight-line threads of loads, stores, exchanges and fences with random
// orders on two atomics. The checker explores all that it can do. Independently, every way to
// choose for each read the store that it reads, and for each atomic the order of its stores, is
// held against the axioms ([intro.races], [atomics.order], [atomics.fences]). Both must give the
// same set of outcomes. Out of the checker's reach, and left out on the other side too, are only
// the executions that no interleaving can show: where the order in the threads, reads-from, the
// modification orders and the single order of the seq_cst operations form a cycle.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cstddef>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/interleave/checked.h"
#include "tests/interleave/interleave.h"

namespace postroom {
namespace {

using interleave::Checked;
using Order = std::memory_order;

constexpr int kAtomics = 2;

enum class Kind { kLoad, kStore, kExchange, kFence };

struct Event {
  int thread;
  Kind kind;
  int atomic;
  int value;  // what it writes: its own number, so that a value tells where it comes from
  Order order;

  bool reads() const { return kind == Kind::kLoad || kind == Kind::kExchange; }
  bool writes() const { return kind == Kind::kStore || kind == Kind::kExchange; }
  bool fence() const { return kind == Kind::kFence; }
  bool seq_cst() const { return order == std::memory_order_seq_cst; }
  bool acquires() const {
    return order == std::memory_order_acquire || order == std::memory_order_acq_rel || seq_cst();
  }
  bool releases() const {
    return order == std::memory_order_release || order == std::memory_order_acq_rel || seq_cst();
  }
};

/// In the order of the threads and, in each thread, of the program. The first kAtomics events are
/// the initial values, stored before all threads.
using Program = std::vector<Event>;
/// What each event read (0 for those that do not), then the last value of each atomic.
using Outcome = std::vector<int>;
using Outcomes = std::set<Outcome>;

Order random_order(Kind kind, std::mt19937& random) {
  static const std::map<Kind, std::vector<Order>> allowed = {
      {Kind::kLoad,
       {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_seq_cst}},
      {Kind::kStore,
       {std::memory_order_relaxed, std::memory_order_release, std::memory_order_seq_cst}},
      {Kind::kExchange,
       {std::memory_order_relaxed, std::memory_order_acquire, std::memory_order_release,
        std::memory_order_acq_rel, std::memory_order_seq_cst}},
      {Kind::kFence,
       {std::memory_order_acquire, std::memory_order_release, std::memory_order_acq_rel,
        std::memory_order_seq_cst}}};
  const std::vector<Order>& orders = allowed.at(kind);
  return orders[random() % orders.size()];
}

/// In every other program the second event of a longer thread is a fence, and the orders around it
/// are mostly relaxed.
Program random_program(const std::vector<int>& events_of_thread, std::mt19937& random) {
  const bool fenced = random() % 2 == 0;
  Program program;
  for (int a = 0; a < kAtomics; ++a) {
    program.push_back({-1, Kind::kStore, a, 0, std::memory_order_relaxed});
  }
  for (int t = 0; t < static_cast<int>(events_of_thread.size()); ++t) {
    for (int i = 0; i < events_of_thread[t]; ++i) {
      constexpr std::array kKinds = {Kind::kLoad,  Kind::kLoad,     Kind::kLoad,     Kind::kStore,
                                     Kind::kStore, Kind::kExchange, Kind::kExchange, Kind::kFence};
      const bool is_fence = fenced && i == 1 && events_of_thread[t] >= 3;
      const Kind kind = is_fence ? Kind::kFence : kKinds[random() % kKinds.size()];
      Order order = random_order(kind, random);
      if (fenced && kind == Kind::kFence && random() % 2 == 0) order = std::memory_order_seq_cst;
      if (fenced && kind != Kind::kFence && random() % 3 != 0) order = std::memory_order_relaxed;
      program.push_back({t, kind, static_cast<int>(random() % kAtomics),
                         static_cast<int>(program.size()), order});
    }
  }
  return program;
}

std::string text_of(const Program& program) {
  constexpr std::array kKinds = {"load", "store", "exchange", "fence"};
  constexpr std::array kOrders = {"relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  std::ostringstream text;
  for (const Event& e : program) {
    text << "T" << e.thread << " " << kKinds[static_cast<std::size_t>(e.kind)] << " atomic "
         << e.atomic << " value " << e.value << " " << kOrders[static_cast<std::size_t>(e.order)]
         << "\n";
  }
  return text.str();
}

// --- What the checker says.

Outcomes explored(const Program& program) {
  Outcomes outcomes;
  const interleave::Result result =
      interleave::explore({.mode = interleave::Options::Mode::kSystematic,
                           .executions = 1'000'000,
                           .preemptions = 100,
                           .stale_loads = 100},
                          [&](interleave::Run& run) {
                            std::array<Checked::Atomic<int>, kAtomics> atomics;
                            Outcome outcome(program.size() + kAtomics, 0);
                            for (int t = 0; t <= program.back().thread; ++t) {
                              run.thread([&, t] {
                                for (std::size_t i = kAtomics; i < program.size(); ++i) {
                                  const Event& e = program[i];
                                  if (e.thread != t) continue;
                                  Checked::Atomic<int>& atomic = atomics[e.atomic];
                                  if (e.kind == Kind::kLoad) outcome[i] = atomic.load(e.order);
                                  if (e.kind == Kind::kStore) atomic.store(e.value, e.order);
                                  if (e.kind == Kind::kExchange)
                                    outcome[i] = atomic.exchange(e.value, e.order);
                                  if (e.kind == Kind::kFence) Checked::fence(e.order);
                                }
                              });
                            }
                            run.after([&] {
                              for (int a = 0; a < kAtomics; ++a)
                                outcome[program.size() + a] = atomics[a].load();
                              outcomes.insert(outcome);
                            });
                          });
  EXPECT_TRUE(result.complete) << result.report;
  return outcomes;
}

// --- What the axioms say.

constexpr std::size_t kMaxEvents = 16;

/// A relation between events.
class Relation {
 public:
  bool operator()(std::size_t a, std::size_t b) const { return rows_[a][b]; }
  void add(std::size_t a, std::size_t b) { rows_[a][b] = true; }
  Relation operator|(const Relation& other) const {
    Relation sum = *this;
    for (std::size_t i = 0; i < kMaxEvents; ++i) sum.rows_[i] |= other.rows_[i];
    return sum;
  }
  Relation closed() const {
    Relation closure = *this;
    for (std::size_t k = 0; k < kMaxEvents; ++k) {
      for (auto& row : closure.rows_) {
        if (row[k]) row |= closure.rows_[k];
      }
    }
    return closure;
  }
  bool acyclic() const {
    const Relation closure = closed();
    for (std::size_t i = 0; i < kMaxEvents; ++i) {
      if (closure(i, i)) return false;
    }
    return true;
  }

 private:
  std::array<std::bitset<kMaxEvents>, kMaxEvents> rows_{};
};

/// One candidate: who reads from whom, and the modification orders.
class Candidate {
 public:
  Candidate(const Program& program, const std::vector<std::size_t>& source,
            const std::array<std::vector<std::size_t>, kAtomics>& modifications)
      : program_(program), source_(source), modifications_(modifications) {
    for (std::size_t a = 0; a < program.size(); ++a) {
      for (std::size_t b = a + 1; b < program.size(); ++b) {
        const bool initial = program[a].thread < 0 && program[b].thread >= 0;
        if (initial || program[a].thread == program[b].thread) sequenced_.add(a, b);
      }
      if (program[a].reads()) reads_from_.add(source[a], a);
    }
    for (const auto& order : modifications) {
      for (std::size_t i = 0; i < order.size(); ++i) {
        for (std::size_t j = i + 1; j < order.size(); ++j) modified_.add(order[i], order[j]);
      }
    }
    for (std::size_t r = 0; r < program.size(); ++r) {
      if (!program[r].reads()) continue;
      for (std::size_t w = 0; w < program.size(); ++w) {
        if (w != r && modified_(source[r], w)) reads_before_.add(r, w);
      }
    }
    coherence_ = (reads_from_ | modified_ | reads_before_).closed();
    happens_before_ = (sequenced_ | synchronizes_with()).closed();
  }

  /// Whether it obeys the standard and some interleaving shows it.
  bool possible() const {
    for (std::size_t a = 0; a < program_.size(); ++a) {
      for (std::size_t b = 0; b < program_.size(); ++b) {
        if (happens_before_(a, b) && (a == b || coherence_(b, a))) return false;
      }
    }
    return (sequenced_ | reads_from_ | modified_ | single_order()).acyclic();
  }

  Outcome outcome() const {
    Outcome outcome(program_.size() + kAtomics, 0);
    for (std::size_t i = 0; i < program_.size(); ++i) {
      if (program_[i].reads()) outcome[i] = program_[source_[i]].value;
    }
    for (int a = 0; a < kAtomics; ++a) {
      outcome[program_.size() + a] = program_[modifications_[a].back()].value;
    }
    return outcome;
  }

 private:
  /// The stores whose release sequence contains `store`: itself and, through exchanges, earlier
  /// ones.
  std::vector<std::size_t> heads(std::size_t store) const {
    std::vector<std::size_t> heads = {store};
    while (program_[heads.back()].reads() && heads.size() <= program_.size()) {
      heads.push_back(source_[heads.back()]);
    }
    return heads;
  }

  Relation synchronizes_with() const {
    Relation result;
    for (std::size_t r = 0; r < program_.size(); ++r) {
      if (!program_[r].reads()) continue;
      for (const std::size_t head : heads(source_[r])) {
        for (std::size_t a = 0; a < program_.size(); ++a) {
          const bool releases =
              program_[a].releases() && (a == head || (program_[a].fence() && sequenced_(a, head)));
          if (!releases) continue;
          for (std::size_t b = 0; b < program_.size(); ++b) {
            const bool acquires =
                program_[b].acquires() && (b == r || (program_[b].fence() && sequenced_(r, b)));
            if (acquires) result.add(a, b);
          }
        }
      }
    }
    return result;
  }

  /// What the single order S of the seq_cst operations must contain ([atomics.order], 4).
  Relation single_order() const {
    Relation order;
    for (std::size_t a = 0; a < program_.size(); ++a) {
      for (std::size_t b = 0; b < program_.size(); ++b) {
        if (a == b || !coherence_(a, b)) continue;
        for (std::size_t x = 0; x < program_.size(); ++x) {
          const bool begins =
              program_[x].seq_cst() && (x == a || (program_[x].fence() && happens_before_(x, a)));
          if (!begins) continue;
          for (std::size_t y = 0; y < program_.size(); ++y) {
            const bool ends =
                program_[y].seq_cst() && (y == b || (program_[y].fence() && happens_before_(b, y)));
            if (ends) order.add(x, y);
          }
        }
      }
    }
    return order;  // with the order in the threads, which the caller adds
  }

  const Program& program_;
  const std::vector<std::size_t>& source_;
  const std::array<std::vector<std::size_t>, kAtomics>& modifications_;
  Relation sequenced_;
  Relation reads_from_;
  Relation modified_;
  Relation reads_before_;
  Relation coherence_;
  Relation happens_before_;
};

/// All candidates with these modification orders. An exchange reads from the store before it.
void add_outcomes(const Program& program,
                  const std::array<std::vector<std::size_t>, kAtomics>& modifications,
                  Outcomes& outcomes) {
  std::vector<std::size_t> source(program.size(), 0);
  for (const auto& order : modifications) {
    for (std::size_t i = 1; i < order.size(); ++i) source[order[i]] = order[i - 1];
  }
  std::vector<std::size_t> loads;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].kind == Kind::kLoad) loads.push_back(i);
  }
  std::vector<std::size_t> choice(loads.size(), 0);
  for (;;) {
    for (std::size_t i = 0; i < loads.size(); ++i) {
      source[loads[i]] = modifications[program[loads[i]].atomic][choice[i]];
    }
    const Candidate candidate(program, source, modifications);
    if (candidate.possible()) outcomes.insert(candidate.outcome());
    std::size_t i = 0;
    while (i < loads.size() && ++choice[i] == modifications[program[loads[i]].atomic].size()) {
      choice[i++] = 0;
    }
    if (i == loads.size()) return;
  }
}

Outcomes derived(const Program& program) {
  std::array<std::vector<std::size_t>, kAtomics> modifications;
  for (std::size_t i = 0; i < program.size(); ++i) {
    if (program[i].writes()) modifications[program[i].atomic].push_back(i);
  }
  Outcomes outcomes;
  auto& [first, second] = modifications;
  do {  // the initial value stays the first
    do {
      add_outcomes(program, modifications, outcomes);
    } while (std::next_permutation(second.begin() + 1, second.end()));
  } while (std::next_permutation(first.begin() + 1, first.end()));
  return outcomes;
}

// --- The comparison.

void compare(const std::vector<int>& events_of_thread, int programs) {
  for (int seed = 1; seed <= programs; ++seed) {
    std::mt19937 random(static_cast<unsigned>(seed));
    const Program program = random_program(events_of_thread, random);
    ASSERT_EQ(explored(program), derived(program))
        << "seed " << seed << ", explored first; the program:\n"
        << text_of(program);
  }
}

TEST(Axioms, TwoThreads) { compare({3, 3}, 2'000); }
TEST(Axioms, TwoLongerThreads) { compare({4, 3}, 300); }
TEST(Axioms, ThreeThreads) { compare({2, 2, 2}, 300); }
TEST(Axioms, FourThreads) { compare({1, 1, 2, 2}, 150); }

}  // namespace
}  // namespace postroom
