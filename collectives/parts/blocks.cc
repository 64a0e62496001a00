#include "collectives/parts/blocks.h"

#include <algorithm>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "collectives/parts/arguments.h"

namespace postroom {
namespace {

// No list has more bytes, so that sizes fit into a std::int64_t, too.
constexpr std::size_t kMostBytes = PTRDIFF_MAX;

void require_element_bytes(std::string_view operation, std::size_t element_bytes) {
  if (element_bytes != 0) return;
  throw std::invalid_argument(std::string(operation) +
                              ": element_bytes 0 is not allowed; at least 1");
}

/// Where a block of `count` elements ends that begins at `begin`; more than kMostBytes where it
/// would lie beyond them.
std::size_t end_of(std::size_t begin, std::size_t count, std::size_t element_bytes) {
  std::size_t bytes = 0;
  if (__builtin_mul_overflow(count, element_bytes, &bytes)) return SIZE_MAX;
  return bytes > kMostBytes ? bytes : begin + bytes;
}

[[noreturn]] void throw_wrong_count(std::string_view operation, std::string_view list,
                                    std::size_t processor, std::size_t count, std::size_t most) {
  throw std::invalid_argument(std::string(operation) + ": " + std::to_string(count) +
                              " for processor " + std::to_string(processor) + " in " +
                              std::string(list) + " is not allowed; 0 to " + std::to_string(most));
}

}  // namespace

Blocks::Blocks(std::span<const std::size_t> counts, std::size_t element_bytes,
               std::string_view operation, std::string_view list)
    : processors_(static_cast<int>(counts.size())), equal_(false) {
  require_element_bytes(operation, element_bytes);
  if (counts.size() > kFew) many_.resize(counts.size() + 1);
  std::size_t* const begins = many_.empty() ? few_.data() : many_.data();
  for (std::size_t i = 0; i < counts.size(); ++i) {
    begins[i + 1] = end_of(begins[i], counts[i], element_bytes);
    if (begins[i + 1] > kMostBytes) [[unlikely]] {
      throw_wrong_count(operation, list, i, counts[i], (kMostBytes - begins[i]) / element_bytes);
    }
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

Blocks rooted_blocks(std::string_view operation, int root, std::span<const std::size_t> counts,
                     std::size_t element_bytes) {
  const auto processors = static_cast<int>(counts.size());
  require_sizes(operation, processors, 0);
  require_root(operation, root, processors);
  return {counts, element_bytes, operation};
}

}  // namespace postroom
