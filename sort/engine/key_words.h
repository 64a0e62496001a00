// Words of 64 bits that stand for records: the bits of a key above the number of its record.
//
// No two are alike, so whatever sorts bare keys sorts them, and they say then which record is to be
// the first, and so on, stably. Where there is no room for all bits in which keys differ, the
// lowest are left out; words alike in the others are put right afterwards.
//
//   const KeyWords key_words(varying, width_of(size - 1));
//   for (…) words[i] = key_words.of(records.key(i), i);
//   sort(words);
//   if (key_words.left_out(varying) != 0) key_words.order_alike(records, words, sort);
//   // Record key_words.number(words[i]) is to be the i-th.
//
// Source: our own; the number in the low bits is the usual way to make any sort stable.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "numa/rounding.h"
#include "sort/engine/digit.h"

namespace postroom::sorting {

class KeyWords {
 public:
  /// For keys that differ in some of these bits, and numbers of so many.
  KeyWords(std::uint64_t varying, int number_bits) noexcept
      : number_bits_(number_bits), left_out_(std::max(width_of(varying) - (64 - number_bits), 0)) {}

  /// Whether that tells keys apart that differ in these bits, but for those that are left out.
  bool cover(std::uint64_t varying) const noexcept {
    return width_of(varying) <= 64 - number_bits_ + left_out_;
  }
  /// Those of these bits that words do not have.
  std::uint64_t left_out(std::uint64_t varying) const noexcept {
    return varying & low_bits(left_out_);
  }

  std::uint64_t of(std::uint64_t key, std::size_t number) const noexcept {
    return key >> left_out_ << number_bits_ | number;
  }
  std::size_t number(std::uint64_t word) const noexcept { return word & low_bits(number_bits_); }

  /// Puts those of words in order, which are sorted, that are alike but for their numbers. Of more
  /// than a few of them sort(span) does it. Afterwards words only tell numbers. What a key throws
  /// goes through.
  template <class Records, class Sort>
  void order_alike(const Records& records, std::span<std::uint64_t> words, const Sort& sort) const {
    constexpr std::size_t kFew = 16;
    for (std::size_t begin = 0, end = 0; begin < words.size(); begin = end) {
      const std::uint64_t above = words[begin] >> number_bits_;
      while (++end < words.size() && words[end] >> number_bits_ == above) {
      }
      if (end - begin == 1) continue;
      const std::span alike = words.subspan(begin, end - begin);
      for (std::uint64_t& word : alike) {
        const std::size_t number = this->number(word);
        word = left_out(records.key(number)) << number_bits_ | number;
      }
      if (alike.size() <= kFew) {
        std::ranges::sort(alike);
      } else {
        sort(alike);
      }
    }
  }

 private:
  int number_bits_;
  int left_out_;
};

}  // namespace postroom::sorting
