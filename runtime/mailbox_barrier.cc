// The barriers of a MailboxProcessor: flags where nobody keeps time, or where the clock says that a
// barrier is free; messages like all others else.
#include "runtime/mailbox_processor.h"

namespace postroom {

// Lets the processor 2^round further know that this one has come to the barrier, and waits for the
// one so much before.
[[gnu::always_inline]] inline void MailboxProcessor::meet_in_round(int round, Meeting* meeting,
                                                                   Where where) {
  const int distance = 1 << round;
  MailboxProcessor& partner = board_.processor((id() + distance) % count());
  const int from = (id() - distance + count()) % count();
  const auto flag = static_cast<std::size_t>(round);
  const std::size_t turn = barriers_ % 2;
  if (meeting != nullptr) partner.flags_[flag].met[turn] = *meeting;
  move(partner.flags_[flag].epoch, barriers_, partner);
  wait({&flags_[flag].epoch, barriers_}, "barrier", from, where);
  if (meeting != nullptr) *meeting = joined(*meeting, flags_[flag].met[turn]);
}

void MailboxProcessor::barrier(Where where) {
  check("barrier", "processor", id(), where);
  if (keeps_record()) return barrier_on_record(where);
  ++barriers_;
  for (int round = 0; round < static_cast<int>(flags_.size()); ++round) {
    meet_in_round(round, nullptr, where);
  }
}

// A barrier that is not free consists of messages like all others.
void MailboxProcessor::barrier_on_record(Where where) {
  if (!barrier_is_free()) {
    for (int distance = 1; distance < count(); distance *= 2) {
      exchange((id() + distance) % count(), ConstBytes(), (id() - distance + count()) % count(),
               Bytes(), where);
    }
    return;
  }
  ++barriers_;
  Meeting meeting{now(), round_};
  for (int round = 0; round < static_cast<int>(flags_.size()); ++round) {
    meet_in_round(round, &meeting, where);
  }
  end_meeting(meeting);
}

void MailboxProcessor::barrier_among(std::span<const int> members, int me, Where where) {
  check("barrier", "processor", id(), where);
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
