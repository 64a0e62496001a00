#include "cli/keys/big_endian.h"

#include <algorithm>
#include <variant>

namespace postroom::cli {
namespace {

template <std::size_t kBytes>
void turn(std::span<std::byte> records, const KeyFormat& format) {
  for (std::size_t at = format.key_offset; at < records.size(); at += format.record_bytes) {
    std::ranges::reverse(records.subspan(at).first<kBytes>());
  }
}

}  // namespace

std::optional<KeyType> number_type_of(const FileKey& key) {
  if (const auto* const type = std::get_if<KeyType>(&key)) return *type;
  switch (key_bytes(key)) {
    case 1:
      return KeyType::u8;
    case 2:
      return KeyType::u16;
    case 4:
      return KeyType::u32;
    case 8:
      return KeyType::u64;
    default:
      return std::nullopt;
  }
}

bool is_turned(const FileKey& key) {
  return std::holds_alternative<ByteKey>(key) && key_bytes(key) > 1 && number_type_of(key);
}

void turn_keys(std::span<std::byte> records, const KeyFormat& format) {
  if (!is_turned(format.key)) return;
  switch (key_bytes(format.key)) {
    case 2:
      return turn<2>(records, format);
    case 4:
      return turn<4>(records, format);
    case 8:
      return turn<8>(records, format);
  }
}

}  // namespace postroom::cli
