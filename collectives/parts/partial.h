// What one processor of a reduction has combined so far. As long as that is its own list, nothing
// is copied.
#pragma once

#include <optional>

#include "collectives/parts/arguments.h"
#include "collectives/parts/operator.h"
#include "collectives/parts/scratch.h"
#include "runtime/processor.h"

namespace postroom {

class Partial {
 public:
  /// Combines into `memory`, which may be `in`; into memory of its own where that is empty.
  Partial(Processor& self, ConstBytes in, Bytes memory, const Operator& op)
      : self_(self), held_(in), memory_(memory), op_(op) {}

  ConstBytes bytes() const { return held_; }
  void append(ConstBytes next) {
    if (is_own()) return op_.append(memory_, next);
    op_.combine(held_, next, own_memory());
    held_ = memory_;
  }
  void prepend(ConstBytes previous) {
    if (is_own()) return op_.prepend(previous, memory_);
    op_.combine(previous, held_, own_memory());
    held_ = memory_;
  }

  Bytes writable() {
    copy_bytes(held_, own_memory());
    held_ = memory_;
    return memory_;
  }

 private:
  /// Whether it lies where it may be changed.
  bool is_own() const { return held_.data() == memory_.data(); }
  Bytes own_memory() {
    if (memory_.empty()) memory_ = scratch_.emplace(self_, held_.size()).bytes();
    return memory_;
  }

  Processor& self_;
  ConstBytes held_;
  Bytes memory_;
  const Operator& op_;
  std::optional<Scratch> scratch_;
};

}  // namespace postroom
