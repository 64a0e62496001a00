// Small lists that come from one processor or go to one, where processors share threads: two pages
// of memory for each thread, into which its processors write and from which all read.
//
// All processors make the same calls in the same order. So each knows by itself which number a call
// has, and where on a page its slot lies: at the same place for all threads. From a root: the root
// writes its list into the slot of its thread and counts the call as made; the others wait for that
// count and read. To a root: each writes its list into the slot of its thread; the last of a thread
// counts the call as made by all, for which the root waits. Nobody waits for anything else. So who
// runs may go on for many calls before others are switched to; and a thread that lags behind sees
// many calls by one look at a count, and several lists in one line.
//
// When a page is full, each turns to the other one. That was used before; it may be written when
// all processors have left it, that is when all threads have turned to the page that is full now.
//
// The first of a thread that comes to a call leaves a mark: which call it is, root and size
// included (runtime/rooted_call.h), and where its slot begins. The others of the thread compare
// before they write, those of other threads before they use what they read. A mark stands at a
// place that does not depend on what was called before. So who has made other calls than a thread
// looks at a mark there, too, if at another one, and never at a list that is being written.
//
// Fields, their writer and their line:
//   a member: `made`, where it stands   its processor; others look at `made`
//   turned, made_by_all                 the own thread; others look
//   pages, marks                        the own thread; others read what was counted as made
//   where the pages lie                 nobody, beside what the own thread counts; others look
//   the rest                            the own thread only
// Who may call: turned, made_by_all, made, mark_of, read, list: anyone. Everything else: the thread
// that owns the slots. Progress: nothing here waits; the waits are those of runtime/wait.h.
// Cost: a list is copied twice; no read-modify-write. Memory: 128 KiB for each thread.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "numa/cacheline.h"
#include "numa/rounding.h"
#include "runtime/atomics.h"
#include "runtime/copy.h"

namespace postroom {

template <class Atomics = StdAtomics, std::uint32_t kCallsOfPage = 64,
          std::size_t kPageBytes = std::size_t{64} << 10>
class Slots {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  /// What callers mark a call with has so many bits; the rest of a mark says where the slot begins.
  static constexpr int kMarkBits = 50;
  /// Of the lists in one slot.
  static constexpr std::size_t kMostBytes = kPageBytes / 4;

  /// The same for all processors in the same call.
  struct Slot {
    std::uint64_t mark;
    std::uint32_t number;  ///< of the call
    std::uint32_t place;   ///< of the slot, among the calls of both pages
    std::size_t begin;     ///< of what is in it, among the bytes of both pages

    /// What a caller has marked the call of `other` with; 2^kMarkBits or more where that one's slot
    /// begins elsewhere.
    std::uint64_t callers_mark(std::uint64_t other) const noexcept {
      return other ^ mark >> kMarkBits << kMarkBits;
    }
  };

  /// A processor, and where it stands.
  class alignas(kNoSharing) Member {
   public:
    /// Whether the slot of a call with so many bytes lies on the next page.
    bool page_is_full(std::size_t bytes) const noexcept {
      return calls_ == kCallsOfPage || used_ + footprint(bytes) > kPageBytes;
    }
    std::uint32_t page() const noexcept { return page_; }
    /// What made() reaches when a processor has made a call on this page.
    std::uint32_t made_on_page() const noexcept { return number_ - calls_ + 1; }
    void turn() noexcept {
      ++page_;
      calls_ = 0;
      used_ = 0;
    }
    std::uint32_t next_number() const noexcept { return number_; }
    /// The slot of the next call. Preconditions: not page_is_full(bytes), mark < 2^kMarkBits.
    Slot next(std::size_t bytes, std::uint64_t mark) noexcept {
      const std::uint32_t side = page_ % 2;
      const Slot slot{mark | std::uint64_t{used_ / kAlignment} << kMarkBits, number_,
                      side * kCallsOfPage + calls_, side * kPageStride + used_};
      ++number_;
      ++calls_;
      used_ += footprint(bytes);
      history_ = (history_ ^ mark) * kScatter;
      return slot;
    }
    /// The processor is through with the call of next().
    void make() noexcept {
      // (1) What a root has written is seen by who waits for it, wait.h (1). News of Parker::wake.
      made_.store(number_, std::memory_order_release);
    }
    /// Reaches number + 1 when that call has been made. (1)
    const Word& made() const noexcept { return made_; }
    /// Tells apart, but for a chance of 2^-64, who have made different calls.
    std::uint64_t history() const noexcept { return history_; }
    /// Forgets everything. Between runs only.
    void clear() noexcept {
      made_.store(0, std::memory_order_relaxed);  // Relaxed: nobody looks.
      number_ = 0;
      page_ = 0;
      calls_ = 0;
      used_ = 0;
      history_ = 0;
    }

   private:
    Word made_{0};
    std::uint32_t number_ = 0;
    std::uint32_t page_ = 0;
    std::uint32_t calls_ = 0;  // made on this page
    std::size_t used_ = 0;
    std::uint64_t history_ = 0;
  };

  /// Of a thread with so many processors; without pages where nobody makes such calls.
  Slots(int processors, bool has_pages)
      : processors_(static_cast<std::uint32_t>(processors)),
        lines_(has_pages ? 2 * kPageStride / kCacheLine : 0) {}

  // --- Pages.

  /// A processor of this thread turns to `page`, on which call `number` is the first. True: all
  /// have, and turned() was moved.
  bool turn(std::uint32_t page, std::uint32_t number) noexcept {
    std::uint32_t& come = come_to_page_[page % 2];
    if (++come < processors_) return false;
    come = 0;
    forget_before(number);
    // (2) All of this thread have read what they wanted from the page before; pairs with the load
    // of who waits to write there, wait.h (1). News of Parker::wake.
    told_.turned.store(page, std::memory_order_release);
    return true;
  }
  /// The page to which all of this thread have turned. (2)
  const Word& turned() const noexcept { return told_.turned; }

  // --- Calls.

  /// `processor` comes to a call. Returns who of this thread came first, and marked it.
  int come(const Slot& slot, int processor) noexcept {
    Record& record = records_[slot.place];
    if (record.come_for != slot.number + 1) {
      record.come_for = slot.number + 1;
      record.first = processor;
      // Relaxed: (1) and (3) come after it.
      marks_[slot.place].store(slot.mark, std::memory_order_relaxed);
    }
    return record.first;
  }
  /// The slot's own mark where this thread has made the same call and its slot begins there, too;
  /// another one where not. Precondition: somebody of this thread has come to the call, as its
  /// made() says.
  std::uint64_t mark_of(const Slot& slot) const noexcept {
    // Relaxed: who asks has seen (1) or (3), or is of this thread. Who has made other calls may see
    // a mark that is written meanwhile; each of them is another one.
    return marks_[slot.place].load(std::memory_order_relaxed);
  }
  /// Writes into the slot, `offset` bytes from its beginning.
  void write(const Slot& slot, std::size_t offset, std::span<const std::byte> data) noexcept {
    Atomics::writes(list(slot, offset), data.size());
    copy_small(list(slot, offset), data.data(), data.size());
  }
  void read(const Slot& slot, std::size_t offset, std::span<std::byte> data) const noexcept {
    Atomics::reads(list(slot, offset), data.size());
    copy_small(data.data(), list(slot, offset), data.size());
  }
  /// What lies in the slot, `offset` bytes from its beginning; aligned to 16 bytes.
  std::byte* list(const Slot& slot, std::size_t offset) noexcept {
    return lines_.front().bytes.data() + slot.begin + offset;
  }
  const std::byte* list(const Slot& slot, std::size_t offset) const noexcept {
    return lines_.front().bytes.data() + slot.begin + offset;
  }

  /// How many of this thread have still to leave the call.
  std::uint32_t missing(const Slot& slot) noexcept {
    return processors_ - records_[slot.place].left;
  }
  /// A processor is through with a call. The last one to leave it counts it as made by all.
  void leave(const Slot& slot) noexcept {
    Record& record = records_[slot.place];
    if (++record.left < processors_) return;
    record.left = 0;
    // (3) What all of this thread have written is seen by a root, wait.h (1). News of Parker::wake.
    told_.made_by_all.store(slot.number + 1, std::memory_order_release);
  }
  /// Reaches number + 1 when all of this thread have left that call. (3)
  const Word& made_by_all() const noexcept { return told_.made_by_all; }
  /// All of this thread but its root have left the call.
  void leave_to_root(const Slot& slot) noexcept {
    // Relaxed: moved and looked at by the own thread only.
    left_to_root_.store(slot.number + 1, std::memory_order_relaxed);
  }
  /// Reaches number + 1 then.
  const Word& left_to_root() const noexcept { return left_to_root_; }

  // --- What this thread knows of a root, so that it need not look at its line in each call.

  bool knows(int root, std::uint32_t number) const noexcept {
    return root == known_root_ && reached(known_made_, number + 1);
  }
  /// `made` as it was loaded with acquire.
  void learn(int root, std::uint32_t made) noexcept {
    known_root_ = root;
    known_made_ = made;
  }
  /// Forgets everything. Between runs only.
  void clear() noexcept {
    for (Word* word : {&told_.turned, &told_.made_by_all, &left_to_root_}) {
      word->store(0, std::memory_order_relaxed);  // Relaxed: nobody looks.
    }
    for (auto& mark : marks_) mark.store(0, std::memory_order_relaxed);  // Relaxed: as above.
    come_to_page_ = {};
    records_ = {};
    records_checked_ = 0;
    learn(-1, 0);
  }

 private:
  static constexpr std::size_t kAlignment = 16;
  static constexpr std::size_t kPageStride = kPageBytes + kCacheLine;
  static constexpr std::uint64_t kScatter = 0x9e3779b97f4a7c15;  // odd

  /// Of a call, for those of this thread.
  struct Record {
    std::uint32_t come_for = 0;  // the number of the call to which somebody has come, and 1
    std::uint32_t left = 0;
    int first = 0;
  };
  struct alignas(kCacheLine) Line {
    std::array<std::byte, kCacheLine> bytes;
  };
  static_assert(sizeof(Line) == kCacheLine && kPageStride % kCacheLine == 0,
                "slots lie on whole lines, and no two pages on one");
  static_assert(sizeof(Member) == kNoSharing, "a member has a line of its own");
  struct alignas(kNoSharing) ToldLine {
    Word turned{0};
    Word made_by_all{0};
  };
  static_assert(sizeof(ToldLine) == kNoSharing, "what others look at has a line of its own");

  static constexpr std::size_t footprint(std::size_t bytes) noexcept {
    return round_up(bytes, kAlignment);
  }

  // All calls before `number` are over. What is moved or learned in some calls only would, left
  // alone for 2^31 of them, seem to be ahead; and a place that no page has come to for 2^32 of
  // them, to belong to the call that comes to it then.
  void forget_before(std::uint32_t number) noexcept {
    known_root_ = -1;
    if (number - records_checked_ >= kRecordsGoodFor) [[unlikely]] {
      records_checked_ = number;
      for (Record& record : records_) {
        if (!reached(record.come_for, number)) record.come_for = number;
      }
    }
    // Relaxed: moved and looked at by the own thread only.
    if (reached(left_to_root_.load(std::memory_order_relaxed), number)) return;
    left_to_root_.store(number, std::memory_order_relaxed);  // relaxed: as above
  }
  static constexpr std::uint32_t kRecordsGoodFor = std::uint32_t{1} << 30;  // in calls
  static_assert(kPageBytes / kAlignment < std::uint64_t{1} << (64 - kMarkBits));

  const std::uint32_t processors_;
  int known_root_ = -1;
  std::uint32_t known_made_ = 0;
  std::array<std::uint32_t, 2> come_to_page_{};
  Word left_to_root_{0};
  std::vector<Line> lines_;
  std::array<Record, 2 * kCallsOfPage> records_{};
  std::uint32_t records_checked_ = 0;  // before which call
  alignas(kNoSharing)
      std::array<typename Atomics::template Atomic<std::uint64_t>, 2 * kCallsOfPage> marks_{};
  ToldLine told_;
};

}  // namespace postroom
