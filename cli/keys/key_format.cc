#include "cli/keys/key_format.h"

#include <fmt/core.h>

#include <cstring>

#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

KeyFormat bare(KeyType type) { return {.key = type, .record_bytes = key_bytes(type)}; }

template <class T>
std::string value_in_words(const std::byte* key) {
  T value;
  std::memcpy(&value, key, sizeof(value));
  return fmt::format("{}", value);
}

}  // namespace

std::vector<std::pair<std::string, KeyFormat>> key_formats() {
  std::vector<std::pair<std::string, KeyFormat>> formats;
  for (const KeyType type : kKeyTypes) formats.emplace_back(to_string(type), bare(type));
  formats.emplace_back("text", KeyFormat{.text = true});
  return formats;
}

std::optional<KeyFormat> format_of_name(std::string_view file) {
  if (file.ends_with(".txt")) return KeyFormat{.text = true};
  for (const auto& [name, format] : key_formats()) {
    if (!format.text && file.ends_with("." + name)) return format;
  }
  return std::nullopt;
}

std::string in_words(const KeyFormat& format) {
  if (format.text) return "text";
  const std::string key = to_string(format.key);
  if (format.record_bytes == key_bytes(format.key)) return key;
  return fmt::format("{} in records of {} bytes", key, format.record_bytes);
}

std::string key_in_words(const std::byte* key, KeyType type) {
  switch (type) {
    case KeyType::u8:
      return value_in_words<std::uint8_t>(key);
    case KeyType::u16:
      return value_in_words<std::uint16_t>(key);
    case KeyType::u32:
      return value_in_words<std::uint32_t>(key);
    case KeyType::u64:
      return value_in_words<std::uint64_t>(key);
    case KeyType::i8:
      return value_in_words<std::int8_t>(key);
    case KeyType::i16:
      return value_in_words<std::int16_t>(key);
    case KeyType::i32:
      return value_in_words<std::int32_t>(key);
    case KeyType::i64:
      return value_in_words<std::int64_t>(key);
    case KeyType::f32:
      return value_in_words<float>(key);
    case KeyType::f64:
      return value_in_words<double>(key);
  }
  return "";
}

std::uint64_t records_in(std::uint64_t bytes, const KeyFormat& format, const std::string& name) {
  if (bytes % format.record_bytes != 0) {
    throw UsageError(
        fmt::format("{}: its {} bytes are no whole number of records of {} bytes "
                    "({})",
                    name, bytes, format.record_bytes, in_words(format)));
  }
  return bytes / format.record_bytes;
}

}  // namespace postroom::cli
