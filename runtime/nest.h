// The machines in whose programs a thread is, one inside of the other; and which of them wait for
// each other.
//
// A run of a machine that is called from inside a program of another one waits where that machine
// is at work. What it waits for may be a program that calls a run in its turn, and waits for the
// machine that the first is in: then nobody can go on. So whoever waits from inside a program is
// entered into a list, and whoever comes last to such a circle is told instead.
//
// Who may call: any thread. Cost: of a wait, a lock and a look at all others of its kind. Errors:
// std::logic_error where a run is not allowed.
#pragma once

#include <array>

namespace postroom {

class Nest {
 public:
  using Machine = const void*;

  bool has(Machine machine) const noexcept;
  /// And in `machine` as well. std::logic_error where it is there already, or in too many.
  Nest with(Machine machine) const;
  bool empty() const noexcept { return depth_ == 0; }

 private:
  std::array<Machine, 8> machines_{};
  int depth_ = 0;
};

/// While it lives, a thread that is in the programs of `nest` waits until `wanted` is free.
class NestedWait {
 public:
  /// std::logic_error where `wanted` waits, by way of others perhaps, for a machine in `nest`.
  NestedWait(const Nest& nest, Nest::Machine wanted);
  ~NestedWait();
  NestedWait(const NestedWait&) = delete;
  NestedWait& operator=(const NestedWait&) = delete;

 private:
  bool comes_back() const;

  const Nest& nest_;
  const Nest::Machine wanted_;
};

}  // namespace postroom
