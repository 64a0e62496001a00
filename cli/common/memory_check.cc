#include "cli/common/memory_check.h"

#include <fmt/core.h>
#include <malloc.h>

#include <limits>
#include <stdexcept>

#include "cli/common/units.h"

namespace postroom::cli {

void spare_addresses() {
  if (address_space_left() != std::numeric_limits<std::uint64_t>::max()) mallopt(M_ARENA_MAX, 1);
}

void check_memory(const std::string& what, std::uint64_t needed, std::uint64_t available) {
  if (needed <= available) return;
  throw std::runtime_error(fmt::format("{}: needs {} of memory, {} available", what,
                                       readable_bytes(needed), readable_bytes(available)));
}

}  // namespace postroom::cli
