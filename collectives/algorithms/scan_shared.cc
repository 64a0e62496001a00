#include "collectives/algorithms/scan_shared.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "collectives/parts/arguments.h"
#include "collectives/parts/scratch.h"
#include "collectives/parts/shared_slices.h"
#include "runtime/copy.h"

namespace postroom {
namespace {

// So much of each list is combined at a time: with the sum so far it fits into an L1 cache.
constexpr std::size_t kBlockBytes = 8 * 1024;

/// Calls visit(begin, bytes) for the blocks of the slice.
template <class Visit>
void for_each_block(const SharedSlices& slices, std::size_t element_bytes, Visit visit) {
  const std::size_t step = std::max(kBlockBytes / element_bytes, std::size_t{1}) * element_bytes;
  for (std::size_t begin = 0; begin < slices.bytes(); begin += step) {
    visit(begin, std::min(step, slices.bytes() - begin));
  }
}

std::size_t block_bytes(const SharedSlices& slices, std::size_t element_bytes) {
  return std::min(slices.bytes(), std::max(kBlockBytes, element_bytes));
}

}  // namespace

void scan_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  SharedSlices slices(self, in, out, op.element_bytes(), where);
  Scratch sum(self, block_bytes(slices, op.element_bytes()));
  for_each_block(slices, op.element_bytes(), [&](std::size_t begin, std::size_t bytes) {
    const Bytes held = sum.bytes(0, bytes);
    copy_bytes(slices.in(0).subspan(begin, bytes), held);
    push_memory(slices.out(0).data() + begin, held.data(), bytes, in.size());
    for (int q = 1; q < self.count(); ++q) {
      op.append(held, slices.in(q).subspan(begin, bytes));
      push_memory(slices.out(q).data() + begin, held.data(), bytes, in.size());
    }
  });
  slices.finish();
}

void exscan_shared(Processor& self, ConstBytes in, Bytes out, const Operator& op, Where where) {
  SharedSlices slices(self, in, out, op.element_bytes(), where);
  const std::size_t block = block_bytes(slices, op.element_bytes());
  Scratch memory(self, 2 * block);
  for_each_block(slices, op.element_bytes(), [&](std::size_t begin, std::size_t bytes) {
    Bytes held = memory.bytes(0, bytes);
    Bytes next = memory.bytes(block, bytes);
    copy_bytes(slices.in(0).subspan(begin, bytes), held);
    for (int q = 1; q < self.count(); ++q) {
      // Read before it is written, where a processor's two lists are one.
      op.combine(held, slices.in(q).subspan(begin, bytes), next);
      push_memory(slices.out(q).data() + begin, held.data(), bytes, in.size());
      std::swap(held, next);
    }
  });
  slices.finish();
}

}  // namespace postroom
