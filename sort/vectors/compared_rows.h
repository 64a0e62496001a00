// The kinds of rows that vectors are compiled to compare.
#pragma once

#include <cstdint>

/// DO(row_bytes, types of KeyRows) for each, one after the other (sort/vectors/vector_order.h).
#define POSTROOM_COMPARED_ROWS(DO) \
  POSTROOM_INTEGER_ROWS(DO)        \
  DO(4, std::uint32_t, true)       \
  DO(8, std::uint32_t, true)       \
  DO(8, std::uint64_t, true)       \
  DO(16, std::uint32_t, true)      \
  DO(16, std::uint64_t, true)

/// The same of those whose keys are integers (sort/vectors/vector_strays.h).
#define POSTROOM_INTEGER_ROWS(DO) \
  DO(4, std::uint32_t)            \
  DO(8, std::uint32_t)            \
  DO(8, std::uint64_t)            \
  DO(16, std::uint32_t)           \
  DO(16, std::uint64_t)
