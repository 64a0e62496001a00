#include "cli/keys/record_order.h"

#include <variant>

#include "cli/keys/placed_key.h"
#include "sort/compiled_sizes.h"
#include "sort/field_key.h"
#include "sort/key_word.h"

namespace postroom::cli {
namespace {

using sorting::KeyWord;

constexpr std::uint64_t kSign = std::uint64_t{1} << 63;

std::uint64_t number_of(const std::byte* record, const sorting::Field& field) {
  std::uint64_t number = 0;
  sorting::with_size(
      sorting::field_load_bytes(field.record_bytes), sorting::LoadSizes(),
      [&]<std::size_t kLoad>() { number = sorting::FieldKey<kLoad>(field)(record); });
  return number;
}

}  // namespace

RecordOrder::RecordOrder(const KeyFormat& format, bool is_unsigned, bool descending)
    : format_(format),
      is_unsigned_(is_unsigned),
      descending_(descending),
      flip_((is_unsigned ? 0 : kSign) ^ (descending ? ~std::uint64_t{0} : 0)) {}

OrderKey RecordOrder::key(const std::byte* record) const {
  const std::size_t offset = format_.key_offset;
  if (const auto* const bytes = std::get_if<ByteKey>(&format_.key)) {
    return KeyPlace(*bytes, offset, descending_)(record).kept();
  }
  const auto type = std::get<KeyType>(format_.key);
  return {number_of(record, {format_.record_bytes, offset, type, descending_})};
}

OrderKey RecordOrder::last_key() const {
  OrderKey last{~std::uint64_t{0}};
  const std::size_t bytes = key_bytes(format_.key);
  if (bytes > KeyWord::kMostBytes) last.rest.assign(bytes - KeyWord::kMostBytes, '\xff');
  return last;
}

}  // namespace postroom::cli
