// What stands for the key of a record where records are compared: smaller for what comes earlier.
#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace postroom::cli {

/// A number in its order; or the first eight bytes of a key of bytes as one, and the rest of them.
/// Compares keys of one format and one direction.
struct OrderKey {
  std::uint64_t first = 0;
  std::string rest{};

  auto operator<=>(const OrderKey&) const = default;
};

}  // namespace postroom::cli
