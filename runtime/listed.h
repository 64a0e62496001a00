// Objects that stand in a list of whoever made them, wherever their holder keeps or moves them to:
// so the maker finds all that are left.
//
// The list is made of the objects themselves, so that nothing is allocated; the last one to come
// stands first. An object has to leave before it is destroyed.
//
// Who may call: one thread at a time, for a list and all that stand in it. Cost: some stores.
//
//   class Ticket : private Listed<Ticket> { … };
//   Ticket::List out;   // outlives those that stand in it
#pragma once

namespace postroom {

template <class T>
class Listed {
 public:
  class List {
   public:
    List() = default;
    List(const List&) = delete;
    List& operator=(const List&) = delete;

    /// Null when it is empty.
    T* first() const noexcept { return static_cast<T*>(first_); }

   private:
    friend class Listed;
    Listed* first_ = nullptr;
  };

  Listed(const Listed&) = delete;
  Listed& operator=(const Listed&) = delete;

 protected:
  Listed() = default;  // in no list
  ~Listed() = default;

  /// Precondition of both: it stands in no list.
  void enter(List& list) noexcept {
    next_ = list.first_;
    if (next_ != nullptr) next_->here_ = &next_;
    here_ = &list.first_;
    list.first_ = this;
  }
  void take_place_of(Listed& other) noexcept {
    if (other.here_ == nullptr) return;
    next_ = other.next_;
    here_ = other.here_;
    other.here_ = nullptr;
    *here_ = this;
    if (next_ != nullptr) next_->here_ = &next_;
  }
  void leave() noexcept {
    if (here_ == nullptr) return;
    *here_ = next_;
    if (next_ != nullptr) next_->here_ = here_;
    here_ = nullptr;
  }

 private:
  Listed* next_;             // in a list only
  Listed** here_ = nullptr;  // what points to this; null: in no list
};

}  // namespace postroom
