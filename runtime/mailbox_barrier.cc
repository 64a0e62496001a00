// The barriers of a MailboxProcessor: by threads (runtime/gate.h) where nobody keeps time, or where
// the clock says that a barrier is free; messages like all others else.
#include "runtime/mailbox_processor.h"

namespace postroom {

// The leader of a thread meets those of the others.
void MailboxProcessor::meet_threads(const char* call, bool on_record, Where where) {
  Gate<>& gate = carrier_->gate();
  const std::uint32_t epoch = gate.epoch();
  const int threads = board_.threads();
  const int thread = carrier_->number();
  for (int round = 0; round < gate.rounds(); ++round) {
    const int distance = 1 << round;
    Carrier& next = board_.carrier((thread + distance) % threads);
    const Carrier& last = board_.carrier((thread + threads - distance) % threads);
    if (on_record) gate.pass_on(next.gate(), round);
    next.gate().set(round, epoch);
    next.parker().wake();
    // Of the processors there, all have to come; so the first has to.
    wait({&gate.flag(round), epoch}, call, last.first(), where);
    if (on_record) gate.hear(round);
  }
}

// See runtime/gate.h. What stands between a wait and the program is inlined, as with messages.
[[gnu::always_inline]] inline void MailboxProcessor::pass_gate(bool on_record, Where where) {
  Gate<>& gate = carrier_->gate();
  const std::uint32_t epoch = gate.epoch();
  if (!gate.come()) return wait({&gate.opened(), epoch}, "barrier", id(), where);
  meet_threads("barrier", on_record, where);
  if (on_record) gate.agree();
  carrier_->open_gate();
}

void MailboxProcessor::barrier(Where where) {
  check_takes_part();
  if (!keeps_record()) [[likely]] {
    pass_gate(/*on_record=*/false, where);
  } else if (barrier_is_free()) {
    carrier_->gate().tell({now(), round_});
    pass_gate(/*on_record=*/true, where);
    end_meeting(carrier_->gate().met());
  } else {
    // Messages like all others.
    const Operation operation(*this, operation_or(*this, "barrier"));
    for (int distance = 1; distance < count(); distance *= 2) {
      exchange((id() + distance) % count(), ConstBytes(), (id() - distance + count()) % count(),
               Bytes(), where);
    }
  }
}

void MailboxProcessor::barrier_off_record(Where where) {
  check_takes_part();
  pass_gate(/*on_record=*/false, where);
}

void MailboxProcessor::barrier_among(std::span<const int> members, int me, Where where) {
  check("barrier", "processor", id(), where);
  for (const int member : members) check_peer("barrier", "member", member, count(), where);
  const Operation operation(*this, operation_or(*this, "barrier"));
  const auto n = static_cast<int>(members.size());
  if (barrier_is_free()) {
    return end_meeting(meet(n, me, {now(), round_}, [&](int to, int from, const Meeting& meeting) {
      return swap_meetings(members[to], members[from], meeting, where);
    }));
  }
  for (int distance = 1; distance < n; distance *= 2) {
    exchange(members[(me + distance) % n], ConstBytes(), members[(me + n - distance) % n], Bytes(),
             where);
  }
}

void MailboxProcessor::end_meeting(const Meeting& meeting) {
  round_ = meeting.round;
  go_on_at(meeting.latest);
}

}  // namespace postroom
