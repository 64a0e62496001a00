#include "sort/areas.h"

#include <algorithm>
#include <stdexcept>

#include "numa/cacheline.h"
#include "numa/rounding.h"

namespace postroom::sorting {
namespace {

[[noreturn]] void refuse() {
  throw std::length_error("scratch: more bytes than there are addresses");
}

std::size_t product(std::size_t count, std::size_t bytes) {
  std::size_t result;
  if (__builtin_mul_overflow(count, bytes, &result)) refuse();
  return result;
}

std::size_t sum(std::size_t a, std::size_t b) {
  std::size_t result;
  if (__builtin_add_overflow(a, b, &result)) refuse();
  return result;
}

}  // namespace

std::size_t whole_lines(std::size_t bytes) {
  const std::size_t lines = round_up(bytes, kCacheLine);
  if (lines < bytes) refuse();
  return lines;
}

std::size_t bytes_for(const Areas& areas) {
  std::size_t bytes = kCacheLine - 1;  // before the first line, in memory that begins anywhere
  for (const std::size_t area : areas) bytes = sum(bytes, whole_lines(area));
  return bytes;
}

Areas row_areas(std::size_t records, std::size_t record_bytes) {
  return {product(records, record_bytes)};
}

Areas column_areas(std::size_t records, std::size_t key_bytes, std::size_t value_bytes) {
  return {product(records, key_bytes), product(records, value_bytes)};
}

Areas argsort_areas(std::size_t keys, std::size_t key_bytes) {
  const std::size_t rows =
      product(keys, fit_narrow_rows(keys, key_bytes) ? kNarrowRowBytes : kWideRowBytes);
  return {rows, rows};
}

Areas by_index_areas(std::size_t records, std::size_t record_bytes) {
  const std::size_t rows = product(records, kWideRowBytes);
  return {rows, std::max(rows, product(records, record_bytes))};
}

}  // namespace postroom::sorting
