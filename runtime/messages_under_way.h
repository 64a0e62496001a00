// The messages of a machine that were sent and not yet received: a queue for each pair of
// processors and channel that has any.
//
// One hash table from these to queues, with linear probing; the queues are chains in one list of
// places that are used again. So memory follows the most messages that were ever under way at a
// time, about 100 bytes each without their data, not the pairs that ever talked.
//
// Who may call: one thread. Cost: some ten nanoseconds to post or to take while the table stays in
// the caches; amortised over its growth.
//
//   MessagesUnderWay messages;
//   messages.post(3, 5, Channel::kProgram, {.arrival = 7, .bytes = 1});
//   messages.take(3, 5, Channel::kProgram)->arrival;   // 7
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "runtime/channel.h"
#include "runtime/clock.h"

namespace postroom {

class MessagesUnderWay {
 public:
  struct Message {
    Time arrival = 0;
    std::size_t bytes = 0;
    std::unique_ptr<std::byte[]> data = nullptr;  ///< null where only its size is known
  };
  struct Pair {
    int source;
    int target;
    Channel channel;
    std::size_t messages;
    std::size_t first_bytes;
  };

  MessagesUnderWay();

  void post(int source, int target, Channel channel, Message message);
  /// The first of the messages from `source` to `target` in this channel, if there is one.
  std::optional<Message> take(int source, int target, Channel channel);

  /// That message, still under way; null where there is none.
  const Message* front(int source, int target, Channel channel) const {
    const Slot& slot = slots_[find(key_of(source, target, channel))];
    return slot.key != kFree ? &places_[slot.first].message : nullptr;
  }
  bool is_under_way(int source, int target, Channel channel) const {
    return slots_[find(key_of(source, target, channel))].key != kFree;
  }
  /// How many, between all pairs.
  std::size_t count() const noexcept { return count_; }
  /// The pairs and channels that have any, by target, source and channel.
  std::vector<Pair> pairs() const;
  void clear() noexcept;

 private:
  static constexpr std::uint64_t kFree = ~std::uint64_t{0};
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  struct Slot {
    std::uint64_t key = kFree;  // a pair and a channel
    std::uint32_t first = kNone;
    std::uint32_t last = kNone;
  };
  struct Place {
    Message message;
    std::uint32_t next;  // in the queue, or of the free places
  };

  // Numbers of processors are less than 2^31.
  static std::uint64_t key_of(int source, int target, Channel channel) noexcept {
    return std::uint64_t{static_cast<std::uint32_t>(target)} << 32U | channel_key(source, channel);
  }
  std::size_t home(std::uint64_t key) const noexcept {
    return static_cast<std::size_t>(key * 0x9E3779B97F4A7C15U >> shift_);
  }
  std::size_t after(std::size_t slot) const noexcept { return (slot + 1) & (slots_.size() - 1); }
  /// The slot of the pair, or the free one where it would be.
  std::size_t find(std::uint64_t key) const noexcept;
  std::uint32_t store(Message message);
  void grow();
  void erase(std::size_t slot) noexcept;

  std::vector<Slot> slots_;  // a power of two, at most half of them used
  unsigned shift_ = 0;
  std::size_t used_ = 0;
  std::vector<Place> places_;
  std::uint32_t free_ = kNone;
  std::size_t count_ = 0;
};

}  // namespace postroom
