// What a processor offers beside messages to those who write collectives.
//
// A program needs none of it. A collective asks here what machine it runs on, so as to choose among
// its algorithms, and finds what is faster than messages where processors share memory or threads:
// work that one does for all of its thread, and small lists that are handed out and in through
// memory of the threads. Default answers are those of processors that have nothing but messages.
//
// Who may call, blocking and errors: as runtime/processor.h says.
//
//   const Operation operation(self, "broadcast");
//   if (self.takes_turns()) …
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>

#include "runtime/elements.h"
#include "runtime/pool.h"
#include "runtime/rooted_call.h"
#include "runtime/where.h"

namespace postroom {

class KeptMemory;
struct BoxTree;
struct PostalParameters;

class CollectiveSupport {
 public:
  virtual ~CollectiveSupport() = default;
  CollectiveSupport(const CollectiveSupport&) = delete;
  CollectiveSupport& operator=(const CollectiveSupport&) = delete;

  // --- Names and rounds.

  /// The operation that messages sent and received from here on are a part of, a literal; null:
  /// none, they are the program's own. Returns the one before. To be set by an Operation.
  const char* name_operation(const char* name) noexcept { return std::exchange(*operation_, name); }
  const char* operation() const noexcept { return *operation_; }
  /// Lets so many rounds pass without a message. Where all processors keep step, round k of one is
  /// round k of all, and an algorithm can say "leaf 5 sends in round 17": a trace counts them, a
  /// machine has nothing to do. Precondition: rounds >= 0.
  virtual void sit_out(std::int64_t rounds) = 0;

  // --- What machine this is.

  /// Whether a pointer sent to another processor is of use there. True on one machine, but for the
  /// clock of a model, whose processors have nothing but messages.
  virtual bool shares_memory() const noexcept { return true; }
  /// The postal model under whose clock the machine runs; null where there is none.
  virtual const PostalParameters* model() const noexcept { return nullptr; }
  /// How the processors share the box (fat_trees/box_tree.h), for algorithms that have a choice of
  /// order. Null where there is nothing to choose (it has no teams): all are equally near, or
  /// messages take the time of a model and not that of the box.
  virtual const BoxTree* box() const { return nullptr; }
  /// Whether it is known without a call that shares_memory() is true and box() is null, as on most
  /// machines.
  bool is_flat() const noexcept { return is_flat_; }
  /// What this processor keeps from one call to the next; null where nothing is kept.
  virtual KeptMemory* kept_memory() noexcept { return nullptr; }
  /// Stops the machine because an exception unwinds an operation in which others count on this
  /// processor (collectives/parts/counted_on.h).
  virtual void stop_unwound(Where) noexcept {}

  // --- Where processors take turns.

  /// Whether together() may be called: processors share threads, and nothing keeps a record of
  /// messages. The same at all.
  virtual bool takes_turns() const noexcept { return false; }
  /// Called by all, like barrier: each puts in its lists, then on each thread one processor calls
  /// its `work` for all of that thread, then all go on. `work` takes a const Pool&; it may wait for
  /// nothing. DisagreementError where processors come with different calls. Preconditions:
  /// takes_turns(); for a call that copies what is read, own.in.size() < hand_limits().pooled.
  template <class Work>
  void together(Pool::Call call, const Pool::Lists& own, const Work& work,
                Where where = Where::current()) {
    work_together(
        call, own,
        [](const void* context, const Pool& pool) { (*static_cast<const Work*>(context))(pool); },
        &work, where);
  }
  /// Lists of fewer bytes than these may be handed out, all of a root's together; handed in, that
  /// of each processor; or copied for together(), likewise. 0: none, as where processors do not
  /// take turns or lie on several nodes. The same at all.
  struct HandLimits {
    std::size_t out = 0;
    std::size_t in = 0;
    std::size_t pooled = 0;
  };
  const HandLimits& hand_limits() const noexcept { return hand_limits_; }
  /// Called by all: the root hands out `all`, of `all_bytes` bytes, and each other processor gets
  /// those from `begin` on in `mine`. The root may go on before others have come; one that is very
  /// far ahead of another waits for it. Cost: each byte is copied twice, no messages; a switch of
  /// stacks for up to 64 calls. DisagreementError where processors come with different calls.
  /// Precondition: all_bytes < hand_limits().out.
  virtual void hand_out(const RootedCall& call, ConstBytes all, std::size_t all_bytes,
                        std::size_t begin, Bytes mine, Where where);
  /// Puts `rest`, lists that follow each other and are as long as `held`, behind `held` in their
  /// order.
  struct Fold {
    void (*call)(const void* context, Bytes held, ConstBytes rest) = nullptr;
    const void* context = nullptr;
  };
  /// Called by all: each hands in `mine`, of the same size; the root gets in `all` these lists in
  /// the order of the processors, or, with a fold, the one list that they are folded to. `mine` may
  /// lie in `all`. Who is not the root may go on before others have come, as in hand_out. Cost and
  /// errors as there; each thread folds its own lists, the root those of the threads. Precondition:
  /// mine.size() < hand_limits().in.
  virtual void hand_in(const RootedCall& call, ConstBytes mine, Bytes all, Fold fold, Where where);

 protected:
  using PoolWork = void (*)(const void* context, const Pool& pool);

  /// `operation` is where the name of what this processor does is kept.
  explicit CollectiveSupport(const char*& operation) noexcept : operation_(&operation) {}
  /// One that hands everything on to `outside`, which outlives it.
  explicit CollectiveSupport(CollectiveSupport* outside) noexcept
      : operation_(outside->operation_) {}
  void set_hand_limits(const HandLimits& limits) noexcept { hand_limits_ = limits; }
  void set_flat(bool is_flat) noexcept { is_flat_ = is_flat; }

 private:
  virtual void work_together(Pool::Call call, const Pool::Lists& own, PoolWork work,
                             const void* context, Where where);

  const char** operation_;
  HandLimits hand_limits_;
  bool is_flat_ = false;
};

/// The name of the operation that `self` is in, or else `own`: for parts of collectives that may be
/// called by themselves, too.
inline const char* operation_or(const CollectiveSupport& self, const char* own) noexcept {
  return self.operation() != nullptr ? self.operation() : own;
}

/// What processors do together as long as it lives: a collective. They all have one, for its
/// messages, and those of operations within it, go through a channel of their own
/// (runtime/channel.h): none meets a send or receive of the program around. Reports and traces give
/// its name, a literal that is not null.
class Operation {
 public:
  Operation(CollectiveSupport& self, const char* name) noexcept
      : self_(self), before_(self.name_operation(name)) {}
  ~Operation() { self_.name_operation(before_); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

 private:
  CollectiveSupport& self_;
  const char* before_;
};

}  // namespace postroom
