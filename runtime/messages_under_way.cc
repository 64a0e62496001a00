#include "runtime/messages_under_way.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <utility>

namespace postroom {
namespace {

constexpr std::size_t kFirstSlots = 64;

/// For a table of so many slots, a power of two.
constexpr unsigned shift_for(std::size_t slots) {
  return 64U - static_cast<unsigned>(std::countr_zero(slots));
}

}  // namespace

void MessagesUnderWay::post(int source, int target, Channel channel, Message message) {
  if (2 * (used_ + 1) > slots_.size()) grow();
  const std::uint32_t place = store(std::move(message));
  const std::uint64_t key = key_of(source, target, channel);
  Slot& slot = slots_[find(key)];
  if (slot.key == kFree) {
    slot = {key, place, place};
    ++used_;
  } else {
    places_[slot.last].next = place;
    slot.last = place;
  }
  ++count_;
}

std::optional<MessagesUnderWay::Message> MessagesUnderWay::take(int source, int target,
                                                                Channel channel) {
  const std::size_t at = find(key_of(source, target, channel));
  Slot& slot = slots_[at];
  if (slot.key == kFree) return std::nullopt;
  const std::uint32_t first = slot.first;
  Place& place = places_[first];
  std::optional<Message> message(std::move(place.message));
  if (first == slot.last) {
    erase(at);
  } else {
    slot.first = place.next;
  }
  place.next = std::exchange(free_, first);
  --count_;
  return message;
}

std::vector<MessagesUnderWay::Pair> MessagesUnderWay::pairs() const {
  std::vector<Slot> used;
  std::ranges::copy_if(slots_, std::back_inserter(used),
                       [](const Slot& slot) { return slot.key != kFree; });
  std::ranges::sort(used, {}, &Slot::key);
  std::vector<Pair> pairs;
  for (const Slot& slot : used) {
    const std::uint64_t source = slot.key & ~std::uint32_t{0};
    Pair pair{peer_of(source), static_cast<int>(slot.key >> 32U), channel_of(source), 1,
              places_[slot.first].message.bytes};
    for (std::uint32_t i = slot.first; i != slot.last; i = places_[i].next) ++pair.messages;
    pairs.push_back(pair);
  }
  return pairs;
}

MessagesUnderWay::MessagesUnderWay() : slots_(kFirstSlots), shift_(shift_for(kFirstSlots)) {}

void MessagesUnderWay::clear() noexcept {
  slots_.assign(kFirstSlots, Slot{});  // there is room
  shift_ = shift_for(kFirstSlots);
  used_ = 0;
  places_.clear();
  free_ = kNone;
  count_ = 0;
}

std::size_t MessagesUnderWay::find(std::uint64_t key) const noexcept {
  std::size_t at = home(key);
  while (slots_[at].key != key && slots_[at].key != kFree) at = after(at);
  return at;
}

std::uint32_t MessagesUnderWay::store(Message message) {
  if (free_ == kNone) {
    places_.push_back({std::move(message), kNone});
    return static_cast<std::uint32_t>(places_.size() - 1);
  }
  const std::uint32_t place = free_;
  free_ = places_[place].next;
  places_[place] = {std::move(message), kNone};
  return place;
}

void MessagesUnderWay::grow() {
  std::vector<Slot> other(2 * slots_.size());
  slots_.swap(other);
  shift_ = shift_for(slots_.size());
  for (const Slot& slot : other) {
    if (slot.key != kFree) slots_[find(slot.key)] = slot;
  }
}

// Those behind that would not be found past a free slot move up.
void MessagesUnderWay::erase(std::size_t slot) noexcept {
  --used_;
  const std::size_t mask = slots_.size() - 1;
  for (std::size_t at = after(slot); slots_[at].key != kFree; at = after(at)) {
    const std::size_t from_home = (at - home(slots_[at].key)) & mask;
    if (from_home < ((at - slot) & mask)) continue;
    slots_[slot] = slots_[at];
    slot = at;
  }
  slots_[slot] = {};
}

}  // namespace postroom
