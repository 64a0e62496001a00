// The last few things that were made, kept for whoever asks next: tables that take long to make and
// that all processors of a machine want at once.
//
// Who may call: any thread. What is asked for is made outside of the lock, so two that ask at the
// same time may both make it; one of them is kept. Errors: what `make` throws, std::bad_alloc;
// nothing is kept then. A process that was forked off while another thread was in here keeps
// nothing either: what it asks for is made each time.
//
//   static constinit MadeOnce<KeptLast<int, Table>> kept;  // numa/once.h
//   std::shared_ptr<const Table> table = kept.get().get(17, [] { return make_table(17); });
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>

#include "runtime/turn.h"

namespace postroom {

template <class Key, class Value>
class KeptLast {
 public:
  static constexpr std::size_t kMost = 8;

  /// What make() gave for this key, which has to be comparable, or gives now.
  template <class Make>
  std::shared_ptr<const Value> get(const Key& key, const Make& make) {
    // Whoever is in here then is not in this process, and may have left `kept_` half changed.
    if (turn_.is_inherited()) return std::make_shared<const Value>(make());
    if (auto found = find(key)) return found;
    auto made = std::make_shared<const Value>(make());
    const std::lock_guard lock(turn_);
    if (auto sooner = find_locked(key)) return sooner;
    kept_.emplace_front(key, made);
    if (kept_.size() > kMost) kept_.pop_back();
    return made;
  }

 private:
  std::shared_ptr<const Value> find(const Key& key) {
    const std::lock_guard lock(turn_);
    return find_locked(key);
  }
  std::shared_ptr<const Value> find_locked(const Key& key) {
    const auto found = std::ranges::find(kept_, key, &Kept::first);
    return found != kept_.end() ? found->second : nullptr;
  }

  using Kept = std::pair<Key, std::shared_ptr<const Value>>;

  Turn<> turn_;
  std::deque<Kept> kept_;
};

}  // namespace postroom
