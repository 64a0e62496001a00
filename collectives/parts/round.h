// The messages of one round of a k-port algorithm, collected and then exchanged at once.
//
//   Round round;
//   round.send(right, mine);
//   round.receive(left, theirs);
//   round.run(self, where);
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

class Round {
 public:
  void send(int target, ConstBytes data) { outgoing_.add({target, data}); }
  void receive(int source, Bytes data) { incoming_.add({source, data}); }
  /// Sends and receives all of them and forgets them.
  void run(Processor& self, Where where) {
    self.exchange_bytes(outgoing_.all(), incoming_.all(), where);
    outgoing_.clear();
    incoming_.clear();
  }

 private:
  // One message, which is the rule, needs no allocation.
  template <class Message>
  class List {
   public:
    void add(const Message& message) {
      if (count_ == 1) many_.push_back(first_);
      if (count_ >= 1) many_.push_back(message);
      if (count_ == 0) first_ = message;
      ++count_;
    }
    std::span<const Message> all() const {
      return count_ <= 1 ? std::span<const Message>(&first_, count_)
                         : std::span<const Message>(many_);
    }
    void clear() {
      count_ = 0;
      many_.clear();
    }

   private:
    Message first_{};
    std::size_t count_ = 0;
    std::vector<Message> many_;
  };

  List<Outgoing> outgoing_;
  List<Incoming> incoming_;
};

}  // namespace postroom
