// A part of a collective in which others count on this processor: it has borrowed memory of theirs,
// and they go on with what is written there when it is given back.
//
// An exception (of an operator, say, or because another processor has failed) gives back what was
// borrowed while it unwinds the collective. This stops the machine before: then nobody takes what
// is half done for done, because whoever waits for memory that it lent looks whether the machine
// has stopped when it is back.
//
//   std::vector<Borrowed> borrowed(…);
//   CountedOn counted_on(self, where);  // declared after it, and so the first to go
//   …
//   counted_on.end();                   // all is written: it may go back
#pragma once

#include "runtime/processor.h"

namespace postroom {

class CountedOn {
 public:
  CountedOn(Processor& self, Where where) noexcept : self_(self), where_(where) {}
  ~CountedOn() {
    if (!ended_) [[unlikely]] {
      self_.stop_unwound(where_);
    }
  }
  CountedOn(const CountedOn&) = delete;
  CountedOn& operator=(const CountedOn&) = delete;

  void end() noexcept { ended_ = true; }

 private:
  Processor& self_;
  Where where_;
  bool ended_ = false;
};

}  // namespace postroom
