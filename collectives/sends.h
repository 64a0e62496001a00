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
    } else {
      sends_.push_back(std::move(send));
    }
  }
  void wait() {
    for (Pending& send : sends_) send.wait();
    sends_.clear();
  }

 private:
  std::vector<Pending> sends_;
};

}  // namespace postroom
