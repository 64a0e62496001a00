#include "runtime/pending.h"

#include <boost/container/small_vector.hpp>
#include <stdexcept>
#include <string>

#include "runtime/processor.h"

namespace postroom {
namespace {

[[noreturn]] void throw_of_two(int one, int other, Where where) {
  throw std::invalid_argument("wait_any: what processors " + std::to_string(one) + " and " +
                              std::to_string(other) +
                              " have started is not allowed; what one of them has (" +
                              where.file_name() + ":" + std::to_string(where.line()) + ")");
}

}  // namespace

void Pending::abandon() noexcept {
  owner_->abandon(ticket_, std::uncaught_exceptions() > exceptions_, call_, where_);
  leave();
}

void Pending::finish() {
  owner_->finish(ticket_, call_, where_);
  owner_ = nullptr;  // only now: a wait that is cut short leaves the operation to the destructor
  leave();
}

bool Pending::finished() { return owner_->finished(ticket_); }

void Pending::end_all(List& all, bool unwinding) noexcept {
  while (Pending* const pending = all.first()) {
    pending->leave();
    std::exchange(pending->owner_, nullptr)
        ->abandon(pending->ticket_, unwinding, pending->call_, pending->where_);
  }
}

std::optional<std::size_t> wait_any(std::span<Pending> pending, Where where) {
  boost::container::small_vector<std::uint64_t, 16> tickets;
  boost::container::small_vector<std::size_t, 16> places;
  Processor* owner = nullptr;
  for (std::size_t i = 0; i < pending.size(); ++i) {
    Processor* const own = pending[i].owner_;
    if (own == nullptr) continue;
    if (owner != nullptr && own != owner) throw_of_two(owner->id(), own->id(), where);
    owner = own;
    tickets.push_back(pending[i].ticket_);
    places.push_back(i);
  }
  if (owner == nullptr) return std::nullopt;
  const std::size_t place = places[owner->finish_any({tickets.data(), tickets.size()}, where)];
  pending[place].owner_ = nullptr;
  pending[place].leave();
  return place;
}

void wait_all(std::span<Pending> pending) {
  for (Pending& one : pending) one.wait();
}

}  // namespace postroom
