// Working together: the processors of a thread put in their lists, and the last to come works for
// all of them, between two meetings with the other threads (runtime/gate.h).
//
// An exception that unwinds a processor out of here takes lists away that other threads may be
// working on. So it first stops the machine and then waits until no thread works; whoever would
// begin after that finds the machine stopped (Gate::begin_work).
//
// Where what is read was copied (runtime/put_in.h), the threads meet once, and nobody works on what
// another thread's processors can take away. Those of its own do not run while it works; who has
// been unwound before has seen the machine stopped, and so does the leader then.
#include <fmt/core.h>

#include <exception>
#include <string>
#include <string_view>
#include <thread>

#include "runtime/errors.h"
#include "runtime/mailbox_processor.h"

namespace postroom {
namespace {

constexpr Pool::Call kBarrier{"barrier"};

}  // namespace

bool MailboxProcessor::takes_turns() const noexcept {
  return !keeps_record() && board_.threads() < count();
}

void MailboxProcessor::work_together(Pool::Call call, const Pool::Lists& own, PoolWork work,
                                     const void* context, Where where) {
  check_takes_part();
  Gate<>& gate = carrier_->gate();
  const std::uint32_t epoch = gate.epoch();
  const ConstBytes in = call.copies ? carrier_->put_in().put(epoch, own.in) : own.in;
  board_.place(id(), epoch) = {{in, own.out}, call, epoch};
  try {
    if (gate.come()) {
      call.copies ? lead_work_on_copies(call, work, context, where)
                  : lead_work(call, work, context, where);
    } else {
      wait({&gate.opened(), epoch}, call.name, id(), where);
      if (gate.worked() != epoch) {  // another one has led
        const int first = carrier_->first();
        throw_disagreement(call, kBarrier, id() == first ? first + 1 : first, where);
      }
    }
  } catch (...) {
    withdraw_lists(call.name, where);
    throw;
  }
}

void MailboxProcessor::lead_work(Pool::Call call, PoolWork work, const void* context, Where where) {
  struct Working {
    Gate<>& gate;
    ~Working() { gate.end_work(); }
  };
  Gate<>& gate = carrier_->gate();
  meet_threads(call.name, /*on_record=*/false, where);
  if (!gate.begin_work([this] { return board_.stopped(); })) {
    throw_stopped();
  }
  {
    const Working working{gate};
    work_for_thread(call, work, context, where);
  }
  gate.go_on();
  meet_threads(call.name, /*on_record=*/false, where);
  carrier_->open_gate();
}

void MailboxProcessor::lead_work_on_copies(Pool::Call call, PoolWork work, const void* context,
                                           Where where) {
  meet_threads(call.name, /*on_record=*/false, where);
  if (board_.stopped()) {
    throw_stopped();
  }
  work_for_thread(call, work, context, where);
  carrier_->open_gate();
}

void MailboxProcessor::work_for_thread(Pool::Call call, PoolWork work, const void* context,
                                       Where where) {
  Gate<>& gate = carrier_->gate();
  const std::span<const Pool::Place> places = board_.places(gate.epoch());
  for (int other = 0; other < count(); ++other) {
    const Pool::Place& place = places[static_cast<std::size_t>(other)];
    if (place.epoch != gate.epoch() || place.call != call) throw_other_place(call, other, where);
  }
  const Carrier& carrier = *carrier_;
  work(context, Pool(places, carrier.first(), carrier.last(), carrier.number(), board_.threads()));
  gate.note_work();
}

void MailboxProcessor::throw_other_place(Pool::Call call, int other, Where where) const {
  const std::uint32_t epoch = carrier_->gate().epoch();
  const std::span<const Pool::Place> places = board_.places(epoch);
  const Pool::Place& theirs = places[static_cast<std::size_t>(other)];
  if (theirs.epoch != epoch) throw_disagreement(call, kBarrier, other, where);
  const bool same =
      std::string_view(theirs.call.name) == call.name && theirs.call.root == call.root;
  if (!same) throw_disagreement(call, theirs.call, other, where);
  // The same, but lists so small that they are copied, and larger ones: those that were put in, or
  // what is said of others.
  const std::size_t bytes = theirs.lists.in.size();
  const std::size_t needed = places[static_cast<std::size_t>(id())].lists.in.size();
  const std::string what =
      bytes == needed ? fmt::format("processor {} has been told other sizes", other)
                      : fmt::format("the list of processor {} has {} bytes, but {} are needed",
                                    other, bytes, needed);
  throw SizeMismatchError(
      fmt::format("{}: {} ({}:{})", call.name, what, where.file_name(), where.line()));
}

void MailboxProcessor::throw_disagreement(Pool::Call call, Pool::Call other_call, int other,
                                          Where where) const {
  throw DisagreementError(fmt::format(
      "{}: processor {} is in {} ({}:{})", call_in_words(call.name, call.root), other,
      call_in_words(other_call.name, other_call.root), where.file_name(), where.line()));
}

void MailboxProcessor::withdraw_lists(const char* call, Where where) noexcept {
  board_.fail({id(), unfinished_cause(call, where)}, /*provisional=*/true);
  leave();
  // Not for long: a leader at work copies or combines lists, and nobody tells when it is through.
  for (int thread = 0; thread < board_.threads(); ++thread) {
    while (board_.carrier(thread).gate().works()) std::this_thread::yield();
  }
}

}  // namespace postroom
