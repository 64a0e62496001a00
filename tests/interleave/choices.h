// Who decides wherever an execution could go on in more than one way.
//
// Option 0 is always the plain one: the running thread goes on, a load returns the newest store.
// RandomChoices draws from a seed, with other odds in each execution. SystematicChoices goes
// through all combinations, depth first, with at most so many preemptions and stale loads in one
// execution: few are enough for nearly every error, and keep the number of executions small
// (Musuvathi and Qadeer, "Iterative context bounding for systematic testing of multithreaded
// programs", PLDI 2007; bounding the stale loads the same way is ours).
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tests/interleave/heap.h"

namespace postroom::interleave {

class Choices {
 public:
  virtual ~Choices() = default;

  /// Begins the next execution; false when there is none left.
  virtual bool next() = 0;

  /// Which thread goes on. Options: `ready` threads, then `spinning` ones that would look in vain.
  /// With `preempts`, option 0 is the running thread, and any other is a preemption.
  virtual int thread(int ready, int spinning, bool preempts) = 0;
  /// Which store a load returns, by age.
  virtual int store(int readable) = 0;
  /// Which of the waiting threads is woken.
  virtual int waiter(int waiting) = 0;
  /// Whether a weak compare-exchange fails for no reason.
  virtual bool fails_spuriously() = 0;

  /// What brings this execution back, for Options::replay.
  virtual std::string replay() const = 0;
  /// Whether the execution asked for other choices than its forerunner did at the same place.
  virtual bool diverged() const { return false; }
  /// Whether every combination of choices has been tried.
  virtual bool complete() const { return false; }
};

class RandomChoices final : public Choices {
 public:
  static constexpr std::string_view kReplayPrefix = "seed:";

  RandomChoices(std::uint64_t first_seed, int executions);

  bool next() override;
  int thread(int ready, int spinning, bool preempts) override;
  int store(int readable) override;
  int waiter(int waiting) override { return below(waiting); }
  bool fails_spuriously() override { return one_in(8); }
  std::string replay() const override;

 private:
  std::uint64_t draw();
  int below(int n) { return static_cast<int>(draw() % static_cast<unsigned>(n)); }
  bool one_in(unsigned n) { return draw() % n == 0; }

  std::uint64_t next_seed_;
  int left_;
  std::uint64_t state_ = 0;
  unsigned preempt_one_in_ = 2;
  unsigned stale_one_in_ = 2;
};

class SystematicChoices final : public Choices {
 public:
  static constexpr std::string_view kReplayPrefix = "path:";

  SystematicChoices(int executions, int preemptions, int stale_loads);
  /// One execution only, which follows `path`: what replay() returned, without the prefix.
  SystematicChoices(std::string_view path, int preemptions, int stale_loads);

  bool next() override;
  int thread(int ready, int spinning, bool preempts) override;
  int store(int readable) override;
  int waiter(int waiting) override { return pick(waiting); }
  bool fails_spuriously() override { return store(2) != 0; }
  std::string replay() const override;
  bool diverged() const override { return diverged_; }
  bool complete() const override { return complete_; }

 private:
  struct Choice {
    int option;
    int options;
  };
  int pick(int options);

  int left_;
  int preemptions_;
  int stale_loads_;
  bool backtracks_;
  bool started_ = false;
  int preemptions_left_ = 0;
  int stale_loads_left_ = 0;
  UntrackedVector<Choice> path_;  // of the current execution, as far as it is fixed or has come
  std::size_t depth_ = 0;
  bool diverged_ = false;
  bool complete_ = false;
};

}  // namespace postroom::interleave
