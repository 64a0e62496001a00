#include "collectives/parts/combine_lists.h"

#include <algorithm>
#include <cstddef>

#include "collectives/parts/arguments.h"
#include "collectives/parts/few.h"
#include "collectives/parts/scratch.h"
#include "runtime/copy.h"

namespace postroom {
namespace {

// So much of each list is combined at a time: of two or three lists it fits into an L1 cache.
constexpr std::size_t kBlockBytes = 8 * 1024;

// A smaller result that lies elsewhere is written there at once.
constexpr std::size_t kApartBytes = 2 * 1024;

/// `held` may be lists[pivot] itself; then it is combined with those before and after it in place.
void combine_block(std::span<const ConstBytes> lists, int pivot, Bytes held, const Operator& op) {
  const auto last = static_cast<int>(lists.size()) - 1;
  int first_in = pivot;
  int last_in = pivot;
  if (held.data() != lists[static_cast<std::size_t>(pivot)].data()) {
    first_in = std::min(pivot, std::max(last - 1, 0));
    last_in = std::min(first_in + 1, last);
    const ConstBytes left = lists[static_cast<std::size_t>(first_in)];
    if (first_in == last_in) {
      copy_bytes(left, held);
    } else {
      op.combine(left, lists[static_cast<std::size_t>(last_in)], held);
    }
  }
  while (first_in > 0) op.prepend(lists[static_cast<std::size_t>(--first_in)], held);
  while (last_in < last) op.append(held, lists[static_cast<std::size_t>(++last_in)]);
}

}  // namespace

void combine_lists(std::span<const ConstBytes> lists, int pivot, std::span<const Bytes> results,
                   std::size_t whole, const Operator& op, Lies first) {
  const std::size_t bytes = results.front().size();
  const std::size_t step =
      std::max(kBlockBytes / op.element_bytes(), std::size_t{1}) * op.element_bytes();
  // Results that go past the caches, or to where storing them word by word takes four times as
  // long, are combined in own memory first.
  const bool apart = whole >= kStreamBytes || (first == Lies::kElsewhere && bytes >= kApartBytes);
  if (bytes <= step && !apart) {
    combine_block(lists, pivot, results.front(), op);
    for (const Bytes result : results.subspan(1)) {
      push_memory(result.data(), results.front().data(), bytes, whole);
    }
    return;
  }
  Scratch scratch(nullptr, apart ? std::min(step, bytes) : 0);
  Few<ConstBytes> blocks(lists.size());
  for (std::size_t begin = 0; begin < bytes; begin += step) {
    const std::size_t size = std::min(step, bytes - begin);
    for (std::size_t q = 0; q < lists.size(); ++q) {
      blocks.all()[q] = lists[q].subspan(begin, size);
    }
    const Bytes held = apart ? scratch.bytes(0, size) : results.front().subspan(begin, size);
    combine_block(blocks.all(), pivot, held, op);
    for (const Bytes result : results.subspan(apart ? 0 : 1)) {
      push_memory(result.data() + begin, held.data(), size, whole);
    }
  }
}

}  // namespace postroom
