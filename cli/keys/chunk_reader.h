// Inputs read chunk by chunk, each a number of whole records or lines.
//
// Errors: those of cli/keys/inputs.h; UsageError for a line that is longer than a chunk may be.
//
//   ChunkReader reader(inputs, format);
//   Chunk chunk;
//   while (reader.next(chunk, {.bytes = 1 << 20}, progress)) use(chunk.bytes);
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string_view>

#include "cli/common/progress.h"
#include "cli/files/buffer.h"
#include "cli/keys/inputs.h"
#include "cli/keys/key_format.h"
#include "cli/keys/loaded_keys.h"

namespace postroom::cli {

struct Chunk {
  Buffer bytes;
  TextLines lines;  // of text
};

/// How much a chunk holds at most.
struct ChunkLimits {
  std::size_t bytes = 0;
  std::size_t lines = std::numeric_limits<std::size_t>::max();
  std::size_t longest = 0;  ///< a chunk grows to so many bytes where a line is longer than `bytes`
};

class ChunkReader {
 public:
  /// `pending` is what was read of the inputs already.
  ChunkReader(Inputs& inputs, const KeyFormat& format, Buffer pending = {});

  /// How much was read already and is still to come.
  std::size_t pending_bytes() const noexcept { return pending_.size() - pending_begin_; }
  /// Whether there are no more chunks.
  bool at_end() const noexcept {
    return pending_bytes() == 0 && carried_.size() == 0 && inputs_.at_end();
  }

  /// Fills `chunk`, whose memory is used again; returns false at the end.
  bool next(Chunk& chunk, const ChunkLimits& limits, Progress& progress);

 private:
  std::size_t fill(std::span<std::byte> place, Progress& progress);
  std::size_t whole_lines(std::string_view text, const ChunkLimits& limits) const;
  void carry(std::span<const std::byte> rest);

  Inputs& inputs_;
  KeyFormat format_;
  Buffer pending_;
  std::size_t pending_begin_ = 0;
  Buffer carried_;  // of text: what did not belong to the last chunk any more
  LineNamer namer_;
  std::uint64_t lines_ = 0;
};

}  // namespace postroom::cli
