// How much memory, in the words of sort(1): 800M, 2G, 50%.
//
//   memory_size("--buffer-size", "512M");   // 536,870,912
#pragma once

#include <cstdint>
#include <string_view>

namespace postroom::cli {

/// A whole number with one of b, K, M, G, T, P, E behind it (powers of 1024), or %, of the memory
/// that the box or the control group has; without any of them it counts KiB, as for sort(1).
/// UsageError names `option`; the size is at least 1 byte.
std::uint64_t memory_size(std::string_view option, std::string_view text);

/// The same where the memory that percentages are taken of is `whole_bytes`.
std::uint64_t memory_size(std::string_view option, std::string_view text,
                          std::uint64_t whole_bytes);

}  // namespace postroom::cli
