#include "runtime/deadlock.h"

#include <fmt/core.h>
#include <fmt/format.h>

#include <algorithm>

namespace postroom {
namespace {

constexpr int kMostLines = 32;
constexpr std::size_t kMostPeers = 8;

// "processor 1", "any of processors 1, 2, 3".
std::string peers_of(const BlockedCall& call) {
  if (call.or_peers.empty()) return fmt::format("processor {}", call.peer);
  const std::size_t shown = std::min(call.or_peers.size(), kMostPeers);
  return fmt::format("any of processors {}, {}{}", call.peer,
                     fmt::join(call.or_peers.first(shown), ", "),
                     shown < call.or_peers.size() ? ", …" : "");
}

std::string describe(int processor, const BlockedCall& call, bool peer_ended) {
  return fmt::format("\n  processor {} waits for {}{} in {} at {}:{}", processor, peers_of(call),
                     peer_ended && call.or_peers.empty() ? ", which has ended," : "", call.call,
                     call.where.file_name(), call.where.line());
}

}  // namespace

DeadlockWatch::DeadlockWatch(int processors)
    : blocked_(static_cast<std::size_t>(processors)),
      waiters_(static_cast<std::size_t>(processors)),
      ended_(static_cast<std::size_t>(processors)),
      chooser_at_(static_cast<std::size_t>(processors)),
      chosen_by_(static_cast<std::size_t>(processors)),
      seen_by_(static_cast<std::size_t>(processors)) {
  choosers_.reserve(blocked_.size());  // so that block() does not fail
}

void DeadlockWatch::reset() {
  const std::lock_guard lock(mutex_);
  blocked_.assign(blocked_.size(), std::nullopt);
  waiters_.assign(waiters_.size(), {});
  ended_.assign(ended_.size(), false);
  choosers_.clear();
  chosen_by_.assign(chosen_by_.size(), 0);
}

std::optional<std::string> DeadlockWatch::enter(
    std::span<const std::pair<int, BlockedCall>> waiting) {
  const std::lock_guard lock(mutex_);
  for (const auto& [processor, call] : waiting) block(processor, call);
  if (waits_for_any()) return somebody_is_stuck() ? std::optional(report()) : std::nullopt;
  first_walk_ = walk_ + 1;
  for (const auto& [processor, call] : waiting) {
    if (stuck(processor)) return report();
  }
  return std::nullopt;
}

void DeadlockWatch::leave(std::span<const int> processors) {
  const std::lock_guard lock(mutex_);
  for (const int processor : processors) unblock(processor);
}

std::optional<std::string> DeadlockWatch::end(int processor) {
  const std::lock_guard lock(mutex_);
  ended_[processor] = true;
  if (!is_waited_for(processor)) return std::nullopt;
  if (waits_for_any()) return somebody_is_stuck() ? std::optional(report()) : std::nullopt;
  for (int i = waiters_[processor].first; i != kNobody; i = waiters_[i].next) {
    if (!blocked_[i]->awaited.reached()) return report();
  }
  return std::nullopt;
}

// A list for each processor of those that wait for it, the last to come first.
void DeadlockWatch::block(int processor, const BlockedCall& call) {
  if (!call.or_peers.empty()) {
    chooser_at_[processor] = static_cast<int>(choosers_.size());
    choosers_.push_back(processor);
    for (const int peer : call.or_peers) ++chosen_by_[peer];
  }
  blocked_[processor] = call;
  int& first = waiters_[call.peer].first;
  waiters_[processor].next = first;
  waiters_[processor].previous = kNobody;
  if (first != kNobody) waiters_[first].previous = processor;
  first = processor;
}

void DeadlockWatch::unblock(int processor) {
  const auto [first, next, previous] = waiters_[processor];
  if (next != kNobody) waiters_[next].previous = previous;
  (previous != kNobody ? waiters_[previous].next : waiters_[blocked_[processor]->peer].first) =
      next;
  if (!blocked_[processor]->or_peers.empty()) {
    for (const int peer : blocked_[processor]->or_peers) --chosen_by_[peer];
    const int place = chooser_at_[processor];
    choosers_[place] = choosers_.back();
    chooser_at_[choosers_[place]] = place;
    choosers_.pop_back();
  }
  blocked_[processor].reset();
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

bool DeadlockWatch::somebody_is_stuck() const {
  std::vector<bool> can_move(blocked_.size());
  std::vector<int> to_tell;
  const auto moves = [&](int processor) {
    can_move[processor] = true;
    to_tell.push_back(processor);
  };
  for (int i = 0; i < static_cast<int>(blocked_.size()); ++i) {
    if (!ended_[i] && (!blocked_[i] || blocked_[i]->awaited.reached())) moves(i);
  }
  while (!to_tell.empty()) {
    const int mover = to_tell.back();
    to_tell.pop_back();
    for (int i = waiters_[mover].first; i != kNobody; i = waiters_[i].next) {
      if (!can_move[i]) moves(i);
    }
    if (!to_tell.empty()) continue;
    for (const int chooser : choosers_) {
      const auto can = [&](int peer) { return can_move[peer]; };
      if (!can_move[chooser] && std::ranges::any_of(blocked_[chooser]->or_peers, can)) {
        moves(chooser);
      }
    }
  }
  for (std::size_t i = 0; i < blocked_.size(); ++i) {
    if (blocked_[i] && !can_move[i]) return true;
  }
  return false;
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
