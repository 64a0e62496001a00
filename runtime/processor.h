// A processor of a message-passing machine, as its program sees it.
//
// Programs and collectives are written against this interface alone; they know nothing of threads,
// mailboxes, clocks or topology. What only those need who write collectives stands in
// runtime/collective_support.h. Messages between a pair of processors arrive in the order in which
// they were sent, those of collectives apart from the program's (runtime/channel.h); there are no
// tags and no wild cards.
//
// Who may call: only the program that this Processor was handed to, on its own stack.
// Memory: what a processor wrote before it sent is seen by the receiver after it received; the same
// holds from give-back to the end of a loan, and across a barrier for all. Blocking: a correct
// program assumes that send waits for the receiver. Of more than 1,024 bytes it does (they are read
// straight from the sender's memory, once); of up to 48 only when it is 65,536 messages ahead; in
// between always or when the receiver is some messages behind, so perhaps in one run and not in
// another.
// When the machine stops, every wait and nearly every further call ends by an exception that the
// program should let pass; so what a destructor calls may throw.
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
#include <memory>
#include <optional>
#include <span>

#include "runtime/borrowed.h"
#include "runtime/call_checks.h"
#include "runtime/clock.h"
#include "runtime/collective_support.h"
#include "runtime/elements.h"
#include "runtime/pending.h"
#include "runtime/rational.h"
#include "runtime/where.h"

namespace postroom {

/// One message of an exchange.
struct Outgoing {
  int target;
  ConstBytes data;
};
struct Incoming {
  int source;
  Bytes data;
};

class Processor : public CollectiveSupport {
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
  /// Like send_bytes, but never waits. `data` may not be written before the Pending is done. It is
  /// empty where that is so at once, as mostly up to 1 KiB.
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
    read_bytes(source, bytes, {call, std::addressof(read)}, where);
  }
  template <Lendable D>
  Pending start_send(int target, D&& data, Where where = Where::current()) {
    return start_send_bytes(target, bytes_of(data), where);
  }
  template <Receivable D>
  Pending start_receive(int source, D&& data, Where where = Where::current()) {
    return start_receive_bytes(source, writable_bytes_of(data), where);
  }
  template <Lendable D>
  Pending lend(int borrower, D&& data, Where where = Where::current()) {
    return lend_bytes(borrower, bytes_of(data), where);
  }
  /// What cannot travel: a compiler shows one of these lines.
  template <Fleeting D>
  Pending start_send(int, D&&) = delete;  // a temporary ends too early: give it a name
  template <Fleeting D>
  Pending start_receive(int, D&&) = delete;  // a temporary ends too early: give it a name
  template <Fleeting D>
  Pending lend(int, D&&) = delete;  // a temporary ends too early: give it a name
  /// One message out, one message in, as one round; either partner may be this processor. Where
  /// `out` and `in` overlap it is std::invalid_argument: what comes in could overwrite what has yet
  /// to go.
  template <Sendable Out, Receivable In>
  void exchange(int target, const Out& out, int source, In&& in, Where where = Where::current()) {
    const Outgoing outgoing{target, bytes_of(out)};
    const Incoming incoming{source, writable_bytes_of(in)};
    check_apart("exchange", outgoing.data, incoming.data, where);
    exchange_bytes({&outgoing, 1}, {&incoming, 1}, where);
  }
  void send(Anything, ...) = delete;           // not copied byte by byte (a pair), or a pointer
  void receive(Anything, ...) = delete;        // likewise; or const, or a temporary
  void start_send(Anything, ...) = delete;     // not copied byte by byte (a pair), or a pointer
  void start_receive(Anything, ...) = delete;  // likewise; or const
  void lend(Anything, ...) = delete;           // not copied byte by byte (a pair), or a pointer
  void exchange(Anything, ...) = delete;       // likewise; or `in` is const, or a temporary

  // --- The machine around.

  /// Returns when all processors have called it. Under a model's clock all go on at the latest of
  /// their times, at no cost.
  virtual void barrier(Where where = Where::current()) = 0;
  /// The same off the record: by the processors of a Machine without messages, whatever its clock
  /// and trace, and without allocating; so it throws only where the run has ended. Elsewhere it is
  /// barrier() itself.
  virtual void barrier_off_record(Where where = Where::current()) { barrier(where); }
  /// As barrier(), for those in `members`, which is the same at all of them and names each once;
  /// `members[me]` is this processor. ⌈log2⌉ rounds of messages among them.
  virtual void barrier_among(std::span<const int> members, int me,
                             Where where = Where::current()) = 0;
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
  /// std::invalid_argument, and so is what is not on a VirtualClock's grid.
  virtual void compute(const Rational& units, Where where = Where::current()) = 0;

 protected:
  /// In so many looks in vain of Pending::ready() others run once. A single look does not cost a
  /// switch: a sender asks after each message.
  static constexpr unsigned kLooksInVain = 16;

  /// `operation` is where the name of what this processor does is kept.
  Processor(int id, int count, const char*& operation) noexcept
      : CollectiveSupport(operation), id_(id), count_(count) {}
  /// One that hands everything on to `outside`, which outlives it.
  Processor(int id, int count, Processor& outside) noexcept
      : CollectiveSupport(&outside), id_(id), count_(count) {}

 private:
  friend class Pending;
  friend class Borrowed;

  friend std::optional<std::size_t> wait_any(std::span<Pending> pending, Where where);
  virtual void finish(std::uint64_t ticket, const char* call, Where where) = 0;
  /// Finishes one of these and returns its index. At least one.
  virtual std::size_t finish_any(std::span<const std::uint64_t> tickets, Where where) = 0;
  virtual bool finished(std::uint64_t ticket) = 0;
  /// `unwinding`: because of an exception.
  virtual void abandon(std::uint64_t ticket, bool unwinding, const char* call,
                       Where where) noexcept = 0;
  virtual void fill_loan(const Borrowed& borrowed, ConstBytes from, std::size_t whole) noexcept = 0;
  virtual void return_loan(Borrowed& borrowed) noexcept = 0;

  int id_;
  int count_;
};

}  // namespace postroom
