// Words moved to both sides of a key.
#include "sort/vectors/word_sides.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "sort/vectors/network_sort.h"

namespace postroom::sorting {
namespace {

using Memory = std::vector<std::uint64_t>;

constexpr std::size_t kAround = 20;

std::byte* bytes_in(Memory& words) {
  return std::as_writable_bytes(std::span(words)).data() + kAround * sizeof(std::uint64_t);
}

// With more at both ends.
Memory with_ends(const std::vector<std::uint64_t>& words, std::uint64_t end) {
  Memory memory(words.size() + 2 * kAround, end);
  std::ranges::copy(words, memory.begin() + kAround);
  return memory;
}

// Whether nothing beside so many words was written.
bool has_ends(const Memory& memory, std::uint64_t end) {
  return std::count(memory.begin(), memory.begin() + kAround, end) == kAround &&
         std::count(memory.end() - kAround, memory.end(), end) == kAround;
}

std::vector<std::uint64_t> first(const Memory& memory, std::size_t count) {
  const auto begin = memory.begin() + kAround;
  return {begin, begin + static_cast<std::ptrdiff_t>(count)};
}

// Who the words below and the others are moved to.
enum class Stay { kBelow, kAbove, kNone };

void expect_sides_taken(const std::vector<std::uint64_t>& words, std::uint64_t limit,
                        const WordKeys& keys, Stay stay) {
  const auto is_below = [&](std::uint64_t word) {
    const auto key = static_cast<std::uint32_t>(keys.are_upper ? word >> 32 : word);
    return std::uint64_t{key ^ keys.flip} < limit;
  };
  std::vector<std::uint64_t> below;
  std::vector<std::uint64_t> above;
  std::ranges::partition_copy(words, std::back_inserter(below), std::back_inserter(above),
                              is_below);
  Memory from = with_ends(words, 97);
  Memory low = with_ends(std::vector<std::uint64_t>(words.size()), 98);
  Memory high = with_ends(std::vector<std::uint64_t>(words.size()), 99);
  Memory& to_low = stay == Stay::kBelow ? from : low;
  Memory& to_high = stay == Stay::kAbove ? from : high;
  const std::size_t count = take_word_sides(bytes_in(from), bytes_in(to_low), bytes_in(to_high),
                                            words.size(), limit, keys);
  ASSERT_EQ(count, below.size()) << "n = " << words.size();
  EXPECT_EQ(first(to_low, count), below) << "n = " << words.size();
  EXPECT_EQ(first(to_high, words.size() - count), above) << "n = " << words.size();
  EXPECT_TRUE(has_ends(from, 97));
  EXPECT_TRUE(has_ends(low, 98));
  EXPECT_TRUE(has_ends(high, 99));
}

// Into places of just so many, beside which nothing may be written.
void expect_counted_sides_taken(const std::vector<std::uint64_t>& words, std::uint64_t limit,
                                const WordKeys& keys) {
  Memory from = with_ends(words, 97);
  Memory low(words.size());
  Memory high(words.size());
  const auto in = [](Memory& memory) { return std::as_writable_bytes(std::span(memory)).data(); };
  const std::size_t below =
      take_word_sides(bytes_in(from), in(low), in(high), words.size(), limit, keys);
  low.resize(below);
  high.resize(words.size() - below);
  from = with_ends(words, 97);  // it may have been
  EXPECT_EQ(count_words_below(bytes_in(from), words.size(), limit, keys), below);
  Memory found_low = with_ends(std::vector<std::uint64_t>(below), 98);
  Memory found_high = with_ends(std::vector<std::uint64_t>(high.size()), 99);
  take_counted_word_sides(bytes_in(from), bytes_in(found_low), below, bytes_in(found_high),
                          words.size(), limit, keys);
  EXPECT_EQ(found_low, with_ends(low, 98)) << "n = " << words.size();
  EXPECT_EQ(found_high, with_ends(high, 99)) << "n = " << words.size();
  EXPECT_EQ(from, with_ends(words, 97));
}

TEST(WordSides, AreTakenInOrder) {
  if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  std::mt19937_64 random(20261127);
  for (std::size_t size = 0; size < 200; ++size) {
    for (const bool are_upper : {false, true}) {
      for (const std::uint32_t flip : {0U, ~0U, 1U << 31}) {
        for (const Stay stay : {Stay::kBelow, Stay::kAbove, Stay::kNone}) {
          std::vector<std::uint64_t> words(size);
          for (std::uint64_t& word : words) {
            const std::uint64_t key = random() % 7 | (random() % 2) << 31;
            const std::uint64_t other = random() & 0xFFFF'FFFF;
            word = are_upper ? key << 32 | other : other << 32 | key;
          }
          const auto key = static_cast<std::uint32_t>(random() % 8 | (random() % 2) << 31);
          // None, some and all are below.
          for (const std::uint64_t limit :
               {std::uint64_t{0}, std::uint64_t{key ^ flip}, std::uint64_t{1} << 32}) {
            expect_sides_taken(words, limit, {are_upper, flip}, stay);
            if (stay == Stay::kNone) {
              expect_counted_sides_taken(words, limit, {are_upper, flip});
            }
          }
        }
      }
    }
  }
}

// All on one side come first, so that this one is full when most of the others are to be moved.
TEST(WordSides, AreTakenInOrderWhereOneComesFirst) {
  if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  for (const std::size_t size : {100, 1000, 5000}) {
    for (const bool lows_first : {false, true}) {
      std::vector<std::uint64_t> words(size);
      for (std::size_t i = 0; i < size; ++i) {
        const std::uint64_t key = (i < size / 3) == lows_first ? 1 : 2;
        words[i] = key << 32 | i;
      }
      expect_counted_sides_taken(words, 2, {true, 0});
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
