// The checks that every collective makes before it sends its first message.
//
// Each throws std::invalid_argument with one line that names the operation, the value and what is
// allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string_view>

#include "runtime/copy.h"
#include "runtime/processor.h"

namespace postroom {

/// What a cost is asked for: at least one processor, at least no bytes.
void require_sizes(std::string_view operation, int processors, std::int64_t bytes);

/// `value` of the parameter called `name` is in least … most.
void require_parameter(std::string_view operation, std::string_view name, int value, int least,
                       int most);

/// `root` is one of 0 … processors-1.
inline void require_root(std::string_view operation, int root, int processors) {
  if (root < 0 || root >= processors) [[unlikely]] {
    require_parameter(operation, "root", root, 0, processors - 1);
  }
}

[[noreturn]] void throw_wrong_bytes(std::string_view operation, std::string_view name,
                                    std::size_t bytes, std::size_t expected,
                                    std::string_view because);

/// The list called `name` has `bytes` bytes where `expected` are needed, for the reason `because`.
inline void require_bytes(std::string_view operation, std::string_view name, std::size_t bytes,
                          std::size_t expected, std::string_view because) {
  if (bytes != expected) [[unlikely]] {
    throw_wrong_bytes(operation, name, bytes, expected, because);
  }
}

[[noreturn]] void throw_part_of_element(std::string_view operation, std::string_view name,
                                        std::size_t bytes, std::size_t element_bytes);

/// The list called `name`, of `bytes` bytes, has whole elements only.
inline void require_whole_elements(std::string_view operation, std::string_view name,
                                   std::size_t bytes, std::size_t element_bytes) {
  // A division takes some nanoseconds, by a power of two none.
  const std::size_t low_bits = element_bytes - 1;
  const bool power_of_two = (element_bytes & low_bits) == 0;
  const std::size_t rest = power_of_two ? bytes & low_bits : bytes % element_bytes;
  if (rest != 0) [[unlikely]] {
    throw_part_of_element(operation, name, bytes, element_bytes);
  }
}

[[noreturn]] void throw_unequal_blocks(std::string_view operation, std::string_view name,
                                       std::size_t size, int processors, std::string_view units);

/// The list called `name`, of `size` `units`, falls into `processors` blocks of equal size. Returns
/// that size.
inline std::size_t require_equal_blocks(std::string_view operation, std::string_view name,
                                        std::size_t size, int processors,
                                        std::string_view units = "bytes") {
  // A division takes some nanoseconds, by two none.
  const std::size_t block =
      processors == 2 ? size / 2 : size / static_cast<std::size_t>(processors);
  if (block * static_cast<std::size_t>(processors) != size) [[unlikely]] {
    throw_unequal_blocks(operation, name, size, processors, units);
  }
  return block;
}

/// The list called `name` has one number for each processor.
void require_counts(std::string_view operation, std::string_view name, std::size_t counts,
                    int processors);

/// `ports` is at least 1. There may be more than messages to send.
void require_ports(std::string_view operation, int ports);

/// Whether the two lists have a byte in common.
inline bool overlap(ConstBytes a, ConstBytes b) noexcept {
  const std::less<const std::byte*> before;
  return !a.empty() && !b.empty() && before(a.data(), b.data() + b.size()) &&
         before(b.data(), a.data() + a.size());
}
/// Whether they are one and the same.
inline bool are_same(ConstBytes a, ConstBytes b) noexcept {
  return a.data() == b.data() && a.size() == b.size();
}
[[noreturn]] void throw_overlap(std::string_view operation, std::string_view a_name,
                                std::string_view b_name, std::string_view wrong);

/// The two lists have no byte in common.
inline void require_disjoint(std::string_view operation, std::string_view a_name, ConstBytes a,
                             std::string_view b_name, ConstBytes b) {
  if (overlap(a, b)) [[unlikely]] {
    throw_overlap(operation, a_name, b_name, "overlap, which is not allowed; separate memory");
  }
}

/// The two lists have no byte in common or are one and the same.
inline void require_same_or_disjoint(std::string_view operation, std::string_view a_name,
                                     ConstBytes a, std::string_view b_name, ConstBytes b) {
  if (!are_same(a, b) && overlap(a, b)) [[unlikely]] {
    throw_overlap(operation, a_name, b_name,
                  "overlap in part, which is not allowed; the same or separate memory");
  }
}

/// `mine` is the processor's own block of `all`, `own`, or has no byte in common with `all`.
inline void require_own_block_or_disjoint(std::string_view operation, ConstBytes mine,
                                          ConstBytes all, ConstBytes own) {
  if (!are_same(mine, own) && overlap(mine, all)) [[unlikely]] {
    throw_overlap(
        operation, "mine", "all",
        "overlap, which is not allowed; separate memory, or mine is the own block of all");
  }
}

/// Processors read and write each other's memory, as `algorithm` needs it.
void require_shared_memory(std::string_view operation, const Processor& self,
                           std::string_view algorithm = "shared");

/// All processors of a machine share `threads` and keep no record, as `algorithm` needs it; these
/// do not.
[[noreturn]] void throw_shares_no_threads(std::string_view operation, std::string_view algorithm,
                                          std::string_view threads = "threads");

/// Copies `from` to `to`, which have equal sizes and are one and the same or disjoint.
inline void copy_bytes(ConstBytes from, Bytes to) noexcept {
  if (from.data() == to.data()) return;
  if (from.size() <= kFewBytes) return copy_small(to.data(), from.data(), from.size());
  copy_memory(to.data(), from.data(), from.size(), from.size());
}

}  // namespace postroom
