#include "runtime/switchboard.h"

#include <fmt/core.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "runtime/carrier.h"
#include "runtime/errors.h"
#include "runtime/mailbox_processor.h"

namespace postroom {

Switchboard::Switchboard(int processors, WaitPolicy policy, Clock* clock, bool trace)
    : policy_(policy),
      clock_(clock),
      trace_(trace),
      processors_(static_cast<std::size_t>(processors)),
      memories_(static_cast<std::size_t>(processors), std::pmr::get_default_resource()),
      shelves_(static_cast<std::size_t>(processors)),
      watch_(processors) {
  for (std::vector<Pool::Place>& places : places_) places.resize(processors_.size());
}

Switchboard::~Switchboard() = default;

Mailbox<>& Switchboard::mailbox(int source, int target, Channel channel) {
  const Mailbox<>::LineEnds line = line_ends(source, target, channel);
  const std::uint64_t key = channel_key(source, channel);
  Shelf& shelf = shelves_[target];
  const std::lock_guard lock(shelf.mutex);
  const auto found = shelf.mailboxes.find(key);
  if (found != shelf.mailboxes.end()) return *found->second;
  room_.take();
  auto mailbox =
      std::make_unique<Mailbox<>>(first_cells(), Mailbox<>::kNotes, memories_[target], line);
  return *shelf.mailboxes.emplace(key, std::move(mailbox)).first->second;
}

// Within a thread no line goes to and fro, and what a clock says of a message does not fit into it.
Mailbox<>::LineEnds Switchboard::line_ends(int source, int target, Channel channel) {
  if (!all_alone() || clock() != nullptr || source == target) return {};
  Shelf& shelf = shelves_[std::max(source, target)];
  const std::lock_guard lock(shelf.mutex);
  std::unique_ptr<DuplexLine<>>& line = shelf.lines[channel_key(std::min(source, target), channel)];
  if (line == nullptr) line = std::make_unique<DuplexLine<>>();
  const int side = source < target ? 0 : 1;
  return {&line->end(side), &line->end(1 - side), cores_apart_};
}

// The line of `taken` goes to the sender and back once in half a ring. Where processors share
// threads, small rings stay in the caches, and the look costs nothing within a thread.
std::uint32_t Switchboard::first_cells() const noexcept {
  return all_alone() && count() <= kMostRoomy ? kRoomyCells : Mailbox<>::kFirstCells;
}

bool Switchboard::may_sleep(std::span<const std::pair<int, BlockedCall>> waiting) noexcept {
  std::exception_ptr cause;
  try {
    const std::optional<std::string> deadlock = watch_.enter(waiting);
    if (!deadlock) return true;
    cause = std::make_exception_ptr(DeadlockError(*deadlock));
  } catch (...) {
    cause = std::current_exception();  // no memory for the report
  }
  for (const auto& [processor, call] : waiting) watch_.leave({&processor, 1});
  fail({-1, cause});
  return false;
}

void Switchboard::fail(Failure failure, bool provisional) noexcept {
  {
    const std::lock_guard lock(failure_mutex_);
    failure_.offer(std::move(failure), provisional);
  }
  const bool first =
      !stop_.exchange(true, std::memory_order_seq_cst);  // (1) the news of Parker::wake
  if (first) {
    // Those who never come to wait are told, too.
    for (MailboxProcessor* processor : processors_) processor->stop();
  }
  for (Carrier* carrier : carriers_) carrier->parker().wake();
}

std::string Switchboard::unreceived() {
  std::string text;
  for (int target = 0; target < count(); ++target) {
    for (auto& [key, mailbox] : shelves_[target].mailboxes) {
      int messages = 0;
      std::size_t bytes = 0;
      while (mailbox->try_front()) {
        const auto message = mailbox->front();
        if (messages++ == 0) bytes = message.payload.size();
        (void)mailbox->take();
      }
      if (messages == 0) continue;
      text += unreceived_line(peer_of(key), target, channel_of(key),
                              static_cast<std::size_t>(messages), bytes);
    }
  }
  return text;
}

void Switchboard::clear() {
  for (Shelf& shelf : shelves_) {
    shelf.mailboxes.clear();
    shelf.lines.clear();
  }
  room_.clear();
  for (MailboxProcessor* processor : processors_) processor->clear();
  for (Carrier* carrier : carriers_) {
    carrier->gate().clear();
    carrier->slots().clear();
    carrier->put_in().clear();
  }
  for (std::vector<Pool::Place>& places : places_) {
    std::ranges::fill(places, Pool::Place{});
  }
  failure_.clear();
  stop_.store(false,
              std::memory_order_seq_cst);  // between runs; the next run's start publishes it (1)
}

}  // namespace postroom
