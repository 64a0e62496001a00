// What one processor keeps for each processor that it has dealt with, by its number.
//
// Private to its owner: no synchronisation. Entries stay where they are.
// Cost: an index into an array while the machine is small, a hash look-up when an array for every
// possible peer would cost p² entries in the machine; memory in both cases follows the peers used
// (small machines: plus one pointer for each possible one).
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

namespace postroom {

template <class Entry>
class PeerTable {
 public:
  static constexpr int kMostInArray = 1024;

  explicit PeerTable(int count)
      : array_(count <= kMostInArray ? static_cast<std::size_t>(count) : 0) {}

  /// The entry of `peer`; an empty one the first time.
  Entry& operator[](int peer) {
    std::unique_ptr<Entry>& entry =
        array_.empty() ? map_[peer] : array_[static_cast<std::size_t>(peer)];
    if (entry == nullptr) [[unlikely]]
      make(entry);
    return *entry;
  }

  void clear() {
    map_.clear();
    for (std::unique_ptr<Entry>& entry : array_) entry.reset();
  }

 private:
  [[gnu::noinline]] static void make(std::unique_ptr<Entry>& entry) {
    entry = std::make_unique<Entry>();
  }

  std::vector<std::unique_ptr<Entry>> array_;
  std::unordered_map<int, std::unique_ptr<Entry>> map_;
};

}  // namespace postroom
