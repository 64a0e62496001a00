// The kinds of rows that vectors are compiled to compare (sort/vector_order.h).
#pragma once

#include <cstdint>

/// DO(row_bytes, types of KeyRows), one after the other.
#define POSTROOM_COMPARED_ROWS(DO) \
  DO(4, std::uint32_t)             \
  DO(4, std::uint32_t, true)       \
  DO(8, std::uint32_t)             \
  DO(8, std::uint32_t, true)       \
  DO(8, std::uint64_t)             \
  DO(8, std::uint64_t, true)       \
  DO(16, std::uint32_t)            \
  DO(16, std::uint32_t, true)      \
  DO(16, std::uint64_t)            \
  DO(16, std::uint64_t, true)
