// A processor of a message-passing machine, as its program sees it.
//
// Programs and collectives are written against this interface alone; they know nothing of threads,
// mailboxes, clocks or topology. Messages between a pair of processors arrive in the order in which
// they were sent, those of collectives apart from the program's (runtime/channel.h); there are no
// tags and no wild cards.
//
// Who may call: only the program that this Processor was handed to, on its own stack.
// Memory: what a processor wrote before it sent is seen by the receiver after it received; the same
// holds from give-back to the end of a loan, and across a barrier for all. Blocking: a correct
// program assumes that send waits for the receiver. Of more than 1,024 bytes it does (they are read
// straight from the sender's memory, once); of up to 48 only when it is 65,536 messages ahead; in
// between when the receiver is some messages behind, so perhaps in one run and not in another.
// Every wait ends early, by an exception that the program should let pass, when the machine stops.
// Errors: a rank outside 0 … count()-1 is std::invalid_argument, before anything is sent; a message
// of another size than the buffer is SizeMismatchError in the receiver.
//
//   machine.run([](Processor& self) {   // a ring: all send and receive at once
//     const int next = (self.id() + 1) % self.count();
//     const int last = (self.id() + self.count() - 1) % self.count();
//     const std::vector<int> token = {self.id()};
//     std::vector<int> received(1);
//     self.exchange(next, token, last, received);
//   });
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>

#include "runtime/borrowed.h"
#include "runtime/clock.h"
#include "runtime/elements.h"
#include "runtime/pending.h"
#include "runtime/pool.h"
#include "runtime/rational.h"
#include "runtime/rooted_call.h"
#include "runtime/where.h"

namespace postroom {

struct BoxTree;
class KeptMemory;

/// One message of an exchange.
struct Outgoing {
  int target;
  ConstBytes data;
};
struct Incoming {
  int source;
  Bytes data;
};

class Processor {
 public:
  virtual ~Processor() = default;
  Processor(const Processor&) = delete;
  Processor& operator=(const Processor&) = delete;

  /// Who am I: 0 … count()-1.
  int id() const noexcept { return id_; }
  /// How many are we.
  int count() const noexcept { return count_; }

  // --- Messages as bytes.

  /// Sends `data` to `target`; returns when `data` may be written again.
  virtual void send_bytes(int target, ConstBytes data, Where where = Where::current()) = 0;
  /// Receives the next message of `source`, of exactly `data.size()` bytes.
  virtual void receive_bytes(int source, Bytes data, Where where = Where::current()) = 0;
  /// Like send_bytes, but never waits. `data` may not be written before the Pending is done.
  virtual Pending start_send_bytes(int target, ConstBytes data, Where where = Where::current()) = 0;
  /// Like receive_bytes, but never waits; receives started for one source are filled in that order.
  /// `data` may not be touched before the Pending is done. It is filled while this processor waits
  /// for whatever it is, or asks whether a Pending is ready; not while it computes.
  virtual Pending start_receive_bytes(int source, Bytes data, Where where = Where::current()) = 0;
  /// One round: starts all sends, then does all receives, then waits for the sends. Counts as one
  /// round in the trace; without any message, the processor sits a round out. At most one message
  /// to and from each processor; buffers may not overlap.
  virtual void exchange_bytes(std::span<const Outgoing> out, std::span<const Incoming> in,
                              Where where = Where::current()) = 0;
  /// Lends `data` to `borrower` for reading, whatever its size; nothing is copied. The Pending is
  /// done when it has been given back; until then `data` may not be written.
  virtual Pending lend_bytes(int borrower, ConstBytes data, Where where = Where::current()) = 0;
  /// The same for two lists of one size as one message: `data` to be read and `place` to be
  /// written, which may be the same memory. Precondition: shares_memory().
  virtual Pending lend_both_bytes(int borrower, ConstBytes data, Bytes place,
                                  Where where = Where::current());
  /// Takes the next message of `lender`, lent or sent, of whatever size.
  virtual Borrowed borrow_bytes(int lender, Where where = Where::current()) = 0;
  /// What reads a message: `context` is its own. It may not use the processor.
  struct Reader {
    void (*call)(const void* context, ConstBytes message);
    const void* context;
  };
  /// Has the next message of `source`, of exactly `bytes` bytes, read where it lies, in the mailbox
  /// (aligned to 16 bytes) or in the memory of whoever sent or lent it: for what is combined and
  /// not kept.
  virtual void read_bytes(int source, std::size_t bytes, Reader reader,
                          Where where = Where::current());

  // --- Messages as elements: those of a list, or a value.

  template <Sendable D>
  void send(int target, const D& data, Where where = Where::current()) {
    send_bytes(target, bytes_of(data), where);
  }
  template <Receivable D>
  void receive(int source, D&& data, Where where = Where::current()) {
    receive_bytes(source, writable_bytes_of(data), where);
  }
  template <Value T>
  T receive(int source, Where where = Where::current()) {
    std::array<std::byte, sizeof(T)> bytes;  // T need not have a default constructor
    receive_bytes(source, bytes, where);
    return std::bit_cast<T>(bytes);
  }
  /// read_bytes by `read`, which takes ConstBytes.
  template <class Read>
  void read(int source, std::size_t bytes, const Read& read, Where where = Where::current()) {
    const auto call = [](const void* context, ConstBytes message) {
      (*static_cast<const Read*>(context))(message);
    };
    read_bytes(source, bytes, {call, &read}, where);
  }
  template <Lendable D>
  Pending start_send(int target, D&& data, Where where = Where::current()) {
    return start_send_bytes(target, bytes_of(data), where);
  }
  template <Fillable D>
  Pending start_receive(int source, D&& data, Where where = Where::current()) {
    return start_receive_bytes(source, writable_bytes_of(data), where);
  }
  template <Lendable D>
  Pending lend(int borrower, D&& data, Where where = Where::current()) {
    return lend_bytes(borrower, bytes_of(data), where);
  }
  /// A compiler shows these lines.
  template <Fleeting D>
  Pending start_send(int, D&&) = delete;  // a temporary ends too early: give it a name
  template <Fleeting D>
  Pending start_receive(int, D&&) = delete;  // a temporary ends too early: give it a name
  template <Fleeting D>
  Pending lend(int, D&&) = delete;  // a temporary ends too early: give it a name
  /// One message out, one message in, as one round; either partner may be this processor.
  template <Sendable Out, Receivable In>
  void exchange(int target, const Out& out, int source, In&& in, Where where = Where::current()) {
    const Outgoing outgoing{target, bytes_of(out)};
    const Incoming incoming{source, writable_bytes_of(in)};
    exchange_bytes({&outgoing, 1}, {&incoming, 1}, where);
  }

  // --- The machine around.

  /// Returns when all processors have called it. Under a model's clock all go on at the latest of
  /// their times, at no cost.
  virtual void barrier(Where where = Where::current()) = 0;
  /// The same for those in `members`, which is the same at all of them and names each once;
  /// `members[me]` is this processor. ⌈log2⌉ rounds of messages among them.
  virtual void barrier_among(std::span<const int> members, int me,
                             Where where = Where::current()) = 0;
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
  /// Lets other processors of the same thread run. Waits of this interface do that by themselves; a
  /// program that waits for something else (a variable, a file) calls this again and again
  /// meanwhile.
  virtual void yield() = 0;
  /// The time that this processor sees, in ticks of the machine's clock: under the wall clock
  /// nanoseconds, so now() * 1e-9 is MPI_Wtime(); under others see Clock::ticks_per_unit.
  virtual Time now() const = 0;
  /// Computes for `units` of the machine's clock: under a VirtualClock now() moves on by so much,
  /// under a PostalClock this waits so long and others run meanwhile. Under the wall clock it does
  /// nothing: what a program really computes takes its time by itself. Less than 0 is
  /// std::invalid_argument.
  virtual void compute(const Rational& units, Where where = Where::current()) = 0;
  /// The operation that messages sent and received from here on are a part of, a literal; null:
  /// none, they are the program's own. Returns the one before. To be set by an Operation.
  const char* name_operation(const char* name) noexcept { return std::exchange(*operation_, name); }
  const char* operation() const noexcept { return *operation_; }
  /// Whether a pointer sent to another processor is of use there. True on one machine, but for the
  /// clock of a model, whose processors have nothing but messages.
  virtual bool shares_memory() const noexcept { return true; }
  /// The postal model under whose clock the machine runs; null where there is none.
  virtual const PostalParameters* model() const noexcept { return nullptr; }
  /// Stops the machine because an exception unwinds an operation in which others count on this
  /// processor (collectives/algorithms/counted_on.h).
  virtual void stop_unwound(Where) noexcept {}
  /// What this processor keeps from one call to the next; null where nothing is kept.
  virtual KeptMemory* kept_memory() noexcept { return nullptr; }
  /// How the processors share the box (fat_trees/box_tree.h), for algorithms that have a choice of
  /// order. Null where there is nothing to choose (it has no teams): all are equally near, or
  /// messages take the time of a model and not that of the box.
  virtual const BoxTree* box() const { return nullptr; }
  /// Whether it is known without a call that shares_memory() is true and box() is null, as on most
  /// machines.
  bool is_flat() const noexcept { return is_flat_; }

 protected:
  /// In so many looks in vain of Pending::ready() others run once. A single look does not cost a
  /// switch: a sender asks after each message.
  static constexpr unsigned kLooksInVain = 16;

  using PoolWork = void (*)(const void* context, const Pool& pool);

  /// `operation` is where the name of what this processor does is kept.
  Processor(int id, int count, const char*& operation) noexcept
      : id_(id), count_(count), operation_(&operation) {}
  /// One that hands everything on to `outside`, which outlives it.
  Processor(int id, int count, Processor& outside) noexcept
      : id_(id), count_(count), operation_(outside.operation_) {}
  void set_hand_limits(const HandLimits& limits) noexcept { hand_limits_ = limits; }
  void set_flat(bool is_flat) noexcept { is_flat_ = is_flat; }

 private:
  friend class Pending;
  friend class Borrowed;

  virtual void work_together(Pool::Call call, const Pool::Lists& own, PoolWork work,
                             const void* context, Where where);
  friend std::optional<std::size_t> wait_any(std::span<Pending> pending, Where where);
  virtual void finish(std::uint64_t ticket, const char* call, Where where) = 0;
  /// Finishes one of these and returns its index. At least one.
  virtual std::size_t finish_any(std::span<const std::uint64_t> tickets, Where where) = 0;
  virtual bool finished(std::uint64_t ticket) = 0;
  /// `unwinding`: because of an exception.
  virtual void abandon(std::uint64_t ticket, bool unwinding, const char* call,
                       Where where) noexcept = 0;
  virtual void return_loan(Borrowed& borrowed) noexcept = 0;

  int id_;
  int count_;
  const char** operation_;
  HandLimits hand_limits_;
  bool is_flat_ = false;
};

/// What processors do together as long as it lives: a collective. They all have one, for its
/// messages, and those of operations within it, go through a channel of their own
/// (runtime/channel.h): none meets a send or receive of the program around. Reports and traces give
/// its name, a literal that is not null.
///
///   const Operation operation(self, "broadcast");
class Operation {
 public:
  Operation(Processor& self, const char* name) noexcept
      : self_(self), before_(self.name_operation(name)) {}
  ~Operation() { self_.name_operation(before_); }
  Operation(const Operation&) = delete;
  Operation& operator=(const Operation&) = delete;

 private:
  Processor& self_;
  const char* before_;
};

}  // namespace postroom
