// Memory that one processor has lent to another.
//
// Who may call: the program that has borrowed it, on its own stack.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>

#include "runtime/elements.h"
#include "runtime/listed.h"

namespace postroom {

class Processor;

/// Memory of another processor, to be read until it is given back: at the latest by the destructor,
/// or, where this object outlives it, by the end of the program that borrowed. From then on it is
/// empty, whatever becomes of the machine; until then nobody but that program may move or destroy
/// it. The lender must not write the memory meanwhile. It cannot tell whether a destructor has
/// given it back because of an exception that the program catches.
///
/// A message that travelled inside the mailbox is held in here, so the address of bytes() changes
/// when this object is moved; one of more than kInlineBytes lies in memory allocated for it.
class [[nodiscard]] Borrowed : private Listed<Borrowed> {
 public:
  using Listed<Borrowed>::List;

  static constexpr std::size_t kInlineBytes = 48;

  Borrowed() = default;
  Borrowed(Borrowed&& other) noexcept;
  Borrowed& operator=(Borrowed&& other) noexcept;
  ~Borrowed() { give_back(); }

  ConstBytes bytes() const& noexcept {
    return {remote_ != nullptr ? remote_ : held_.data(), size_};
  }
  ConstBytes bytes() && = delete;  // a temporary ends too early: give it a name
  /// The bytes as elements. Precondition: the lender lent whole, aligned elements of type T.
  template <class T>
  requires std::is_trivially_copyable_v<T> std::span<const T> as()
  const& noexcept { return {reinterpret_cast<const T*>(bytes().data()), size_ / sizeof(T)}; }
  template <class T>
  void as() && = delete;  // a temporary ends too early: give it a name
  /// What was lent to be written with it, of the same size; else empty.
  Bytes place() const noexcept { return {place_, place_ != nullptr ? size_ : 0}; }
  /// Copies `from`, of the same size, into what was lent, and gives it back. A lender that waits
  /// for the return of much copies as well. `whole`: how large the list is that this is a part of.
  /// Does nothing where there is nothing to give back. Preconditions: lent by Processor::lend_bytes
  /// from memory that the lender says may be written.
  void fill(ConstBytes from, std::size_t whole) noexcept;
  /// Ends the loan: the lender may write or free the memory again. Does nothing the second time.
  void give_back() noexcept;

  /// For implementations of Processor: gives all of these back.
  static void give_all_back(List& all) noexcept;

 private:
  friend Listed<Borrowed>;
  friend class Processor;
  friend class MailboxProcessor;
  friend class LightProcessor;

  /// Keeps a copy of a message that was not lent.
  void hold(ConstBytes message);

  const std::byte* remote_ = nullptr;  // null: in held_
  std::byte* place_ = nullptr;
  std::size_t size_ = 0;
  Processor* borrower_ = nullptr;  // not null while there is something to give back
  void* loan_ = nullptr;           // which of the lender's
  std::uint32_t use_ = 0;          // of the loan
  int lender_ = 0;
  std::unique_ptr<std::byte[]> copy_;  // of a message that does not fit into held_
  alignas(16) std::array<std::byte, kInlineBytes> held_{};
};

}  // namespace postroom
