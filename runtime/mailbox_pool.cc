// Working together: the processors of a thread put in their lists, and the last to come works for
// all of them, between two meetings with the other threads (runtime/gate.h).
//
// An exception that unwinds a processor out of here takes lists away that other threads may be
// working on. So it first stops the machine and then waits until no thread works; whoever would
// begin after that finds the machine stopped (Gate::begin_work).
#include <fmt/format.h>

#include <exception>
#include <stdexcept>
#include <thread>

#include "runtime/errors.h"
#include "runtime/mailbox_processor.h"

namespace postroom {

bool MailboxProcessor::takes_turns() const noexcept {
  return !keeps_record() && board_.threads() < count();
}

void MailboxProcessor::work_together(const char* call, const Pool::Lists& own, PoolWork work,
                                     const void* context, Where where) {
  check_takes_part();
  Gate<>& gate = carrier_->gate();
  const std::uint32_t epoch = gate.epoch();
  board_.place(id()) = {own, call, epoch};
  try {
    if (gate.come()) {
      lead_work(call, work, context, where);
    } else {
      wait({&gate.opened(), epoch}, call, id(), where);
      if (gate.worked() != epoch) throw_not_together(call, "barrier", id(), where);
    }
  } catch (...) {
    withdraw_lists(call, where);
    throw;
  }
}

void MailboxProcessor::lead_work(const char* call, PoolWork work, const void* context,
                                 Where where) {
  struct Working {
    Gate<>& gate;
    ~Working() { gate.end_work(); }
  };
  Gate<>& gate = carrier_->gate();
  meet_threads(call, /*on_record=*/false, where);
  if (!gate.begin_work([this] { return board_.stopped(); })) {
    leave();
    throw Stopped{};
  }
  {
    const Working working{gate};
    for (int other = 0; other < count(); ++other) {
      const Pool::Place& place = board_.place(other);
      if (place.epoch == gate.epoch() && place.call == call) continue;
      throw_not_together(call, place.epoch == gate.epoch() ? place.call : "barrier", other, where);
    }
    const Carrier& carrier = *carrier_;
    work(context, Pool(board_.places(), carrier.first(), carrier.last(), carrier.number(),
                       board_.threads()));
  }
  gate.go_on();
  meet_threads(call, /*on_record=*/false, where);
  carrier_->open_gate();
}

void MailboxProcessor::throw_not_together(const char* call, const char* other_call, int other,
                                          Where where) const {
  throw std::logic_error(fmt::format("{}: processor {} is in {} ({}:{})", call, other, other_call,
                                     where.file_name(), where.line()));
}

void MailboxProcessor::withdraw_lists(const char* call, Where where) noexcept {
  board_.fail({id(), std::make_exception_ptr(unfinished_error(call, where))}, /*provisional=*/true);
  leave();
  for (int thread = 0; thread < board_.threads(); ++thread) {
    while (board_.carrier(thread).gate().works()) std::this_thread::yield();
  }
}

}  // namespace postroom
