// Few keys sorted by a network.
#include "sort/vectors/network_sort.h"

#include <gtest/gtest.h>
#ifdef __x86_64__
#include <immintrin.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "numa/rounding.h"
#include "sort/keys.h"
#include "sort/vectors/network_vectors.h"

namespace postroom::sorting {
namespace {

constexpr std::uint64_t kSeed = 20261122;

template <class T>
std::byte* bytes_in(std::vector<T>& keys) {
  return std::as_writable_bytes(std::span(keys)).data();
}

/// Random keys, some of them the smallest or the largest there are.
template <class Key>
std::vector<Key> keys_of(std::size_t size, std::mt19937_64& random) {
  std::vector<Key> keys(size);
  for (Key& key : keys) {
    key = static_cast<Key>(random());
    if (random() % 8 == 0) key = std::numeric_limits<Key>::max();
    if (random() % 8 == 0) key = std::numeric_limits<Key>::min();
  }
  return keys;
}

template <class Key>
void expect_sorted_by_networks() {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  using Bits = KeyBits<Key>;
  const auto most = most_in_network<Bits>(network_vector_bytes());
  std::mt19937_64 random(kSeed);
  for (std::size_t size = 0; size <= most; ++size) {
    for (const std::size_t behind : {std::size_t{0}, std::size_t{1}, most}) {
      for (const bool descending : {false, true}) {
        const std::string what = "n = " + std::to_string(size) + ", " + std::to_string(behind) +
                                 " behind" + (descending ? ", descending" : "");
        const Bits flip = flip_mask<Bits>(is_signed_key<Key>(), descending);
        std::vector<Key> from = keys_of<Key>(size, random);
        std::vector<Key> to = keys_of<Key>(size + behind, random);
        std::vector<Key> expected = from;
        std::ranges::sort(expected);
        if (descending) std::ranges::reverse(expected);
        expected.insert(expected.end(), to.end() - static_cast<std::ptrdiff_t>(behind), to.end());
        sort_by_network(bytes_in(from), bytes_in(to), size, to.size(), flip);
        ASSERT_EQ(to, expected) << what << ", seed " << kSeed;

        std::copy_n(from.begin(), size, to.begin());
        sort_by_network(bytes_in(to), bytes_in(to), size, to.size(), flip);
        ASSERT_EQ(to, expected) << "in place, " << what << ", seed " << kSeed;
      }
    }
  }
}

/// Bits of numbers of all kinds, zeros, infinities and NaNs of both signs among them.
template <class Bits>
std::vector<Bits> numbers_of(std::size_t size, std::mt19937_64& random) {
  using Number = std::conditional_t<sizeof(Bits) == sizeof(float), float, double>;
  constexpr std::array kOdd{Number{0}, std::numeric_limits<Number>::infinity(),
                            std::numeric_limits<Number>::quiet_NaN(),
                            std::numeric_limits<Number>::denorm_min()};
  std::vector<Bits> numbers(size);
  for (Bits& bits : numbers) {
    bits = static_cast<Bits>(random());
    if (random() % 4 != 0) continue;
    bits = std::bit_cast<Bits>(kOdd[random() % kOdd.size()]);
    if (random() % 2 == 0) bits |= kTopBit<Bits>;
  }
  return numbers;
}

template <class Bits>
void expect_floats_sorted_by_networks() {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  const auto most = most_in_network<Bits>(network_vector_bytes());
  std::mt19937_64 random(kSeed);
  for (std::size_t size = 0; size <= most; ++size) {
    for (const bool descending : {false, true}) {
      const Bits flip = flip_mask<Bits>(true, descending);
      std::vector<Bits> numbers = numbers_of<Bits>(size + 1, random);  // one behind
      std::vector<Bits> expected = numbers;
      std::sort(expected.begin(), expected.end() - 1, [&](Bits a, Bits b) {
        return (fold_negative(a) ^ flip) < (fold_negative(b) ^ flip);
      });
      sort_floats_by_network(bytes_in(numbers), size, flip);
      ASSERT_EQ(numbers, expected)
          << "n = " << size << (descending ? ", descending" : "") << ", seed " << kSeed;
    }
  }
}

TEST(NetworkSort, SortsFloatingPointNumbersWhereTheyLie) {
  expect_floats_sorted_by_networks<std::uint32_t>();
  expect_floats_sorted_by_networks<std::uint64_t>();
}

std::uint64_t turned_if(bool lower, std::uint64_t word) {
  return lower ? std::rotl(word, 32) : word;
}

enum class Alike { kNone, kTwo, kMany, kSome };

/// Words with such keys above, in any order. The low halves tell them apart.
std::vector<std::uint64_t> words_of(std::size_t size, Alike alike, std::mt19937_64& random) {
  std::vector<std::uint32_t> keys(size);
  const auto high = static_cast<std::uint32_t>(random());
  for (std::size_t i = 0; i < size; ++i) {
    keys[i] = static_cast<std::uint32_t>((i + high) * 2654435761U);  // all different
  }
  if (alike == Alike::kTwo && size > 1) keys[random() % (size - 1)] = keys.back();
  if (alike == Alike::kMany) {
    for (std::uint32_t& key : keys) key &= 0xF;
  }
  if (alike == Alike::kSome) {  // at both sides of what there is room for
    const auto low = (std::uint32_t{1} << (20 + random() % 11)) - 1;
    for (std::uint32_t& key : keys) key = (key & low) | (high & ~low);
    if (size > 1) keys[random() % (size - 1)] = keys.back();
  }
  std::ranges::shuffle(keys, random);
  std::vector<std::uint64_t> words(size);
  for (std::size_t i = 0; i < size; ++i) {
    words[i] = std::uint64_t{keys[i]} << 32 | static_cast<std::uint32_t>(random());
  }
  return words;
}

void expect_sorted_by_half(bool by_upper) {
  const std::size_t most = most_in_network<std::uint64_t>(network_vector_bytes());
  std::mt19937_64 random(kSeed);
  for (std::size_t size = 0; size <= most; ++size) {
    for (const std::size_t behind : {std::size_t{0}, std::size_t{3}, most}) {
      for (const Alike alike : {Alike::kNone, Alike::kTwo, Alike::kMany, Alike::kSome}) {
        for (const std::uint32_t flip : {0U, ~0U, kTopBit<std::uint32_t>}) {
          std::vector<std::uint64_t> words = words_of(size, alike, random);
          const auto key = [&](std::uint64_t word) {
            return static_cast<std::uint32_t>(word >> 32) ^ flip;
          };
          std::vector<std::uint64_t> expected = words;
          std::ranges::stable_sort(expected, {}, key);
          for (std::uint64_t& word : words) word = turned_if(!by_upper, word);
          std::vector<std::uint64_t> to(size + behind, 77);
          const std::string what = "n = " + std::to_string(size) + ", " + std::to_string(behind) +
                                   " behind, flip " + std::to_string(flip) + ", alike " +
                                   std::to_string(static_cast<int>(alike)) + ", seed " +
                                   std::to_string(kSeed);
          sort_words_by_network(bytes_in(words), bytes_in(to), size, to.size(), by_upper, flip);
          for (std::size_t i = 0; i < behind; ++i) ASSERT_EQ(to[size + i], 77) << what;
          to.resize(size);
          for (std::uint64_t& word : to) word = turned_if(!by_upper, word);
          ASSERT_EQ(to, expected) << what;

          std::ranges::copy(words, to.begin());
          sort_words_by_network(bytes_in(to), bytes_in(to), size, size, by_upper, flip);
          for (std::uint64_t& word : to) word = turned_if(!by_upper, word);
          ASSERT_EQ(to, expected) << "in place, " << what;
        }
      }
    }
  }
}

TEST(NetworkSort, SortsWordsStablyByTheirHalves) {
  if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  expect_sorted_by_half(/*by_upper=*/true);
  expect_sorted_by_half(/*by_upper=*/false);
}

#ifdef __x86_64__
// The vectors that are not the widest of this processor are used nowhere else on it.
template <class Lane>
void expect_sorted_by_avx2() {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  constexpr std::size_t kMost = most_in_network<Lane>(kAvx2Bytes);
  std::mt19937_64 random(kSeed);
  for (std::size_t size = 0; size <= kMost; ++size) {
    for (const std::size_t behind : {std::size_t{0}, std::size_t{1}, kMost}) {
      std::vector<Lane> from = keys_of<Lane>(size, random);
      std::vector<Lane> to = keys_of<Lane>(size + behind, random);
      std::vector<Lane> expected = from;
      std::ranges::sort(expected);
      expected.insert(expected.end(), to.end() - static_cast<std::ptrdiff_t>(behind), to.end());
      sort_by_avx2(bytes_in(from), bytes_in(to), size, to.size(), Lane{0});
      ASSERT_EQ(to, expected) << "n = " << size << ", " << behind << " behind, seed " << kSeed;
    }
  }
}

/// Such keys with the same highest three bits: some have them all with all others, too, or with
/// none.
std::vector<std::int64_t> keys_of_one_top(std::size_t size, std::uint64_t top,
                                          std::mt19937_64& random) {
  std::vector<std::int64_t> keys = keys_of<std::int64_t>(size, random);
  constexpr int kBelow = 61;
  for (std::int64_t& key : keys) {
    const std::uint64_t below = static_cast<std::uint64_t>(key) & low_bits(kBelow);
    key = static_cast<std::int64_t>(top << kBelow | below);
  }
  return keys;
}

/// Keys that are read as floating-point numbers; any one may have another top.
void expect_sorted_as_numbers(bool but_one) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  constexpr std::size_t kMost = most_in_network<std::int64_t>(kAvx2Bytes);
  constexpr auto kSign = std::numeric_limits<std::int64_t>::min();
  std::mt19937_64 random(kSeed);
  for (std::size_t size = but_one ? 2 : 1; size <= kMost; ++size) {
    for (std::uint64_t top = 0; top < 8; ++top) {
      for (const std::int64_t flip : {std::int64_t{0}, std::int64_t{-1}, kSign, ~kSign}) {
        std::vector<std::int64_t> from = keys_of_one_top(size, top, random);
        if (but_one)
          from[random() % size] = keys_of_one_top(1, top ^ (1 + random() % 7), random)[0];
        std::vector<std::int64_t> expected = from;
        std::ranges::sort(expected, {}, [&](std::int64_t key) { return key ^ flip; });
        std::vector<std::int64_t> to(size);
        sort_by_avx2(bytes_in(from), bytes_in(to), size, size, flip);
        ASSERT_EQ(to, expected) << "n = " << size << ", top " << top << ", flip " << flip
                                << ", seed " << kSeed;
      }
    }
  }
}

TEST(NetworkSort, SortsThoseOfOneTopByAvx2) { expect_sorted_as_numbers(/*but_one=*/false); }
TEST(NetworkSort, SortsThoseOfOneTopButOneByAvx2) { expect_sorted_as_numbers(/*but_one=*/true); }

// Small numbers taken for 0, and a signal for whatever the unit has to tell.
TEST(NetworkSort, SortsHoweverTheFloatingPointUnitIsSet) {
  constexpr unsigned kAllMasked = 0x1f80;
  constexpr unsigned kSmallAreZero = 0x8040;
  const unsigned before = _mm_getcsr();
  _mm_setcsr((before & ~kAllMasked) | kSmallAreZero);
  expect_sorted_as_numbers(/*but_one=*/false);
  expect_sorted_as_numbers(/*but_one=*/true);
  _mm_setcsr(before);
}

TEST(NetworkSort, SortsEverySizeOf32BitsByAvx2) { expect_sorted_by_avx2<std::int32_t>(); }
TEST(NetworkSort, SortsEverySizeOf64BitsByAvx2) { expect_sorted_by_avx2<std::int64_t>(); }
#endif

TEST(NetworkSort, SortsEverySizeOf32Bits) { expect_sorted_by_networks<std::uint32_t>(); }
TEST(NetworkSort, SortsEverySizeOf32BitsSigned) { expect_sorted_by_networks<std::int32_t>(); }
TEST(NetworkSort, SortsEverySizeOf64Bits) { expect_sorted_by_networks<std::uint64_t>(); }
TEST(NetworkSort, SortsEverySizeOf64BitsSigned) { expect_sorted_by_networks<std::int64_t>(); }

}  // namespace
}  // namespace postroom::sorting
