#include "sort/records.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/compiled_sizes.h"
#include "sort/field_key.h"
#include "sort/is_sorted.h"
#include "sort/key_word.h"
#include "sort/numbered.h"
#include "sort/whole_keys.h"
#include "sort/whole_records.h"

namespace postroom {
namespace {

using sorting::check_field;
using sorting::Field;
using sorting::FieldKey;
using sorting::KeyWord;
using sorting::with_size;

void sort_large(std::byte* data, std::size_t size, const Field& field, const SortOptions& options) {
  const sorting::Moved records{data, field.record_bytes};
  auto read_keys = sorting::key_reader(data, field.record_bytes, FieldKey<8>(field));
  read_keys.bytes = key_bytes(field.type);  // what is read is no wider than the key
  sorting::sort_by_index({&records, 1}, size, read_keys, options);
}

// The first record of [begin, end) out of order, or `end`.
std::size_t find_fall_of(const std::byte* data, const Field& field, std::size_t begin,
                         std::size_t end) {
  if (sorting::is_whole(field)) {
    return sorting::find_whole_fall(data, begin, end, sorting::format_of(field));
  }
  const std::size_t bytes = field.record_bytes;
  std::size_t i = begin;
  with_size(sorting::field_load_bytes(bytes), sorting::LoadSizes(), [&]<std::size_t kLoad>() {
    const FieldKey<kLoad> key_of(field);
    // Each is read once.
    auto before = key_of(data + (i - 1) * bytes);
    for (; i < end; ++i) {
      const auto key = key_of(data + i * bytes);
      if (key < before) return;
      before = key;
    }
  });
  return i;
}

void check_byte_key(std::size_t bytes, std::size_t record_bytes, std::size_t key_offset,
                    ByteKey key) {
  check_field(bytes, record_bytes, key_offset, KeyType::u8);
  if (key.bytes >= 1 && key.bytes <= record_bytes - key_offset) return;
  throw std::invalid_argument("key: " + std::to_string(key.bytes) +
                              " bytes are not allowed; 1 to " +
                              std::to_string(record_bytes - key_offset) + " behind key_offset");
}

}  // namespace

void sort_records(std::span<std::byte> data, std::size_t record_bytes, std::size_t key_offset,
                  KeyType key, const SortOptions& options) {
  check_field(data.size(), record_bytes, key_offset, key);
  sorting::check_options(options);
  sorting::check_apart(data, options.scratch);
  const Field field{record_bytes, key_offset, key, options.descending};
  const std::size_t size = data.size() / record_bytes;
  if (sorting::is_whole(field)) {
    sorting::sort_whole_keys(data.data(), size, sorting::format_of(field), options);
  } else if (sorting::moves_whole(record_bytes)) {
    with_size(record_bytes, sorting::WholeSizes(), [&]<std::size_t kBytes>() {
      sorting::sort_whole_records<kBytes>(data.data(), size, field, options);
    });
  } else {
    sort_large(data.data(), size, field, options);
  }
}

void sort_records(std::span<std::byte> data, std::size_t record_bytes, std::size_t key_offset,
                  ByteKey key, const SortOptions& options) {
  check_byte_key(data.size(), record_bytes, key_offset, key);
  sorting::check_apart(data, options.scratch);
  const sorting::Moved records{data.data(), record_bytes};
  std::vector<sorting::KeyReader> words;
  for (std::size_t begin = 0; begin < key.bytes; begin += KeyWord::kMostBytes) {
    const std::size_t bytes = std::min(key.bytes - begin, KeyWord::kMostBytes);
    const KeyWord word(key_offset + begin, bytes, options.descending);
    words.push_back(sorting::key_reader(data.data(), record_bytes, word));
    words.back().bytes = bytes;
  }
  sorting::sort_by_index({&records, 1}, data.size() / record_bytes, words, options);
}

std::optional<std::size_t> first_disorder(std::span<const std::byte> data, std::size_t record_bytes,
                                          std::size_t key_offset, KeyType key,
                                          const SortOptions& options) {
  check_field(data.size(), record_bytes, key_offset, key);
  const Field field{record_bytes, key_offset, key, options.descending};
  const std::size_t size = data.size() / record_bytes;
  const std::size_t first = sorting::first_fall(
      size, data.size(),
      [&](std::size_t begin, std::size_t end) {
        return find_fall_of(data.data(), field, begin, end);
      },
      options);
  return first == size ? std::nullopt : std::optional(first);
}

std::optional<std::size_t> first_disorder(std::span<const std::byte> data, std::size_t record_bytes,
                                          std::size_t key_offset, ByteKey key,
                                          const SortOptions& options) {
  check_byte_key(data.size(), record_bytes, key_offset, key);
  const std::size_t size = data.size() / record_bytes;
  const std::byte* const first_key = data.data() + key_offset;
  const auto falls = [&](std::size_t i) {
    const std::byte* const own = first_key + i * record_bytes;
    const int order = std::memcmp(own, own - record_bytes, key.bytes);
    return options.descending ? order > 0 : order < 0;
  };
  const std::size_t first = sorting::first_fall(
      size, data.size(),
      [&](std::size_t begin, std::size_t end) { return sorting::find_fall(begin, end, falls); },
      options);
  return first == size ? std::nullopt : std::optional(first);
}

}  // namespace postroom
