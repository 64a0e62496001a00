#include "collectives/algorithms/allreduce_postal.h"

#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/borrow.h"
#include "collectives/parts/scratch.h"

namespace postroom {
namespace {

// A window of neighbours, combined, that grows while messages with its earlier states may still be
// under way: what a receiver has yet to read stays where it is, and the window moves on.
class Window {
 public:
  Window(Processor& self, std::size_t bytes) : self_(self), size_(bytes) {}
  Window(Processor& self, Bytes memory)
      : self_(self), size_(memory.size()), held_(memory), filled_(true) {}

  ConstBytes bytes() const { return held_; }

  void send(int target, Where where) {
    Pending send = self_.start_send_bytes(target, held_, where);
    if (send.ready()) return send.wait();
    shown_ = true;
    sends_.push_back(std::move(send));
  }
  /// Takes in what lies behind the window.
  void append(ConstBytes next, const Operator& op) {
    if (!filled_) {
      move_to_own(next);
      filled_ = true;
      return;
    }
    if (std::exchange(shown_, false)) move_to_own(held_);
    op.append(held_, next);
  }
  void wait() {
    for (Pending& send : sends_) send.wait();
  }

 private:
  void move_to_own(ConstBytes content) {
    held_ = own_.emplace_back(std::make_unique<Scratch>(self_, size_))->bytes();
    copy_bytes(content, held_);
  }

  Processor& self_;
  std::size_t size_;
  Bytes held_;
  bool filled_ = false;  // an empty window is the one without its own element
  bool shown_ = false;   // whether a message under way shows held_
  std::vector<std::unique_ptr<Scratch>> own_;
  std::vector<Pending> sends_;  // goes before the memory that it shows
};

/// The number of the last message that shows S, plus one; nobody needs S after it.
std::size_t messages_with_rest(const CombineSchedule& schedule) {
  std::size_t count = 0;
  for (std::size_t m = 0; m < schedule.messages().size(); ++m) {
    if (schedule.messages()[m].without_own) count = m + 1;
  }
  return count;
}

}  // namespace

void allreduce_postal(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                      const CombineSchedule& schedule, Where where) {
  const Operation operation(self, operation_or(self, "allreduce"));
  const int n = self.count();
  if (schedule.processors() != n) {
    throw std::invalid_argument("allreduce: schedule for " + std::to_string(schedule.processors()) +
                                " processors is not allowed; for " + std::to_string(n));
  }
  copy_bytes(in, out);
  Window all(self, out);          // T
  Window rest(self, out.size());  // S
  const std::size_t with_rest = messages_with_rest(schedule);
  std::size_t sent = 0;
  schedule.for_each_step(
      [&](std::size_t m) {
        const CombineSchedule::Message& message = schedule.messages()[m];
        const int target = (self.id() + n - message.distance) % n;
        (message.without_own ? rest : all).send(target, where);
        sent = m + 1;
      },
      [&](std::size_t m) {
        const int source = (self.id() + schedule.messages()[m].distance) % n;
        const Borrowed next = borrow_exactly(self, source, in.size(), where);
        all.append(next.bytes(), op);
        if (sent < with_rest) rest.append(next.bytes(), op);
      });
  all.wait();
  rest.wait();
  copy_bytes(all.bytes(), out);
}

Cost allreduce_postal_cost(const CombineSchedule& schedule, std::int64_t bytes) {
  return schedule.sends() * Cost::round(bytes);
}

double allreduce_postal_time(const CombineSchedule& schedule, std::int64_t bytes,
                             const TimeModel& model) {
  const std::size_t messages = schedule.messages().size();
  TimeReplay replay(model, 1, static_cast<int>(messages));
  std::vector<Time> arrivals(messages);
  schedule.for_each_step([&](std::size_t m) { arrivals[m] = replay.send(0, bytes); },
                         [&](std::size_t m) { replay.receive(0, bytes, arrivals[m]); });
  return replay.finish_ns();
}

}  // namespace postroom
