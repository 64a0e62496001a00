#include "runtime/deadlock.h"

#include <fmt/core.h>

namespace postroom {
namespace {

constexpr int kMostLines = 32;

std::string describe(int processor, const BlockedCall& call, bool peer_ended) {
  return fmt::format("\n  processor {} waits for processor {}{} in {} at {}:{}", processor,
                     call.peer, peer_ended ? ", which has ended," : "", call.call,
                     call.where.file_name(), call.where.line());
}

}  // namespace

DeadlockWatch::DeadlockWatch(int processors)
    : blocked_(static_cast<std::size_t>(processors)),
      ended_(static_cast<std::size_t>(processors)),
      seen_by_(static_cast<std::size_t>(processors)) {}

void DeadlockWatch::reset() {
  const std::lock_guard lock(mutex_);
  blocked_.assign(blocked_.size(), std::nullopt);
  ended_.assign(ended_.size(), false);
  blocked_count_ = 0;
}

std::optional<std::string> DeadlockWatch::enter(
    std::span<const std::pair<int, BlockedCall>> waiting) {
  const std::lock_guard lock(mutex_);
  for (const auto& [processor, call] : waiting) blocked_[processor] = call;
  blocked_count_ += static_cast<int>(waiting.size());
  first_walk_ = walk_ + 1;
  for (const auto& [processor, call] : waiting) {
    if (stuck(processor)) return report();
  }
  return std::nullopt;
}

void DeadlockWatch::leave(std::span<const int> processors) {
  const std::lock_guard lock(mutex_);
  for (const int processor : processors) blocked_[processor].reset();
  blocked_count_ -= static_cast<int>(processors.size());
}

std::optional<std::string> DeadlockWatch::end(int processor) {
  const std::lock_guard lock(mutex_);
  ended_[processor] = true;
  if (blocked_count_ == 0) return std::nullopt;
  for (int i = 0; i < static_cast<int>(blocked_.size()); ++i) {
    if (blocked_[i] && blocked_[i]->peer == processor && !blocked_[i]->awaited.reached()) {
      return report();
    }
  }
  return std::nullopt;
}

bool DeadlockWatch::stuck(int processor) {
  ++walk_;
  for (int current = processor;;) {
    if (ended_[current]) return true;
    const std::optional<BlockedCall>& call = blocked_[current];
    if (!call || call->awaited.reached()) return false;
    if (seen_by_[current] == walk_) return true;  // come back on itself
    if (seen_by_[current] >= first_walk_)
      return false;  // an earlier walk of this look found the way out
    seen_by_[current] = walk_;
    current = call->peer;
  }
}

std::string DeadlockWatch::report() const {
  std::string text = "deadlock: no message can come any more";
  int lines = 0;
  for (int i = 0; i < static_cast<int>(blocked_.size()); ++i) {
    if (!blocked_[i] || blocked_[i]->awaited.reached()) continue;
    if (++lines > kMostLines) continue;
    text += describe(i, *blocked_[i], ended_[blocked_[i]->peer]);
  }
  if (lines > kMostLines) text += fmt::format("\n  and {} more", lines - kMostLines);
  return text;
}

}  // namespace postroom
