#include "collectives/route/route_blocks.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <string>

#include "numa/rounding.h"
#include "runtime/errors.h"

namespace postroom {

RouteBlockLayout::RouteBlockLayout(int processors, std::size_t room_for, std::size_t bytes_each,
                                   std::size_t element_alignment)
    : element_bytes(bytes_each),
      alignment(std::max(element_alignment, alignof(std::uint64_t))),
      room(room_for) {
  constexpr std::size_t kMost = std::numeric_limits<std::uint32_t>::max();
  if (room > kMost) {
    throw std::invalid_argument("relation: bins of " + std::to_string(room) +
                                " elements are not allowed; at most " + std::to_string(kMost));
  }
  const std::size_t most_runs = std::min(static_cast<std::size_t>(processors), room);
  elements = round_up(sizeof(std::uint64_t) + most_runs * sizeof(Run), element_alignment);
  bytes = bytes_with(room);
}

std::size_t RouteBlockLayout::bytes_with(std::size_t count) const noexcept {
  return round_up(elements + count * element_bytes, alignment);
}

void check_block(const std::byte* block, const RouteBlockLayout& layout, int processors,
                 int source) {
  const auto labels = static_cast<std::size_t>(processors);
  const std::size_t count = *reinterpret_cast<const std::uint64_t*>(block);
  bool fits = count <= std::min(labels, layout.room);
  std::size_t elements = 0;
  if (fits) {
    const auto* const runs = reinterpret_cast<const Run*>(block + sizeof(std::uint64_t));
    for (const Run& run : std::span(runs, count)) {
      fits = fits && run.label < labels;
      elements += run.count;
    }
  }
  if (fits && elements <= layout.room) return;
  throw DisagreementError("route: what came from processor " + std::to_string(source) +
                          " is not a block of two_transpose; all have to name the same router, and "
                          "messages have to carry their bytes");
}

std::size_t block_set_bytes(int processors, const RouteBlockLayout& layout,
                            const RouteBlockLayout& filled_with, Spacing spacing) noexcept {
  const auto p = static_cast<std::size_t>(processors);
  const std::size_t at_equal_distances = p * layout.bytes;
  if (spacing == Spacing::kEqual) return at_equal_distances;
  // The last one has its room, of which nothing may be in use.
  const std::size_t close =
      p * (filled_with.bytes + layout.bytes_with(0) + layout.alignment) + layout.bytes;
  return std::min(at_equal_distances, close);
}

}  // namespace postroom
