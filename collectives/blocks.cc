#include "collectives/blocks.h"

#include <algorithm>

#include "collectives/arguments.h"

namespace postroom {

Blocks::Blocks(std::span<const std::size_t> counts, std::size_t element_bytes)
    : processors_(static_cast<int>(counts.size())), equal_(false) {
  if (counts.size() > kFew) many_.resize(counts.size() + 1);
  std::size_t* const begins = many_.empty() ? few_.data() : many_.data();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    begins[i + 1] = begins[i] + counts[i] * element_bytes;
  }
}

std::size_t Blocks::bytes(int first, int count) const noexcept {
  if (!runs_over(first, count)) return begin(first + count) - begin(first);
  return total() - begin(first) + begin(first + count - processors_);
}

std::size_t Blocks::most_bytes(int count) const noexcept {
  if (equal()) return bytes(0, count);
  std::size_t most = 0;
  for (int first = 0; first < processors_; ++first) most = std::max(most, bytes(first, count));
  return most;
}

void Blocks::pack(ConstBytes list, int first, int count, Bytes packed) const noexcept {
  const int until_end = std::min(count, processors_ - first);
  const ConstBytes head = of(list, first, until_end);
  copy_bytes(head, packed.first(head.size()));
  const ConstBytes tail = of(list, 0, count - until_end);
  copy_bytes(tail, packed.subspan(head.size(), tail.size()));
}

void Blocks::unpack(ConstBytes packed, int first, int count, Bytes list) const noexcept {
  const int until_end = std::min(count, processors_ - first);
  const Bytes head = of(list, first, until_end);
  copy_bytes(packed.first(head.size()), head);
  const Bytes tail = of(list, 0, count - until_end);
  copy_bytes(packed.subspan(head.size(), tail.size()), tail);
}

}  // namespace postroom
