// Small lists that are handed out and in by processors that share threads (runtime/slots.h).
#include <fmt/core.h>

#include <algorithm>
#include <string>

#include "fat_trees/box_tree.h"
#include "runtime/errors.h"
#include "runtime/mailbox_processor.h"

namespace postroom {

Processor::HandLimits MailboxProcessor::limits_of_slots() const noexcept {
  if (!takes_turns() || (box() != nullptr && box()->has_order())) return {};
  return {Slots<>::kMostBytes + 1, Slots<>::kMostBytes / most_carried() + 1,
          PutIn<>::most_bytes(most_carried()) + 1};
}

// --- Coming and leaving. Inlined: a call takes some nanoseconds.

[[gnu::always_inline]] inline Slots<>::Slot MailboxProcessor::come_to_slot(const RootedCall& call,
                                                                           std::size_t bytes,
                                                                           Where where) {
  check_takes_part();
  if (member_.page_is_full(bytes)) [[unlikely]] {
    turn_page(call, where);
  }
  const Slots<>::Slot slot = member_.next(bytes, call.mark(member_.next_number()));
  Slots<>& slots = carrier_->slots();
  const int first = slots.come(slot, id());
  if (first != id()) check_mark(slots.mark_of(slot), slot, first, where);
  return slot;
}

[[gnu::always_inline]] inline void MailboxProcessor::leave_slot(
    const Slots<>::Slot& slot) noexcept {
  carrier_->slots().leave(slot);
  member_.make();
  // In any call: who waits may be in another one, in which this is the root.
  if (awaited_as_root_ > 0) awaited_as_root_ -= carrier_->moved(member_.made());
  wake_other_threads();
}

// Also by those for whom nobody waits but the watch: see narrowed().
[[gnu::always_inline]] inline void MailboxProcessor::wake_other_threads() const noexcept {
  if (!board_.sleepers().any()) return;
  for (int thread = 0; thread < board_.threads(); ++thread) {
    if (thread != carrier_->number()) board_.carrier(thread).parker().wake();
  }
}

[[gnu::always_inline]] inline void MailboxProcessor::await_root(const RootedCall& call,
                                                                const Slots<>::Slot& slot,
                                                                MailboxProcessor& root,
                                                                Where where) {
  Slots<>& slots = carrier_->slots();
  if (slots.knows(call.root, slot.number)) return;
  const Awaited made{&root.member_.made(), slot.number + 1};
  const bool counts = shares_thread(root) && !made.reached();
  if (counts) {
    ++root.awaited_as_root_;
    carried_->told = false;
  }
  wait(made, call.name(), call.root, where);
  // It may have seen by itself that the root has come: when it had other things to wait for, too.
  if (counts && !carried_->told) --root.awaited_as_root_;
  // (1) pairs with slots.h (1).
  slots.learn(call.root, made.word->load(std::memory_order_acquire));
}

void MailboxProcessor::turn_page(const RootedCall& call, Where where) {
  for (int thread = 0; thread < board_.threads(); ++thread) {
    Carrier& carrier = board_.carrier(thread);
    await_all_of(carrier, member_.made_on_page(), carrier.slots().turned(), member_.page(), call,
                 where);
  }
  member_.turn();
  Slots<>& slots = carrier_->slots();
  if (!slots.turn(member_.page(), member_.next_number())) return;
  carrier_->moved(slots.turned());
  wake_other_threads();
}

// --- The calls.

void MailboxProcessor::hand_out(const RootedCall& call, ConstBytes all, std::size_t all_bytes,
                                std::size_t begin, Bytes mine, Where where) {
  const Slots<>::Slot slot = come_to_slot(call, all_bytes, where);
  Slots<>& slots = carrier_->slots();
  if (id() == call.root) {
    slots.write(slot, 0, all);
    return leave_slot(slot);
  }
  MailboxProcessor& root = board_.processor(call.root);
  await_root(call, slot, root, where);
  const Slots<>& from = root.carrier_->slots();
  check_mark(from.mark_of(slot), slot, call.root, where);
  from.read(slot, begin, mine);
  leave_slot(slot);
}

void MailboxProcessor::hand_in(const RootedCall& call, ConstBytes mine, Bytes all, Fold fold,
                               Where where) {
  const Slots<>::Slot slot = come_to_slot(call, call.bytes * most_carried(), where);
  Slots<>& slots = carrier_->slots();
  slots.write(slot, static_cast<std::size_t>(id() - carrier_->first()) * call.bytes, mine);
  if (id() == call.root) {
    collect(call, slot, all, fold, where);
    return leave_slot(slot);
  }
  const MailboxProcessor& root = board_.processor(call.root);
  const bool root_is_here = shares_thread(root);
  const bool others_have_left = slots.missing(slot) == (root_is_here ? 2 : 1);
  if (others_have_left && !root_is_here) fold_carried(call, slot, fold);
  leave_slot(slot);
  if (others_have_left && root_is_here) {
    slots.leave_to_root(slot);
    carrier_->moved(*root.carried_, slots.left_to_root());
  }
}

void MailboxProcessor::collect(const RootedCall& call, const Slots<>::Slot& slot, Bytes all,
                               Fold fold, Where where) {
  const Slots<>& own = carrier_->slots();
  if (carrier_->slots().missing(slot) > 1) {
    await_all_of(*carrier_, slot.number + 1, own.left_to_root(), slot.number + 1, call, where);
  }
  fold_carried(call, slot, fold);
  for (int thread = 0; thread < board_.threads(); ++thread) {
    Carrier& carrier = board_.carrier(thread);
    const Slots<>& from = carrier.slots();
    if (&from != &own) {
      await_all_of(carrier, slot.number + 1, from.made_by_all(), slot.number + 1, call, where);
      check_mark(from.mark_of(slot), slot, carrier.first(), where);
    }
    const auto first = static_cast<std::size_t>(carrier.first());
    const auto carried = static_cast<std::size_t>(carrier.last()) - first;
    if (fold.call == nullptr) {
      from.read(slot, 0, all.subspan(first * call.bytes, carried * call.bytes));
    } else if (thread == 0) {
      from.read(slot, 0, all);
    } else {
      fold.call(fold.context, all, {from.list(slot, 0), call.bytes});
    }
  }
}

/// The lists of this thread, to the first of them.
void MailboxProcessor::fold_carried(const RootedCall& call, const Slots<>::Slot& slot, Fold fold) {
  const auto carried = static_cast<std::size_t>(carrier_->last() - carrier_->first());
  if (fold.call == nullptr || carried == 1) return;
  Slots<>& slots = carrier_->slots();
  fold.call(fold.context, {slots.list(slot, 0), call.bytes},
            {slots.list(slot, call.bytes), (carried - 1) * call.bytes});
}

// --- Waiting.

void MailboxProcessor::await_all_of(const Carrier& carrier, std::uint32_t calls,
                                    const std::atomic<std::uint32_t>& word, std::uint32_t value,
                                    const RootedCall& call, Where where) {
  const Awaited awaited{&word, value};
  if (awaited.reached()) return;
  awaits_all_of_ = {&carrier, calls};
  wait(awaited, call.name(), carrier.first(), where);
  awaits_all_of_ = {};
}

// Whoever has made another call wakes the threads that sleep, which then look for the next one that
// is missing.
BlockedCall MailboxProcessor::narrowed(BlockedCall call, int from) const noexcept {
  const Carrier* const carrier = awaits_all_of_.carrier;
  if (carrier == nullptr) return call;
  const int carried = carrier->last() - carrier->first();
  for (int i = 0; i < carried; ++i) {
    const int other = carrier->first() + (std::max(from - carrier->first(), 0) + i) % carried;
    const Awaited made{&board_.processor(other).member_.made(), awaits_all_of_.calls};
    if (other == id() || made.reached()) continue;
    call.peer = other;
    // What else ends the wait, a message for a receive that was started, still does.
    call.awaited.word = made.word;
    call.awaited.value = made.value;
    return call;
  }
  return call;
}

// --- Disagreement.

void MailboxProcessor::throw_other_mark(std::uint64_t mark, const Slots<>::Slot& slot, int other,
                                        Where where) {
  const auto words_of = [](RootedCall each) {
    return call_in_words(each.name(), each.kind == RootedCall::Kind::kNone ? kNoRoot : each.root);
  };
  static_assert(RootedCall::kMarkBits == Slots<>::kMarkBits);
  const RootedCall own_call = RootedCall::of_mark(slot.callers_mark(slot.mark), slot.number);
  const RootedCall other_call = RootedCall::of_mark(slot.callers_mark(mark), slot.number);
  const std::string place = fmt::format("({}:{})", where.file_name(), where.line());
  if (own_call.kind == other_call.kind && own_call.root == other_call.root) {
    throw SizeMismatchError(
        fmt::format("{}: the list of processor {} has {} bytes, but {} are needed {}",
                    words_of(own_call), other, other_call.bytes, own_call.bytes, place));
  }
  throw DisagreementError(fmt::format("{}: processor {} is in {} {}", words_of(own_call), other,
                                      words_of(other_call), place));
}

}  // namespace postroom
