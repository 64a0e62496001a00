// The steps that the processors of a team take together.
//
// A step is work that each processor does on its own, ended by a barrier. What one processor wrote
// in a step is seen by all in the next one. If the work of any of them throws, all of them learn it
// at the end of that step, and none waits for another in vain.
//
//   Steps steps(team, failure);
//   if (!steps.together([&] { … })) return;   // somebody failed, in this step or before
#pragma once

#include <cstddef>

#include "sort/engine/failure.h"
#include "sort/engine/team.h"

namespace postroom::sorting {

class Steps {
 public:
  /// One for each processor of the team; `failure` is common to all.
  Steps(Team team, Failure& failure) : team_(team), failure_(failure) {}

  std::size_t id() const noexcept { return team_.id(); }
  std::size_t count() const noexcept { return team_.count(); }
  /// This processor's part of [begin, end).
  Range share(std::size_t begin, std::size_t end) const noexcept {
    return share_of({begin, end}, id(), count());
  }

  /// One step. All processors take the same steps. True when nobody has failed so far.
  template <class Work>
  [[nodiscard]] bool together(Work&& work) {
    ++step_;
    failure_.guard(step_, work);
    team_.barrier();
    return !failure_.by(step_);
  }

  /// The same where all go on, whoever has failed.
  template <class Work>
  void in_any_case(Work&& work) {
    static_cast<void>(together(work));
  }

  /// Work after the last step, which no barrier ends; or within a step, which goes on whatever this
  /// throws.
  template <class Work>
  void apart(Work&& work) noexcept {
    failure_.guard(step_ + 1, work);
  }
  /// Whether somebody has failed, in time to be of use.
  bool failed_apart() const noexcept { return failure_.by(step_ + 1); }

 private:
  Team team_;
  Failure& failure_;
  int step_ = 0;
};

}  // namespace postroom::sorting
