// What one processor of a reduction has combined so far. As long as that is its own list, nothing
// is copied.
#pragma once

#include <optional>

#include "collectives/arguments.h"
#include "collectives/operator.h"
#include "collectives/scratch.h"
#include "runtime/processor.h"

namespace postroom {

class Partial {
 public:
  /// Combines into `memory`, which may be `in`; into memory of its own where that is empty.
  Partial(ConstBytes in, Bytes memory, const Operator& op) : held_(in), memory_(memory), op_(op) {}

  ConstBytes bytes() const { return held_; }
  void append(ConstBytes next) { op_.append(writable(), next); }
  void prepend(ConstBytes previous) { op_.prepend(previous, writable()); }

  Bytes writable() {
    if (memory_.empty()) memory_ = scratch_.emplace(held_.size()).bytes();
    copy_bytes(held_, memory_);
    held_ = memory_;
    return memory_;
  }

 private:
  ConstBytes held_;
  Bytes memory_;
  const Operator& op_;
  std::optional<Scratch> scratch_;
};

}  // namespace postroom
