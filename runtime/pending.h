// What was started and has to be waited for: Pending, wait_any and wait_all (MPI_Request,
// MPI_Waitany, MPI_Waitall).
//
// Who may call: the program that has started it, on its own stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>

#include "runtime/listed.h"
#include "runtime/where.h"

namespace postroom {

class Processor;

/// A send, receive or loan that was started and has not been waited for. wait() ends it; a loan
/// ends when the borrower gives back. Empty after wait() and after a move, and that of a send that
/// was over at once from the beginning.
///
/// One that is destroyed without wait() is waited for there. Where an exception destroys it, the
/// machine is stopped and the operation is withdrawn, so that no other processor reads memory that
/// is going away: it waits there until a borrower gives back. So a program that holds both declares
/// the Pending before the Borrowed. Where processors have it the other way round and wait for each
/// other, all that they borrowed is given back there.
///
/// One that outlives the program that has started it ends with that program as if it were destroyed
/// there, after what the program borrowed, and is empty from then on, whatever becomes of the
/// machine. Until then nobody but that program may move or destroy it.
class [[nodiscard]] Pending : private Listed<Pending> {
 public:
  using Listed<Pending>::List;

  Pending() = default;
  /// For implementations of Processor; `call` (a literal) is what a report names, `all` where the
  /// owner finds what outlives its program; null: what does not.
  Pending(Processor& owner, List* all, std::uint64_t ticket, const char* call, Where where)
      : owner_(&owner),
        ticket_(ticket),
        exceptions_(std::uncaught_exceptions()),
        call_(call),
        where_(where) {
    if (all != nullptr) enter(*all);
  }
  Pending(Pending&& other) noexcept { take(other); }
  Pending& operator=(Pending&& other) noexcept {
    if (this == &other) return *this;
    if (owner_ != nullptr) abandon();
    take(other);
    return *this;
  }
  ~Pending() {
    if (owner_ != nullptr) abandon();
  }

  /// Waits until it is done. Does nothing when empty.
  void wait() {
    if (owner_ != nullptr) finish();
  }
  /// Whether it is done, without waiting; wait() then returns at once. Who asks again and again in
  /// vain lets others of the same thread run in between, and other threads where there are more of
  /// them than cores, and is stopped with the machine, by an exception. Asking is not waiting: no
  /// DeadlockError ends a program that asks for what never comes.
  [[nodiscard]] bool ready() { return owner_ == nullptr || finished(); }

  /// For implementations of Processor, when a program ends: ends all that it has started and not
  /// waited for. `unwinding`: because of an exception.
  static void end_all(List& all, bool unwinding) noexcept;

 private:
  friend Listed<Pending>;
  friend std::optional<std::size_t> wait_any(std::span<Pending> pending, Where where);

  void finish();
  bool finished();
  void abandon() noexcept;
  void take(Pending& other) noexcept {
    take_place_of(other);
    owner_ = std::exchange(other.owner_, nullptr);
    ticket_ = other.ticket_;
    exceptions_ = other.exceptions_;
    call_ = other.call_;
    where_ = other.where_;
  }

  Processor* owner_ = nullptr;
  std::uint64_t ticket_ = 0;
  int exceptions_ = 0;  // in flight when it was started
  const char* call_ = "";
  Where where_;
};

/// Waits until one of these is done and ends it, as its wait() does; returns its place. None, where
/// all are empty: a send that was over at once is, and is not returned. They are of one processor,
/// or std::invalid_argument.
///
/// Which one, where several are done: on the wall clock they take turns in being looked at first.
/// On a LightMachine it is the one whose message is there first in the model, the same in every
/// run; on a Machine under the clock of a model it is the first of those that have been sent, which
/// depends on how threads were scheduled.
///
///   std::vector<Pending> results;                 // from each of the others
///   …
///   while (const auto i = wait_any(results)) {    // until none is left
///     …
///     results[*i] = self.start_receive(…);        // perhaps
///   }
std::optional<std::size_t> wait_any(std::span<Pending> pending, Where where = Where::current());
/// wait() of each.
void wait_all(std::span<Pending> pending);

}  // namespace postroom
