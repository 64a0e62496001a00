// Keys that lie somewhere in a record: where and of what type is known only while the program runs.
//
// A FieldKey reads one by a load, a shift and a mask, the same for all types: the load is of 8
// bytes where the record has as many, and takes in the key wherever that lies. Records of fewer
// bytes are loaded whole. A NumberKey is for keys of one size: it only loads, and vectors can
// compare what it reads.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "sort/compiled_sizes.h"
#include "sort/engine/digit.h"
#include "sort/key_type.h"
#include "sort/keys.h"

namespace postroom::sorting {

/// Where the key is, and which way to sort.
struct Field {
  std::size_t record_bytes;
  std::size_t offset;  ///< offset + key_bytes(type) <= record_bytes
  KeyType type;
  bool descending;
};

/// The type of keys that are K.
template <class K>
constexpr KeyType key_type_of() {
  constexpr int kWidth = std::countr_zero(sizeof(K));  // 1, 2, 4, 8
  constexpr KeyType kFirst = kIsFloatingKey<K>    ? KeyType::f32
                             : is_signed_key<K>() ? KeyType::i8
                                                  : KeyType::u8;
  return kKeyTypes[static_cast<std::size_t>(kFirst) +
                   static_cast<std::size_t>(kIsFloatingKey<K> ? kWidth - 2 : kWidth)];
}

/// That there can be such a field, and `bytes` be such records. Throws std::invalid_argument, in
/// one line.
void check_field(std::size_t bytes, std::size_t record_bytes, std::size_t key_offset, KeyType key);

/// Whether a record is nothing but its key.
inline bool is_whole(const Field& field) { return field.record_bytes == key_bytes(field.type); }

/// How many bytes a FieldKey for such records loads.
constexpr std::size_t field_load_bytes(std::size_t record_bytes) {
  return std::min<std::size_t>(record_bytes, 8);
}

/// Reads the key of a record of at least kLoadBytes, as an unsigned integer in its order.
template <std::size_t kLoadBytes>
class FieldKey {
 public:
  using Bits = std::uint64_t;
  static constexpr bool kWholeRecord = false;

  explicit FieldKey(const Field& field)
      : load_at_(std::min(field.offset, field.record_bytes - kLoadBytes)),
        shift_(static_cast<int>(8 * (field.offset - load_at_))) {
    static_assert(std::endian::native == std::endian::little);
    const int bits = static_cast<int>(8 * key_bytes(field.type));
    mask_ = low_bits(bits);
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1);
    if (is_floating(field.type)) {
      negative_ = sign;
      fold_ = mask_ & ~sign;
    }
    flip_ = is_signed(field.type) ? sign : 0;
    if (field.descending) flip_ ^= mask_;
  }

  Bits operator()(const std::byte* record) const noexcept {
    std::uint64_t loaded = 0;
    std::memcpy(&loaded, record + load_at_, kLoadBytes);
    const std::uint64_t bits = (loaded >> shift_) & mask_;
    // Negative floats order the other way (fold_negative in sort/keys.h).
    return bits ^ flip_ ^ ((bits & negative_) != 0 ? fold_ : 0);
  }

 private:
  std::size_t load_at_;
  int shift_;
  std::uint64_t mask_ = 0;
  std::uint64_t negative_ = 0;  // the sign of a float; nothing for integers
  std::uint64_t fold_ = 0;
  std::uint64_t flip_ = 0;
};

/// Reads the key of a record, a number of the size of BitsType at any place of it.
template <class BitsType, bool kFloating>
class NumberKey {
 public:
  using Bits = BitsType;
  static constexpr bool kWholeRecord = false;
  /// In order by key ^ all_flipped() as they are in memory; floating-point numbers when they have
  /// been folded (fold_negative).
  static constexpr bool kIsField = !kFloating;
  static constexpr bool kIsFoldedField = kFloating;

  explicit NumberKey(const Field& field)
      : offset_(field.offset), flip_(flip_mask<Bits>(is_signed(field.type), field.descending)) {}

  Bits operator()(const std::byte* record) const noexcept {
    Bits bits;
    std::memcpy(&bits, record + offset_, sizeof(bits));
    if constexpr (kFloating) bits = fold_negative(bits);
    return static_cast<Bits>(bits ^ flip_);
  }

  std::size_t offset(const std::byte* /*record*/) const noexcept { return offset_; }
  Bits all_flipped() const noexcept { return flip_; }

 private:
  std::size_t offset_;
  Bits flip_;
};

/// Calls `use` with a NumberKey of that kind, if the keys of records of kBytes are so and there is
/// code for it; whether it did.
template <std::size_t kBytes, class Bits, bool kFloating, class Use>
bool with_number_key(const Field& field, Use&& use) {
  if constexpr (is_common_kind(kBytes, sizeof(Bits), kFloating)) {
    if (key_bytes(field.type) == sizeof(Bits) && is_floating(field.type) == kFloating) {
      use(NumberKey<Bits, kFloating>(field));
      return true;
    }
  }
  return false;
}

/// Calls `use` with what reads the keys of records of kBytes: a NumberKey where is_common_kind()
/// (sort/compiled_sizes.h), else a FieldKey.
template <std::size_t kBytes, class Use>
void with_record_key(const Field& field, Use&& use) {
  if (with_number_key<kBytes, std::uint32_t, false>(field, use)) return;
  if (with_number_key<kBytes, std::uint64_t, false>(field, use)) return;
  if (with_number_key<kBytes, std::uint32_t, true>(field, use)) return;
  if (with_number_key<kBytes, std::uint64_t, true>(field, use)) return;
  use(FieldKey<field_load_bytes(kBytes)>(field));
}

}  // namespace postroom::sorting
