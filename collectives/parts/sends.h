// Messages that one processor sends to several others, all under way at the same time.
//
// Large messages are then read by all receivers at once instead of one after another. The memory
// that they lie in may be written again after wait().
#pragma once

#include <utility>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

class Sends {
 public:
  /// Takes what start_send_bytes returned.
  void add(Pending send) {
    if (send.ready()) {
      send.wait();
    } else if (first_.ready()) {
      first_.wait();
      first_ = std::move(send);
    } else {
      sends_.push_back(std::move(send));
    }
  }
  void wait() {
    first_.wait();
    for (Pending& send : sends_) send.wait();
    sends_.clear();
  }

 private:
  Pending first_;  // one message, which is the rule, needs no allocation
  std::vector<Pending> sends_;
};

}  // namespace postroom
