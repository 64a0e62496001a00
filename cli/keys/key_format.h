// What the keys of a file look like: raw little-endian numbers, or bytes of which the first counts
// most, alone or inside records of a fixed size; or text.
//
//   format_of_name("keys.u64");   // 8 bytes a record, the key is all of it
//   KeyFormat{.key = KeyType::u32, .record_bytes = 100, .key_offset = 10};
//   KeyFormat{.key = ByteKey{10}, .record_bytes = 100};
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "sort/key_type.h"

namespace postroom::cli {

/// A number, or bytes.
using FileKey = std::variant<KeyType, ByteKey>;

std::size_t key_bytes(const FileKey& key);
/// "u64", "bytes10".
std::string to_string(const FileKey& key);

struct KeyFormat {
  /// One integer a line; the other members are of no meaning then.
  bool text = false;
  FileKey key = KeyType::u64;
  std::size_t record_bytes = 8;
  std::size_t key_offset = 0;

  bool operator==(const KeyFormat&) const = default;
};

/// "u8" … "f64", "text", each with bare keys.
std::vector<std::pair<std::string, KeyFormat>> key_formats();

/// The one of these, or of "bytes1" … "bytes65536" with bare keys, that --type names. UsageError.
KeyFormat parse_format(std::string_view name);

/// The format that the end of a file's name tells: ".u8" … ".f64", ".txt"; nothing otherwise.
std::optional<KeyFormat> format_of_name(std::string_view file);

/// "u64", "text", "u32 in records of 100 bytes".
std::string in_words(const KeyFormat& format);

/// The key of a record, which need not be aligned: "-5", "0.1"; of bytes "'AsfAGHM5om'" where all
/// can be printed, else "0x00ff", the first 40 of them.
std::string key_in_words(const std::byte* record, const KeyFormat& format);

/// How many records `bytes` bytes of a raw format are. UsageError that names both sizes when they
/// are no whole number of records; it begins with `name`.
std::uint64_t records_in(std::uint64_t bytes, const KeyFormat& format, const std::string& name);

}  // namespace postroom::cli
