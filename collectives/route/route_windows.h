// Windows: each processor opens a piece of its memory to each other one for writing.
//
// For programs in shared memory that put data straight into their final place. While windows are
// open a processor writes into the pieces that were opened to it, its own among them, and touches
// nothing else of what it opened; after close() all that the others wrote is there.
//
// Memory and failure. A window is lent (Processor::lend) and the writer holds the loan until its
// own close(). So the lender cannot get past close() while somebody may still write; and where an
// exception unwinds the lender, its loans stop the machine and wait for those who hold them, who
// give back when they are unwound or close. Nobody ever writes into memory that is gone, provided
// that what is opened outlives this object: declare it before. This object gives back what it holds
// before it waits for what it lent, or two processors that fail would wait for each other.
//
// Called by all processors, and closed by all: both wait. One that is not closed, because of an
// exception, stops the machine. Cost: p - 1 loans of 24 bytes out and in for each processor, all
// under way at once; nothing is copied. Errors: std::invalid_argument where processors do not share
// memory, or for not exactly p pieces; SizeMismatchError or DisagreementError where another
// processor is in another call, or has elements of another size.
//
//   std::vector<std::span<Key>> pieces = …;   // pieces[i]: where processor i may write
//   Windows<Key> windows(self, pieces);
//   windows[target][position] = key;          // written into processor target's memory
//   windows.close();
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

#include "collectives/models/cost.h"
#include "collectives/parts/counted_on.h"
#include "runtime/errors.h"
#include "runtime/processor.h"

namespace postroom {

/// What the trace counts for opening and closing windows.
Cost windows_cost(int processors);

/// No message of another call has this and the size of an element: what is taken for a window is
/// written to.
inline constexpr std::uint64_t kMarkOfWindows = 0xd1b5'4a32'd192'ed03;
[[noreturn]] void throw_no_window(int lender, Where where);

/// Throws std::invalid_argument unless windows may be opened.
void check_windows(const Processor& self, std::size_t pieces);

template <class T>
requires std::is_trivially_copyable_v<T>
class Windows {
 public:
  /// pieces[i] is opened to processor i; pieces[self.id()] to this one. They may not overlap where
  /// two processors write.
  Windows(Processor& self, std::span<const std::span<T>> pieces, Where where = Where::current())
      : opened_(checked(self, pieces)), counted_on_(self, where) {
    const Operation operation(self, operation_or(self, "windows"));
    const int p = self.count();
    to_write_.resize(opened_.size());
    loans_.reserve(opened_.size());
    borrowed_.reserve(opened_.size());
    // Each begins with its neighbour, so that not all ask the same one first.
    for (int step = 1; step < p; ++step) {
      const int writer = (self.id() + step) % p;
      loans_.push_back(self.lend_bytes(writer, bytes(opened_[index(writer)]), where));
    }
    to_write_[index(self.id())] = opened_[index(self.id())];
    for (int step = 1; step < p; ++step) {
      const int lender = (self.id() + p - step) % p;
      borrowed_.push_back(self.borrow_bytes(lender, where));
      const ConstBytes piece = borrowed_.back().bytes();
      if (piece.size() != sizeof(Piece)) {
        throw_size_mismatch(self.operation(), "borrow", lender, piece.size(), sizeof(Piece), where);
      }
      to_write_[index(lender)] = borrowed_.back().template as<Piece>().front();
      if (to_write_[index(lender)].mark != Piece().mark) throw_no_window(lender, where);
    }
  }
  Windows(const Windows&) = delete;
  Windows& operator=(const Windows&) = delete;

  /// What `processor` opened to this one.
  std::span<T> operator[](int processor) const noexcept {
    const Piece& piece = to_write_[index(processor)];
    return {piece.data, piece.size};
  }

  /// Ends this processor's writing and waits until the others have ended theirs in its memory.
  void close() {
    counted_on_.end();
    borrowed_.clear();
    for (Pending& loan : loans_) loan.wait();
    loans_.clear();
  }

 private:
  struct Piece {
    T* data = nullptr;
    std::size_t size = 0;
    std::uint64_t mark = kMarkOfWindows + sizeof(T);
  };
  static std::size_t index(int processor) noexcept { return static_cast<std::size_t>(processor); }
  static ConstBytes bytes(const Piece& piece) noexcept {
    return std::as_bytes(std::span<const Piece, 1>(&piece, 1));
  }
  static std::vector<Piece> checked(const Processor& self, std::span<const std::span<T>> pieces) {
    check_windows(self, pieces.size());
    std::vector<Piece> opened;
    opened.reserve(pieces.size());
    for (const std::span<T> piece : pieces) opened.push_back({piece.data(), piece.size()});
    return opened;
  }

  std::vector<Piece> opened_;  // lent: read by the others
  std::vector<Piece> to_write_;
  std::vector<Pending> loans_;
  std::vector<Borrowed> borrowed_;  // given back before that
  CountedOn counted_on_;            // the last member
};

}  // namespace postroom
