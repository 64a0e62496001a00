// Blocks of different sizes in one message, each behind its size: for those who pass on what others
// have for each other, and do not know how long it is.
//
// A frame is the size of a block, as a std::uint64_t, and the block; frames follow each other
// without padding. So the frames of a subtree lie side by side, and are passed on as they are.
//
//   Bytes rest = message.bytes();                            // a sender
//   put_frame(block, rest);
//   FrameReader frames("gatherv", message, source, where);   // a receiver
//   const ConstBytes block = frames.next(owner, bytes);
//   frames.end();
//
// Source: our own. Cost: kFrameBytes for each block. Errors: SizeMismatchError in the receiver for
// a message that is not made of such frames, which names its sender, and for a block of another
// size than it is to have, which names its owner.
#pragma once

#include <cstddef>
#include <cstdint>

#include "collectives/parts/blocks.h"
#include "runtime/processor.h"

namespace postroom {

/// What a frame has beside its block.
inline constexpr std::size_t kFrameBytes = sizeof(std::uint64_t);

/// How long the frames of `count` blocks from `first` on are, cyclically.
inline std::size_t framed_bytes(const Blocks& blocks, int first, int count) noexcept {
  return blocks.bytes(first, count) + static_cast<std::size_t>(count) * kFrameBytes;
}

/// Puts the frame of `block`, or frames as they are, at the beginning of `rest`, of which what
/// follows is left. Precondition: there is room.
void put_frame(ConstBytes block, Bytes& rest) noexcept;
void put_frames(ConstBytes frames, Bytes& rest) noexcept;

/// Reads the frames of a message of `source` in their order.
class FrameReader {
 public:
  /// `operation`, a literal: which reports name.
  FrameReader(const char* operation, ConstBytes message, int source, Where where) noexcept
      : operation_(operation), rest_(message), source_(source), where_(where) {}

  /// The next block, that of processor `owner`, which has to have `bytes`.
  ConstBytes next(int owner, std::size_t bytes);
  /// So many frames, as they are.
  ConstBytes next_frames(int count);
  /// There are no more.
  void end() const;

 private:
  ConstBytes next();
  [[noreturn]] void throw_wrong_end() const;

  const char* operation_;
  ConstBytes rest_;
  int source_;
  Where where_;
};

}  // namespace postroom
