#include "cli/keys/record_order.h"

#include <algorithm>
#include <variant>

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

OrderKey key_of_bytes(const std::byte* record, std::size_t offset, std::size_t bytes,
                      bool descending) {
  const std::size_t word = std::min(bytes, KeyWord::kMostBytes);
  OrderKey key{KeyWord(offset, word, descending)(record)};
  const auto* const rest = reinterpret_cast<const char*>(record + offset + word);
  key.rest.assign(rest, bytes - word);
  if (descending) {
    for (char& each : key.rest) each = static_cast<char>(~each);
  }
  return key;
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
    return key_of_bytes(record, offset, bytes->bytes, descending_);
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
