#include "sort/options.h"

#include <string_view>

#include "numa/cacheline.h"
#include "sort/areas.h"
#include "sort/arguments.h"

namespace postroom {
namespace {

constexpr std::array<std::string_view, kSortAlgorithms.size()> kNames{
    "automatic", "radix_two_transpose", "radix_one_phase", "radix_direct"};

}  // namespace

std::string to_string(SortAlgorithm algorithm) {
  return std::string(kNames.at(static_cast<std::size_t>(algorithm)));
}

std::size_t scratch_bytes(std::size_t records, std::size_t record_bytes,
                          const SortOptions& options) {
  sorting::check_options(options);
  if (!sorting::moves_whole(record_bytes) || options.algorithm != SortAlgorithm::automatic) {
    return sorting::bytes_for(sorting::by_index_areas(records, record_bytes));
  }
  // Keys and values apart may need a line more.
  return sorting::bytes_for(sorting::column_areas(records, record_bytes, 0)) + kCacheLine;
}

std::size_t byte_key_scratch_bytes(std::size_t records, std::size_t record_bytes) {
  return sorting::bytes_for(sorting::by_index_areas(records, record_bytes));
}

std::size_t argsort_scratch_bytes(std::size_t keys, std::size_t key_bytes,
                                  const SortOptions& options) {
  sorting::check_options(options);
  return sorting::bytes_for(sorting::argsort_areas(keys, key_bytes));
}

}  // namespace postroom
