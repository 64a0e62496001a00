// Working together: the processors of a thread put in their lists, and the last to come works for
// all of them, between two meetings with the other threads (runtime/gate.h).
//
// An exception that unwinds a processor out of here takes lists away that other threads may be
// working on. So it first stops the machine and then waits until no thread works; whoever would
// begin after that finds the machine stopped (Gate::begin_work).
#include <fmt/format.h>

#include <exception>
#include <string>
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
  board_.place(id()) = {own, call, epoch};
  try {
    if (gate.come()) {
      lead_work(call, work, context, where);
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
    leave();
    throw Stopped{};
  }
  {
    const Working working{gate};
    for (int other = 0; other < count(); ++other) {
      const Pool::Place& place = board_.place(other);
      if (place.epoch == gate.epoch() && place.call == call) continue;
      throw_disagreement(call, place.epoch == gate.epoch() ? place.call : kBarrier, other, where);
    }
    const Carrier& carrier = *carrier_;
    work(context, Pool(board_.places(), carrier.first(), carrier.last(), carrier.number(),
                       board_.threads()));
  }
  gate.go_on();
  meet_threads(call.name, /*on_record=*/false, where);
  carrier_->open_gate();
}

void MailboxProcessor::throw_disagreement(Pool::Call call, Pool::Call other_call, int other,
                                          Where where) const {
  const auto words_of = [](Pool::Call each) {
    return each == kBarrier ? std::string(each.name)
                            : fmt::format("{} with root {}", each.name, each.root);
  };
  throw DisagreementError(fmt::format("{}: processor {} is in {} ({}:{})", words_of(call), other,
                                      words_of(other_call), where.file_name(), where.line()));
}

void MailboxProcessor::withdraw_lists(const char* call, Where where) noexcept {
  board_.fail({id(), std::make_exception_ptr(unfinished_error(call, where))}, /*provisional=*/true);
  leave();
  for (int thread = 0; thread < board_.threads(); ++thread) {
    while (board_.carrier(thread).gate().works()) std::this_thread::yield();
  }
}

}  // namespace postroom
