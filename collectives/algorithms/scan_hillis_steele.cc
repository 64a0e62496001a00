#include "collectives/algorithms/scan_hillis_steele.h"

#include <bit>
#include <utility>
#include <vector>

#include "collectives/models/time_replay.h"
#include "collectives/parts/arguments.h"
#include "collectives/parts/scratch.h"
#include "collectives/parts/sends.h"

namespace postroom {
namespace {

/// One round: `window` goes `distance` up, and take_in(window) is called for the one from
/// `distance` down. Each of them only where there is such a processor; returns whether the latter
/// is. If not, none is in later rounds: what is sent from then on stays as it is, and is for
/// `last_sends` to wait for.
template <class TakeIn>
bool shift(Processor& self, int distance, ConstBytes window, Sends& last_sends,
           const TakeIn& take_in, Where where) {
  const int target = self.id() + distance;
  const int source = self.id() - distance;
  if (source < 0) {
    if (target < self.count()) last_sends.add(self.start_send_bytes(target, window, where));
    return false;
  }
  Pending sent;
  if (target < self.count()) sent = self.start_send_bytes(target, window, where);
  self.read(source, window.size(), take_in, where);
  sent.wait();
  return true;
}

}  // namespace

void scan_hillis_steele(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                        Where where) {
  const int rounds = std::bit_width(static_cast<unsigned>(self.id()));  // in which one comes in
  // A list that is read by another is not written; so these rounds write to `out` last, and to it
  // and scratch by turns. The last processor, whose lists nobody reads, writes to `out` only.
  const bool is_read = self.id() + 1 < self.count();
  const bool moves = is_read && rounds % 2 == 1 && in.data() == out.data();
  Scratch scratch(self, is_read && (rounds > 1 || moves) ? in.size() : 0);
  Bytes next = is_read && rounds % 2 == 0 ? scratch.bytes() : out;
  ConstBytes held = in;
  if (moves) {
    copy_bytes(in, scratch.bytes());
    held = scratch.bytes();
  }
  const auto prepend = [&](ConstBytes window) {
    held.data() == next.data() ? op.prepend(window, next) : op.combine(window, held, next);
  };
  Sends last_sends;
  for (int distance = 1; distance < self.count(); distance *= 2) {
    if (!shift(self, distance, held, last_sends, prepend, where)) continue;
    held = next;
    if (is_read) next = held.data() == out.data() ? scratch.bytes() : out;
  }
  copy_bytes(held, out);  // on processor 0, to which nothing came
  last_sends.wait();
}

void exscan_hillis_steele(Processor& self, ConstBytes in, Bytes out, const Operator& op,
                          Where where) {
  // The window has this processor itself in it, so it is another list than `out`, which has not.
  const auto is_sent_later = [&](int distance) { return self.id() + 2 * distance < self.count(); };
  const bool combines = self.id() > 0 && is_sent_later(1);
  const bool moves = self.id() > 0 && self.id() + 1 < self.count() && in.data() == out.data();
  Scratch scratch(self, combines ? 2 * in.size() : moves ? in.size() : 0);
  Bytes next = scratch.bytes(0, combines ? in.size() : 0);
  Bytes spare = scratch.bytes(next.size(), scratch.bytes().size() - next.size());
  ConstBytes held = in;
  if (moves) {
    copy_bytes(in, spare);
    held = spare;
  }
  Sends last_sends;
  for (int distance = 1; distance < self.count(); distance *= 2) {
    const auto prepend = [&](ConstBytes window) {
      if (is_sent_later(distance)) op.combine(window, held, next);
      distance == 1 ? copy_bytes(window, out) : op.prepend(window, out);
    };
    if (!shift(self, distance, held, last_sends, prepend, where) || !is_sent_later(distance))
      continue;
    std::swap(next, spare);
    held = spare;
  }
  last_sends.wait();
}

Cost scan_hillis_steele_cost(int processors, std::int64_t bytes) {
  return doubling_rounds(processors) * Cost::round(bytes);
}

double scan_hillis_steele_time(int processors, std::int64_t bytes, const TimeModel& model) {
  TimeReplay replay(model, processors, doubling_rounds(processors));
  std::vector<Time> arrivals(static_cast<std::size_t>(processors));
  for (int distance = 1; distance < processors; distance *= 2) {
    for (int i = 0; i + distance < processors; ++i) {
      arrivals[static_cast<std::size_t>(i + distance)] = replay.send(i, bytes);
    }
    for (int i = distance; i < processors; ++i) {
      replay.receive(i, bytes, arrivals[static_cast<std::size_t>(i)]);
    }
  }
  return replay.finish_ns();
}

}  // namespace postroom
