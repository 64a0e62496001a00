#include "cli/keys/record_order.h"

#include <utility>

namespace postroom::cli {
namespace {

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

/// Calls `use` with a FieldKey for the records of `field`.
template <class Use>
std::uint64_t with_field_key(const sorting::Field& field, const Use& use) {
  std::uint64_t result = 0;
  const std::size_t load_bytes = sorting::field_load_bytes(field.record_bytes);
  [&]<std::size_t... kLess>(std::index_sequence<kLess...>) {
    (void)((load_bytes == kLess + 1 && (result = use(sorting::FieldKey<kLess + 1>(field)), true)) ||
           ...);
  }
  (std::make_index_sequence<8>());
  return result;
}

}  // namespace

RecordOrder::RecordOrder(const KeyFormat& format, bool is_unsigned, bool descending)
    : format_(format),
      field_{format.record_bytes, format.key_offset, format.key, descending},
      is_unsigned_(is_unsigned),
      flip_((is_unsigned ? 0 : kSign) ^ (descending ? ~std::uint64_t{0} : 0)) {}

std::uint64_t RecordOrder::key(const std::byte* record) const {
  return with_field_key(field_, [&](const auto& key_of) { return key_of(record); });
}

}  // namespace postroom::cli
