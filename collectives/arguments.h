// The checks that every collective makes before it sends its first message.
//
// Each throws std::invalid_argument with one line that names the operation, the value and what is
// allowed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "runtime/processor.h"

namespace postroom {

/// What a cost is asked for: at least one processor, at least no bytes.
void require_sizes(std::string_view operation, int processors, std::int64_t bytes);

/// `root` is one of 0 … processors-1.
void require_root(std::string_view operation, int root, int processors);

/// The list called `name` has `bytes` bytes where `expected` are needed, for the reason `because`.
void require_bytes(std::string_view operation, std::string_view name, std::size_t bytes,
                   std::size_t expected, std::string_view because);

/// The list called `name` falls into `processors` blocks of equal size.
void require_equal_blocks(std::string_view operation, std::string_view name, std::size_t bytes,
                          int processors);

/// The list called `name` has one number for each processor.
void require_counts(std::string_view operation, std::string_view name, std::size_t counts,
                    int processors);

/// `value` of the parameter called `name` is in least … most.
void require_parameter(std::string_view operation, std::string_view name, int value, int least,
                       int most);

/// `ports` is at least 1. There may be more than messages to send.
void require_ports(std::string_view operation, int ports);

/// The two lists have no byte in common.
void require_disjoint(std::string_view operation, std::string_view a_name, ConstBytes a,
                      std::string_view b_name, ConstBytes b);

/// The two lists have no byte in common or are one and the same.
void require_same_or_disjoint(std::string_view operation, std::string_view a_name, ConstBytes a,
                              std::string_view b_name, ConstBytes b);

/// `mine` is the processor's own block of `all`, `own`, or has no byte in common with `all`.
void require_own_block_or_disjoint(std::string_view operation, ConstBytes mine, ConstBytes all,
                                   ConstBytes own);

/// Processors read and write each other's memory, as `algorithm` needs it.
void require_shared_memory(std::string_view operation, const Processor& self,
                           std::string_view algorithm = "shared");

/// Copies `from` to `to`, which have equal sizes and are one and the same or disjoint.
void copy_bytes(ConstBytes from, Bytes to) noexcept;

}  // namespace postroom
