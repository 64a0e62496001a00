#include "cli/keys/key_format.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cstring>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"

namespace postroom::cli {
namespace {

constexpr std::string_view kBytes = "bytes";
constexpr std::size_t kMostShownBytes = 40;

KeyFormat bare(const FileKey& key) { return {.key = key, .record_bytes = key_bytes(key)}; }

/// "bytes10"; nothing for another name, or a number that is not allowed.
std::optional<ByteKey> parse_byte_key(std::string_view name) {
  if (!name.starts_with(kBytes)) return std::nullopt;
  const std::string_view number = name.substr(kBytes.size());
  ByteKey key{};
  const char* const end = number.data() + number.size();
  const auto [stop, error] = std::from_chars(number.data(), end, key.bytes);
  const bool allowed = error == std::errc() && stop == end && !number.starts_with('0') &&
                       key.bytes <= kMostRecordBytes;
  return allowed ? std::optional(key) : std::nullopt;
}

template <class T>
std::string value_in_words(const std::byte* key) {
  T value;
  std::memcpy(&value, key, sizeof(value));
  return fmt::format("{}", value);
}

std::string number_in_words(const std::byte* key, KeyType type) {
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

std::string bytes_in_words(std::string_view key) {
  const bool printable =
      std::ranges::all_of(key, [](char each) { return ' ' <= each && each <= '~'; });
  if (printable) return in_quotes(key, kMostShownBytes);
  std::string digits = "0x";
  for (const char each : key.substr(0, kMostShownBytes)) {
    digits += fmt::format("{:02x}", static_cast<unsigned char>(each));
  }
  return digits + (key.size() > kMostShownBytes ? "…" : "");
}

}  // namespace

std::size_t key_bytes(const FileKey& key) {
  const auto* const bytes = std::get_if<ByteKey>(&key);
  return bytes != nullptr ? bytes->bytes : postroom::key_bytes(std::get<KeyType>(key));
}

std::string to_string(const FileKey& key) {
  const auto* const bytes = std::get_if<ByteKey>(&key);
  return bytes != nullptr ? fmt::format("{}{}", kBytes, bytes->bytes)
                          : postroom::to_string(std::get<KeyType>(key));
}

std::vector<std::pair<std::string, KeyFormat>> key_formats() {
  std::vector<std::pair<std::string, KeyFormat>> formats;
  for (const KeyType type : kKeyTypes) formats.emplace_back(to_string(type), bare(type));
  formats.emplace_back("text", KeyFormat{.text = true});
  return formats;
}

KeyFormat parse_format(std::string_view name) {
  if (const std::optional<ByteKey> key = parse_byte_key(name)) return bare(*key);
  const auto formats = key_formats();
  std::vector<std::string_view> names;
  for (const auto& [each, format] : formats) {
    if (each == name) return format;
    names.push_back(each);
  }
  const std::string of_bytes = fmt::format("{0}1 … {0}{1}", kBytes, kMostRecordBytes);
  names.push_back(of_bytes);
  throw_unknown_name("--type", name, names);
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

std::string key_in_words(const std::byte* record, const KeyFormat& format) {
  const std::byte* const key = record + format.key_offset;
  if (const auto* const type = std::get_if<KeyType>(&format.key))
    return number_in_words(key, *type);
  return bytes_in_words({reinterpret_cast<const char*>(key), key_bytes(format.key)});
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
