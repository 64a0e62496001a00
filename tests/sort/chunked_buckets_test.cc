// Buckets filled in chunks by several processors: what is gathered is what was placed, in order.
#include "sort/engine/chunked_buckets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "sort/engine/team.h"
#include "tests/sort/pair_rows.h"

namespace postroom::sorting {
namespace {

/// A key is the number of its bucket.
struct Bucket {
  std::size_t of(std::uint32_t key) const { return key; }
};

std::vector<Pair> numbered_keys(std::size_t records, std::uint32_t buckets, bool to_one) {
  std::mt19937 random(static_cast<unsigned>(records));
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < records; ++i) {
    const std::uint32_t key = to_one ? buckets - 1 : random() % buckets;
    pairs.push_back({key, static_cast<std::uint32_t>(i)});
  }
  return pairs;
}

void expect_gathers(std::size_t records, std::uint32_t buckets, std::size_t processors,
                    bool to_one) {
  const std::string what = std::to_string(records) + " in " + std::to_string(buckets) + " by " +
                           std::to_string(processors) + (to_one ? ", to one" : "");
  std::vector<Pair> pairs = numbered_keys(records, buckets, to_one);
  ChunkedBuckets<Pairs> placed(buckets, records, processors);
  for (std::size_t i = 0; i < processors; ++i) {
    placed.take_memory(i);
    const Range share = share_of({0, records}, i, processors);
    constexpr std::size_t kPiece = 100;
    for (std::size_t from = share.begin; from < share.end; from += kPiece) {
      placed.place(i, Pairs(bytes_in(pairs), PairKey()).from(from),
                   std::min(kPiece, share.end - from), Bucket{});
    }
  }
  std::vector<Pair> gathered;
  for (std::uint32_t b = 0; b < buckets; ++b) {
    std::vector<Pair> bucket(placed.size(b));
    placed.gather(b, bytes_in(bucket));
    gathered.insert(gathered.end(), bucket.begin(), bucket.end());
  }
  EXPECT_TRUE(gathered == sorted(pairs)) << what;
}

TEST(ChunkedBuckets, HoldWhatIsPlacedInOrder) {
  for (const std::size_t records : {0, 1, 5, 1000, 50'000}) {
    for (const std::uint32_t buckets : {1, 2, 7, 300}) {
      for (const std::size_t processors : {1, 2, 5}) {
        expect_gathers(records, buckets, processors, false);
        expect_gathers(records, buckets, processors, true);
      }
    }
  }
}

TEST(ChunkedBuckets, TakeLittleMoreThanTheRecords) {
  for (const std::size_t processors : {1, 2, 16, 64}) {
    const std::size_t records = 100'000'000;
    const std::size_t bytes = ChunkedBuckets<Pairs>::bytes(1024, records, processors);
    EXPECT_GT(bytes, records * 8);
    EXPECT_LT(bytes, records * 8 * 10 / 9) << processors;
  }
}

}  // namespace
}  // namespace postroom::sorting
