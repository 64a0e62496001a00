#include "cli/keys/record_order.h"

#include "sort/compiled_sizes.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

}  // namespace

RecordOrder::RecordOrder(const KeyFormat& format, bool is_unsigned, bool descending)
    : format_(format),
      field_{format.record_bytes, format.key_offset, format.key, descending},
      is_unsigned_(is_unsigned),
      flip_((is_unsigned ? 0 : kSign) ^ (descending ? ~std::uint64_t{0} : 0)) {}

std::uint64_t RecordOrder::key(const std::byte* record) const {
  std::uint64_t key = 0;
  sorting::with_size(sorting::field_load_bytes(field_.record_bytes), sorting::LoadSizes(),
                     [&]<std::size_t kLoad>() { key = field_key<kLoad>()(record); });
  return key;
}

}  // namespace postroom::cli
