#include "runtime/processor.h"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <exception>
#include <stdexcept>
#include <string>

#include "runtime/errors.h"

namespace postroom {
namespace {

[[noreturn]] void throw_takes_no_turns(const char* call) {
  throw std::logic_error(std::string(call) + ": these processors do not take turns");
}

[[noreturn]] void throw_of_two(int one, int other, Where where) {
  throw std::invalid_argument("wait_any: what processors " + std::to_string(one) + " and " +
                              std::to_string(other) +
                              " have started is not allowed; what one of them has (" +
                              where.file_name() + ":" + std::to_string(where.line()) + ")");
}

[[noreturn]] void throw_shares_no_memory(const char* call) {
  throw std::logic_error(std::string(call) + ": these processors share no memory");
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

Borrowed::Borrowed(Borrowed&& other) noexcept
    : remote_(std::exchange(other.remote_, nullptr)),
      place_(std::exchange(other.place_, nullptr)),
      size_(std::exchange(other.size_, 0)),
      borrower_(std::exchange(other.borrower_, nullptr)),
      loan_(other.loan_),
      use_(other.use_),
      lender_(other.lender_),
      copy_(std::move(other.copy_)),
      held_(other.held_) {
  take_place_of(other);
}

Borrowed& Borrowed::operator=(Borrowed&& other) noexcept {
  if (this != &other) {
    give_back();
    take_place_of(other);
    remote_ = std::exchange(other.remote_, nullptr);
    place_ = std::exchange(other.place_, nullptr);
    size_ = std::exchange(other.size_, 0);
    borrower_ = std::exchange(other.borrower_, nullptr);
    loan_ = other.loan_;
    use_ = other.use_;
    lender_ = other.lender_;
    copy_ = std::move(other.copy_);
    held_ = other.held_;
  }
  return *this;
}

void Borrowed::hold(ConstBytes message) {
  size_ = message.size();
  if (size_ <= kInlineBytes) {
    std::ranges::copy(message, held_.begin());
    return;
  }
  copy_ = std::make_unique_for_overwrite<std::byte[]>(size_);
  std::ranges::copy(message, copy_.get());
  remote_ = copy_.get();
}

void Processor::read_bytes(int source, std::size_t bytes, Reader reader, Where where) {
  const Borrowed message = borrow_bytes(source, where);
  if (message.bytes().size() != bytes) {
    throw_size_mismatch(operation(), "read", source, message.bytes().size(), bytes, where);
  }
  reader.call(reader.context, message.bytes());
}

Pending Processor::lend_both_bytes(int, ConstBytes, Bytes, Where) {
  throw_shares_no_memory("lend_both");
}

void Processor::work_together(Pool::Call call, const Pool::Lists&, PoolWork, const void*, Where) {
  throw_takes_no_turns(call.name);
}

void Processor::hand_out(const RootedCall& call, ConstBytes, std::size_t, std::size_t, Bytes,
                         Where) {
  throw_takes_no_turns(call.name());
}

void Processor::hand_in(const RootedCall& call, ConstBytes, Bytes, Fold, Where) {
  throw_takes_no_turns(call.name());
}

void Borrowed::give_back() noexcept {
  if (borrower_ == nullptr) return;
  borrower_->return_loan(*this);
  leave();
  borrower_ = nullptr;
  remote_ = nullptr;
  place_ = nullptr;
  size_ = 0;
}

void Borrowed::give_all_back(List& all) noexcept {
  while (Borrowed* const borrowed = all.first()) borrowed->give_back();
}

}  // namespace postroom
