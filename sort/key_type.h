// The types of keys that are chosen while the program runs: what stands in a file's description.
//
//   key_bytes(KeyType::f32);          // 4
//   to_string(KeyType::i16);          // "i16"
#pragma once

#include <array>
#include <cstddef>
#include <string>

namespace postroom {

/// u: unsigned, i: signed, f: floating point; with the number of bits. In memory as this box has
/// them.
enum class KeyType { u8, u16, u32, u64, i8, i16, i32, i64, f32, f64 };

inline constexpr std::array kKeyTypes{KeyType::u8,  KeyType::u16, KeyType::u32, KeyType::u64,
                                      KeyType::i8,  KeyType::i16, KeyType::i32, KeyType::i64,
                                      KeyType::f32, KeyType::f64};

/// The size of the largest record that has such a key.
inline constexpr std::size_t kMostRecordBytes = 65536;

/// 1, 2, 4 or 8.
std::size_t key_bytes(KeyType type);
bool is_signed(KeyType type);
bool is_floating(KeyType type);

/// A key of bytes, the first the most significant: a big-endian unsigned number, or characters in
/// the order of memcmp.
struct ByteKey {
  std::size_t bytes;

  bool operator==(const ByteKey&) const = default;
};

/// "u8" … "f64".
std::string to_string(KeyType type);

}  // namespace postroom
