// The mailbox of one ordered pair of processors: a queue with one sender and one receiver.
//
// It is a ring of cells, each one cache line that holds the flag and a small payload together, so a
// small message moves a single line from core to core. A message of up to kNoteBytes is copied into
// one of a few notes, larger memory of the mailbox's own, as long as one is free. Any other is a
// reference to the sender's memory. The ring starts small and is replaced by one of twice the size
// when it is full, so posting never waits; memory follows the largest backlog there ever was.
//
// Cell n of the message sequence lies at n & mask. Its `sequence` is, modulo 2^32,
//   <= n       empty (the value left by an earlier use of the cell), the sender may write
//   n + 1      filled, the receiver may read
// and the sender knows from `taken` that the receiver is through with the cell's earlier use. The
// last free cell of a ring is kept for the jump: a cell that points to the larger ring in which the
// sequence goes on.
//
// Note n & (kNotes - 1) belongs to cell n, so it is free again when that cell has been taken, which
// the sender knows from `taken`, too. A reference has to be returned by the receiver, which takes
// another line from core to core; notes save that for messages of some lines.
//
// Two processors that have a core each share one more line, for both directions: small answers go
// there and never through the ring (runtime/duplex_line.h).
//
// Fields, their writer and their line:
//   sender line     ring, position, known_taken,    sender only
//                   where the notes are and how
//                   they are written
//   receiver line   ring, position, the notes       receiver only
//   taken line      taken, credit                   receiver writes, sender reads now and then
//   cell            sequence, header, payload       sender writes, receiver reads
//   note                                            sender writes, receiver reads
//
// Who may call: post_*, backlog: the sender's thread. front, take: the receiver's thread.
// Progress: posting and taking are lock-free (wait-free but for the allocation of a larger ring).
// Cost: one line moved for a small message, one more in half a ring for `taken`. What other
// mailboxes took: docs/eight_bytes.md.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <memory_resource>
#include <span>

#include "numa/cacheline.h"
#include "numa/cpu_model.h"
#include "numa/demote.h"
#include "numa/prefetch.h"
#include "runtime/atomics.h"
#include "runtime/clock.h"
#include "runtime/copy.h"
#include "runtime/duplex_line.h"

namespace postroom {

/// What travels beside a message when its machine keeps time or a trace.
struct Stamp {
  Time arrival = 0;
  std::uint32_t round = 0;  ///< below 2^24
};

/// Credit is given once in `kCreditCells` cells.
template <class Atomics = StdAtomics, std::uint32_t kCreditCells = 4096>
class Mailbox {
 public:
  using Word = typename Atomics::template Atomic<std::uint32_t>;

  static constexpr std::size_t kInlineBytes = 48;
  static constexpr std::size_t kNoteBytes = 1024;
  static constexpr std::uint32_t kNotes = 8;
  static constexpr std::uint32_t kFirstCells = 8;
  static constexpr std::uint32_t kCreditStep = kCreditCells;

  /// A message in the sender's memory. `returned` is set to `use` when it has been read.
  struct Reference {
    const std::byte* data;
    std::size_t bytes;
    void* loan;
    std::uint32_t use;
    std::byte* place = nullptr;  // where as many bytes may be written; or null
  };
  static_assert(sizeof(Reference) <= kInlineBytes && std::is_trivially_copyable_v<Reference>);

  /// Stamps have rounds below this.
  static constexpr std::uint32_t kRounds = std::uint32_t{1} << 24;

  /// The line that the two share for both directions, or none. With a line, no stamps.
  using LineEnd = typename DuplexLine<Atomics>::End;
  struct LineEnds {
    LineEnd* senders = nullptr;
    LineEnd* receivers = nullptr;
    bool cores_apart = false;  // of the two
  };

  /// `first_cells` and `notes` are powers of two. Cells and notes lie in `memory`, best near the
  /// receiver. As if `taken` messages had been posted and taken before.
  explicit Mailbox(std::uint32_t first_cells = kFirstCells, std::uint32_t notes = kNotes,
                   std::pmr::memory_resource* memory = std::pmr::get_default_resource(),
                   LineEnds line = {}, std::uint64_t taken = 0)
      : sender_{.ring = new_ring(first_cells, taken, memory),
                .position = taken,
                .known_taken = taken,
                .note_count = notes,
                .steers_notes = line.cores_apart && is_intel(),
                .memory = memory,
                .line = line.senders},
        receiver_{.ring = sender_.ring,
                  .position = taken,
                  .credited = taken,
                  .note_count = notes,
                  .memory = memory,
                  .line = line.receivers},
        taken_{.taken{taken}, .credit{static_cast<std::uint32_t>(taken)}} {}
  ~Mailbox() {
    // Messages that nobody received may lie before the jumps.
    for (; receiver_.ring.cells != sender_.ring.cells; ++receiver_.position) {
      if (kind_of(receiver_.ring.cell(receiver_.position)) == Kind::kJump) enter_next_ring();
    }
    delete_ring(receiver_.ring, receiver_.memory);
    if (sender_.notes != nullptr) delete_array(sender_.notes, sender_.note_count, sender_.memory);
  }
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;

  // --- Sender.

  /// Posts a small message and returns the word that the receiver may be waiting on. Precondition:
  /// data.size() <= kInlineBytes.
  const Word& post_inline(std::span<const std::byte> data, Stamp stamp = {}) {
    if (sender_.line != nullptr && data.size() <= DuplexLine<Atomics>::kBytes &&
        sender_.line->answers()) {
      return sender_.line->post(data);
    }
    return post(Kind::kInline, data.data(), data.size(), stamp);
  }
  /// Whether a note is free for a message of `bytes` bytes.
  bool has_note(std::size_t bytes) noexcept {
    const auto ahead = [this] { return sender_.position + 1 - sender_.known_taken; };  // of a jump
    if (bytes > kNoteBytes) return false;
    if (ahead() >= sender_.note_count) refresh_taken();
    return ahead() < sender_.note_count;
  }
  /// The same as post_inline for a larger message. Precondition: has_note(data.size()).
  [[gnu::noinline]] const Word& post_note(std::span<const std::byte> data, Stamp stamp = {}) {
    if (free_cells() <= 1) grow(stamp);  // before: the note is that of the cell
    if (sender_.notes == nullptr) {
      sender_.notes = new_array<Note>(sender_.note_count, sender_.memory);
    }
    Note& note = next_note(sender_);
    if (sender_.steers_notes) {
      ask_for(note, data.size());
      prefetch_next();
    }
    Atomics::writes(note.bytes.data(), data.size());
    copy_small(note.bytes.data(), data.data(), data.size());
    const Noted noted{sender_.notes, data.size()};
    const Word& word = post(Kind::kNote, &noted, sizeof(noted), stamp);
    if (sender_.steers_notes) {
      demote_lines(note.bytes.data(), data.size());
      ask_for(next_note(sender_), data.size());
    }
    return word;
  }
  /// The same with a reference; the memory must stay until the loan is returned.
  const Word& post_reference(const Reference& reference, Stamp stamp = {}) {
    return post(Kind::kReference, &reference, sizeof(reference), stamp);
  }
  /// How many messages were posted in the ring so far; jumps count as well.
  std::uint64_t posted() const noexcept { return sender_.position; }
  /// How many cells at most the receiver has not taken yet, as far as the sender knows: not by a
  /// look at the receiver's line, which would take it away from its writer with each message.
  std::uint64_t backlog() const noexcept { return sender_.position - sender_.known_taken; }
  /// The same by such a look.
  std::uint64_t true_backlog() noexcept {
    refresh_taken();
    return backlog();
  }
  /// Follows what the receiver has taken (modulo 2^32), less than kCreditStep behind; to wait on
  /// when too much is under way.
  const Word& credit() const noexcept { return taken_.credit; }  // (6)

  /// Whether the receiver has taken everything before `position`. Any thread.
  bool has_taken(std::uint64_t position) const noexcept {
    return taken_.taken.load(std::memory_order_acquire) >= position;  // (5) pairs with (4)
  }

  // --- Receiver.

  struct Message {
    Stamp stamp;
    std::span<const std::byte> payload;  // in the mailbox, or in the sender's memory
    void* loan;                          // of a reference; else null
    std::uint32_t use;                   // of the loan
    std::byte* place;                    // likewise
  };

  /// The word to wait on for the next message, and the value that it must reach; and the line where
  /// it may come instead, or null.
  const Word& next_word() const noexcept {
    return receiver_.ring.cell(receiver_.position).sequence;
  }
  std::uint32_t next_value() const noexcept {
    return static_cast<std::uint32_t>(receiver_.position + 1);
  }
  const LineEnd* line() const noexcept { return may_be_in_line() ? receiver_.line : nullptr; }

  /// Whether a message is there; follows jumps.
  bool try_front() {
    for (;;) {
      Cell& cell = receiver_.ring.cell(receiver_.position);
      // (2) pairs with the store (1): the payload is read after it was written.
      const bool filled = reached(cell.sequence.load(std::memory_order_acquire), next_value());
      // After that look: a message in the line that came before the cell was filled is seen here.
      receiver_.in_line = may_be_in_line() && receiver_.line->has_message();
      if (receiver_.in_line) return true;
      if (!filled) return false;
      Atomics::reads(&cell.header, kGuardedBytes);
      if (kind_of(cell) != Kind::kJump) return true;
      enter_next_ring();
      advance();
    }
  }
  /// The message at the front. Precondition: try_front() was true. Valid until take().
  Message front() {
    if (receiver_.in_line) return {{}, receiver_.line->front(), nullptr, 0, nullptr};
    const Cell& cell = receiver_.ring.cell(receiver_.position);
    Atomics::reads(&cell.header, kGuardedBytes);
    const Stamp stamp{cell.arrival, cell.header >> kRoundShift};
    if (kind_of(cell) == Kind::kInline) {
      return {stamp,
              {cell.payload.data(), (cell.header >> kKindBits) & kInlineMask},
              nullptr,
              0,
              nullptr};
    }
    if (kind_of(cell) == Kind::kNote) {
      Noted noted;
      std::memcpy(&noted, cell.payload.data(), sizeof(noted));
      if (receiver_.notes == nullptr) receiver_.notes = noted.notes;  // the same from now on
      const Note& note = next_note(receiver_);
      Atomics::reads(note.bytes.data(), noted.bytes);
      return {stamp, {note.bytes.data(), noted.bytes}, nullptr, 0, nullptr};
    }
    Reference reference;
    std::memcpy(&reference, cell.payload.data(), sizeof(reference));
    return {
        stamp, {reference.data, reference.bytes}, reference.loan, reference.use, reference.place};
  }
  /// Ends the use of the front cell. Returns true when the sender may be waiting for credit and is
  /// to be woken.
  [[nodiscard]] bool take() noexcept {
    if (receiver_.in_line) {
      receiver_.line->take();
      return false;
    }
    if (receiver_.line != nullptr) {
      const Time others_taken = receiver_.ring.cell(receiver_.position).arrival;
      receiver_.line->take_from_ring(static_cast<std::uint64_t>(others_taken));
    }
    advance();
    if (receiver_.position - receiver_.credited < kCreditStep) return false;
    receiver_.credited = receiver_.position;
    // (6) The news of Parker::wake; pairs with what the sender sees through credit() (6).
    taken_.credit.store(static_cast<std::uint32_t>(receiver_.position), std::memory_order_release);
    return true;
  }

 private:
  enum class Kind : std::uint32_t { kInline = 0, kReference = 1, kJump = 2, kNote = 3 };
  // header = round << 8 | inline bytes << 2 | kind
  static constexpr unsigned kKindBits = 2;
  static constexpr unsigned kRoundShift = 8;
  static_assert(kRounds == std::uint32_t{1} << (32 - kRoundShift));
  static constexpr std::uint32_t kInlineMask = 63;

  struct alignas(kCacheLine) Cell {
    Word sequence;
    std::uint32_t header;
    Time arrival;  // with a line: DuplexLine::End::sends_in_ring()
    std::array<std::byte, kInlineBytes> payload;
  };
  static constexpr std::size_t kGuardedBytes = sizeof(std::uint32_t) + sizeof(Time) + kInlineBytes;

  struct Ring {
    Cell* cells;
    std::uint32_t mask;
    Cell& cell(std::uint64_t position) const noexcept { return cells[position & mask]; }
    std::uint32_t size() const noexcept { return mask + 1; }
  };
  struct alignas(kCacheLine) Note {
    std::array<std::byte, kNoteBytes> bytes;
  };
  struct Noted {
    Note* notes;  // all of them
    std::size_t bytes;
  };
  static_assert(sizeof(Ring) <= kInlineBytes && std::is_trivially_copyable_v<Ring>);

  struct alignas(kNoSharing) SenderLine {
    Ring ring;
    std::uint64_t position = 0;
    std::uint64_t known_taken = 0;
    std::uint32_t note_count = 0;
    bool steers_notes = false;  // asks for their lines and gives them away
    Note* notes = nullptr;      // made when first needed
    std::pmr::memory_resource* memory = nullptr;
    LineEnd* line = nullptr;
  };
  struct alignas(kNoSharing) ReceiverLine {
    Ring ring;
    std::uint64_t position = 0;
    std::uint64_t credited = 0;
    std::uint32_t note_count = 0;
    bool in_line = false;   // where the message at the front is
    Note* notes = nullptr;  // known since the first one came
    std::pmr::memory_resource* memory = nullptr;
    LineEnd* line = nullptr;
  };
  struct alignas(kNoSharing) TakenLine {
    typename Atomics::template Atomic<std::uint64_t> taken{0};
    Word credit{0};
  };

  static Kind kind_of(const Cell& cell) noexcept {
    return static_cast<Kind>(cell.header & ((1u << kKindBits) - 1));
  }

  template <class T>
  static T* new_array(std::uint32_t count, std::pmr::memory_resource* memory) {
    T* const array = std::pmr::polymorphic_allocator<>(memory).allocate_object<T>(count);
    std::uninitialized_default_construct_n(array, count);
    return array;
  }
  template <class T>
  static void delete_array(T* array, std::uint32_t count, std::pmr::memory_resource* memory) {
    std::destroy_n(array, count);
    std::pmr::polymorphic_allocator<>(memory).deallocate_object(array, count);
  }
  static void delete_ring(const Ring& ring, std::pmr::memory_resource* memory) {
    delete_array(ring.cells, ring.size(), memory);
  }

  static Ring new_ring(std::uint32_t cells, std::uint64_t first_position,
                       std::pmr::memory_resource* memory) {
    const Ring ring{new_array<Cell>(cells, memory), cells - 1};
    for (std::uint32_t i = 0; i < cells; ++i) {
      // Relaxed: the receiver learns of the ring only through the store (1) of the jump.
      ring.cells[i].sequence.store(static_cast<std::uint32_t>(first_position),
                                   std::memory_order_relaxed);
    }
    return ring;
  }

  const Word& post(Kind kind, const void* payload, std::size_t bytes, Stamp stamp) {
    if (free_cells() <= 1) grow(stamp);
    if (sender_.line != nullptr) stamp = {static_cast<Time>(sender_.line->sends_in_ring()), 0};
    const Word& word = fill(kind, payload, bytes, stamp);
    if (kind == Kind::kInline) prefetch_next();
    // Looked up ahead of need, while the receiver is busy with what was just posted.
    if (sender_.ring.size() - (sender_.position - sender_.known_taken) <= sender_.ring.size() / 2) {
      refresh_taken();
    }
    return word;
  }

  std::uint64_t free_cells() noexcept {
    const auto free = [this] {
      return sender_.ring.size() - (sender_.position - sender_.known_taken);
    };
    if (free() <= 1) refresh_taken();
    return free();
  }
  void refresh_taken() noexcept {
    sender_.known_taken = taken_.taken.load(std::memory_order_acquire);  // (3) pairs with (4)
  }

  // Requests the line that the next message will be written to, so that its stores find it here:
  // unless the receiver looks at it meanwhile, it is one way for a line instead of two. A message
  // to a receiver that is not waiting yet takes 0.65 times as long so where the cores are near,
  // 0.55 where they are far (Zen 3).
  void prefetch_next() const noexcept { prefetch_to_write(&sender_.ring.cell(sender_.position)); }
  // The same for the lines of a note, all at once: before it is written, and for a message as long
  // as the last one once that was posted.
  static void ask_for(const Note& note, std::size_t bytes) noexcept {
    for (std::size_t i = 0; i < bytes; i += kCacheLine) prefetch_to_write(note.bytes.data() + i);
  }
  // The receiver knows where the next note lies before it has seen the cell. The CPU guesses
  // that the flag is set, so the lines of the note come at the same time as that of the cell. (Read
  // from where the cell says, 64 bytes took 1.1 times as long and 512 bytes 1.2 times; Zen 5.)
  template <class Line>
  static Note& next_note(const Line& line) noexcept {
    return line.notes[line.position & (line.note_count - 1)];
  }

  [[gnu::noinline, gnu::cold]] void grow(Stamp stamp) {
    const Ring larger = new_ring(sender_.ring.size() * 2, sender_.position + 1, sender_.memory);
    fill(Kind::kJump, &larger, sizeof(larger), stamp);
    sender_.ring = larger;
  }

  const Word& fill(Kind kind, const void* payload, std::size_t bytes, Stamp stamp) noexcept {
    Cell& cell = sender_.ring.cell(sender_.position);
    Atomics::writes(&cell.header, kGuardedBytes);
    cell.header = stamp.round << kRoundShift | static_cast<std::uint32_t>(bytes) << kKindBits |
                  static_cast<std::uint32_t>(kind);
    cell.arrival = stamp.arrival;
    copy_small(cell.payload.data(), static_cast<const std::byte*>(payload), bytes);
    ++sender_.position;
    // (1) publishes the cell; read by the acquire-load (2). The news of Parker::wake.
    cell.sequence.store(static_cast<std::uint32_t>(sender_.position), std::memory_order_release);
    return cell.sequence;
  }

  bool may_be_in_line() const noexcept {
    return receiver_.line != nullptr && receiver_.line->may_be_answered();
  }

  void advance() noexcept {
    ++receiver_.position;
    // (4) release: the reads of the cell come before the sender writes it again; pairs with (3) and
    // (5).
    taken_.taken.store(receiver_.position, std::memory_order_release);
  }

  // The front cell is a jump. Both sides are through with its ring: the sender since it posted the
  // jump, the receiver now.
  void enter_next_ring() noexcept {
    Ring larger;
    std::memcpy(&larger, receiver_.ring.cell(receiver_.position).payload.data(), sizeof(larger));
    delete_ring(receiver_.ring, receiver_.memory);
    receiver_.ring = larger;
  }

  SenderLine sender_;
  ReceiverLine receiver_;
  TakenLine taken_;

  static_assert(sizeof(Cell) == kCacheLine || !std::is_same_v<Atomics, StdAtomics>,
                "a cell is one cache line");
  static_assert(sizeof(SenderLine) == kNoSharing && sizeof(ReceiverLine) == kNoSharing &&
                    sizeof(TakenLine) == kNoSharing,
                "the two sides' own fields share no line, with each other or with what both see");
};

}  // namespace postroom
