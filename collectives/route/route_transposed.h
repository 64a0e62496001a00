// A transpose whose blocks are only read: lent where that is possible, else copied.
//
// Block j of processor i can afterwards be read as block i at processor j. Large blocks in shared
// memory are lent, and read where they lie; all others go through alltoall. The trace counts the
// same messages for both. Where the box has an order (BoxTree::has_order) nothing is lent: the
// alltoall brings all blocks near, the nearest first, and they are read at home.
//
// Called by all processors, with blocks of the same size, and closed by all. Cost: alltoall_cost.
// Memory and failure: what is transposed, and the room for copies, are declared before this object
// and stay until close(). As in collectives/route/route_windows.h, nobody reads memory that is
// gone.
//
//   TransposedBlocks transposed(self, begins, block_bytes, copies);
//   const std::byte* from_2 = transposed.from(2);
//   transposed.close();
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/processor.h"

namespace postroom {

/// Whether blocks of so many bytes are lent.
bool lends_blocks(const Processor& self, std::size_t block_bytes);

class TransposedBlocks {
 public:
  /// Block j begins at begins[j]; where blocks are not lent, one right behind the other. `copies`
  /// has room for all.
  TransposedBlocks(Processor& self, std::span<std::byte* const> begins, std::size_t block_bytes,
                   std::byte* copies, Where where = Where::current());
  TransposedBlocks(const TransposedBlocks&) = delete;
  TransposedBlocks& operator=(const TransposedBlocks&) = delete;

  /// The block of processor `source` for this one.
  const std::byte* from(int source) const noexcept {
    return blocks_[static_cast<std::size_t>(source)];
  }
  /// Whether `copies` was not needed.
  bool lent() const noexcept { return lent_; }

  /// Ends the reading, and waits until the others have ended theirs.
  void close();

 private:
  void lend(Processor& self, std::span<std::byte* const> begins, std::size_t block_bytes,
            Where where);

  bool lent_;
  std::vector<const std::byte*> blocks_;  // by source
  std::vector<Pending> loans_;
  std::vector<Borrowed> borrowed_;  // the last member: given back first
};

}  // namespace postroom
