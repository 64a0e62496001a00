// The fingerprint does not see the order and sees everything else.
#include "cli/keys/fingerprint.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace postroom::cli {
namespace {

std::vector<std::uint64_t> random_keys(std::size_t count) {
  std::mt19937_64 random(4);
  std::vector<std::uint64_t> keys(count);
  for (std::uint64_t& key : keys) key = random() % 100;
  return keys;
}

Fingerprint of(const std::vector<std::uint64_t>& keys, std::size_t record_bytes = 8) {
  return fingerprint_of_records(std::as_bytes(std::span(keys)), record_bytes);
}

Fingerprint of_text(const std::string& text, std::size_t chunk_bytes = 1 << 20) {
  return fingerprint_of_lines(text, chunk_lines(text, chunk_bytes));
}

TEST(Fingerprint, IsTheSameInEveryOrder) {
  std::vector<std::uint64_t> keys = random_keys(300'000);
  const Fingerprint before = of(keys);
  std::ranges::sort(keys);
  EXPECT_EQ(of(keys), before);
  EXPECT_EQ(before.records, keys.size());
}

TEST(Fingerprint, SeesOneChangedBit) {
  std::vector<std::uint64_t> keys = random_keys(10'000);
  const Fingerprint before = of(keys);
  for (int bit = 0; bit < 64; ++bit) {
    keys[bit * 100] ^= std::uint64_t{1} << bit;
    EXPECT_NE(of(keys), before) << bit;
    keys[bit * 100] ^= std::uint64_t{1} << bit;
  }
  EXPECT_EQ(of(keys), before);
}

TEST(Fingerprint, CountsEqualRecords) {
  EXPECT_NE(of({5, 5, 7}), of({5, 7, 7}));
  EXPECT_NE(of({5, 5}), of({5, 5, 5}));
  EXPECT_NE(of({5, 5}), of({7, 7}));  // an exclusive or would not see these
  EXPECT_NE(of({1, 4}), of({2, 3}));  // nor would a plain sum
}

TEST(Fingerprint, SeesWhichBytesAreOneRecord) {
  EXPECT_EQ(of({1, 2, 3, 4}, 16), of({3, 4, 1, 2}, 16));
  EXPECT_NE(of({1, 2, 3, 4}, 16), of({1, 4, 3, 2}, 16));
  for (const std::size_t record_bytes : {1, 2, 3, 4, 6, 8, 12, 16, 24, 48}) {
    EXPECT_EQ(of({1, 2, 3, 4, 5, 6}, record_bytes).records, 48 / record_bytes);
  }
}

TEST(Fingerprint, OfPartsAddsUp) {
  const std::vector<std::uint64_t> keys = random_keys(1000);
  Fingerprint sum = of({keys.begin(), keys.begin() + 123});
  sum += of({keys.begin() + 123, keys.end()});
  EXPECT_EQ(sum, of(keys));
}

TEST(Fingerprint, OfLinesIgnoresOrderChunksAndTheLastEnd) {
  EXPECT_EQ(of_text("a\nbb\n\nbb"), of_text("bb\n\nbb\na\n", 1));
  EXPECT_NE(of_text("a\nb\n"), of_text("ab\n\n"));
  EXPECT_NE(of_text("1\n"), of_text("01\n"));
  EXPECT_EQ(of_text("").records, 0u);
}

TEST(Fingerprint, IsPrintedWithAllItsDigits) {
  EXPECT_EQ(hex({.low = 0xab, .high = 1, .records = 9}), "000000000000000100000000000000ab");
}

}  // namespace
}  // namespace postroom::cli
