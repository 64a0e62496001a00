#include "runtime/borrowed.h"

#include <algorithm>
#include <utility>

#include "runtime/processor.h"

namespace postroom {

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

void Borrowed::fill(ConstBytes from, std::size_t whole) noexcept {
  if (borrower_ == nullptr) return;
  borrower_->fill_loan(*this, from, whole);
  give_back();
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
