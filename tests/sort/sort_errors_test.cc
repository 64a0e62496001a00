// What the front door does when something is wrong: one line that says what, and records that are
// as they were, or a permutation.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <limits>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "sort/sort.h"
#include "tests/sort/columns.h"
#include "tests/sort/sorting.h"

namespace postroom {
namespace {

// What a call of sort(keys, options) says, after which the keys must be as they were.
std::string refusal(std::vector<std::uint32_t> keys, const SortOptions& options) {
  const auto before = keys;
  std::string said = "nothing";
  try {
    sort(keys, options);
  } catch (const std::invalid_argument& error) {
    said = error.what();
  }
  EXPECT_EQ(keys, before);
  return said;
}

std::vector<std::uint32_t> falling(std::size_t size) {
  std::vector<std::uint32_t> keys(size);
  std::iota(keys.rbegin(), keys.rend(), 0);
  return keys;
}

TEST(SortErrors, Processors) {
  for (const std::size_t size : {2, 1000, 100'000}) {
    EXPECT_EQ(refusal(falling(size), {.processors = -3}),
              "processors: -3 is not allowed; 1 to 1048576, or 0 for as many as the box gives");
    EXPECT_EQ(
        refusal(falling(size), {.processors = 2'000'000}),
        "processors: 2000000 is not allowed; 1 to 1048576, or 0 for as many as the box gives");
  }
}

TEST(SortErrors, Algorithm) {
  EXPECT_EQ(refusal(falling(2), {.algorithm = static_cast<SortAlgorithm>(17)}),
            "algorithm: 17 is not one of the SortAlgorithm values");
  EXPECT_EQ(to_string(SortAlgorithm::radix_direct), "radix_direct");
}

TEST(SortErrors, AsManyValuesAsKeys) {
  std::vector<int> keys{2, 1};
  std::vector<int> values{1, 2, 3};
  try {
    sort_by_key(keys, values);
    ADD_FAILURE() << "three values for two keys were accepted";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "values: 3 are not allowed; as many as keys, 2");
  }
  EXPECT_EQ(keys, (std::vector<int>{2, 1}));
}

TEST(SortErrors, ScratchTooSmall) {
  for (const std::size_t size : {1, 10, 1000, 100'000}) {
    const std::size_t needed = scratch_bytes(size, 4);
    std::vector<std::byte> scratch(needed / 2);
    const std::string said = refusal(falling(size), {.scratch = scratch});
    EXPECT_EQ(said.find("scratch: " + std::to_string(needed / 2) + " bytes are not allowed; "), 0U)
        << said;
  }
}

TEST(SortErrors, MemoryThatOverlaps) {
  std::vector<std::uint32_t> keys = falling(1000);
  const auto before = keys;
  EXPECT_THROW(sort(keys, {.scratch = std::as_writable_bytes(std::span(keys))}),
               std::invalid_argument);
  const std::span both(keys);
  EXPECT_THROW(sort_by_key(both.subspan(0, 600), both.subspan(400, 600)), std::invalid_argument);
  EXPECT_EQ(keys, before);
  sort_by_key(both.subspan(0, 500), both.subspan(500, 500));  // side by side is well
  EXPECT_TRUE(std::ranges::is_sorted(both.subspan(0, 500)));
}

// Scratch of exactly the size that scratch_bytes tells, beginning anywhere, is enough and nothing
// beyond it is written.
class GivenScratch {
 public:
  explicit GivenScratch(std::size_t bytes, std::size_t offset)
      : memory_(bytes + offset + kMargin, kUntouched), offset_(offset) {}
  std::span<std::byte> get() {
    return std::span(memory_).subspan(offset_, memory_.size() - offset_ - kMargin);
  }
  bool is_whole() const {
    return std::all_of(memory_.end() - kMargin, memory_.end(), is_untouched) &&
           std::all_of(memory_.begin(), memory_.begin() + static_cast<std::ptrdiff_t>(offset_),
                       is_untouched);
  }

 private:
  static constexpr std::size_t kMargin = 256;
  static constexpr std::byte kUntouched{0xA5};
  static bool is_untouched(std::byte byte) { return byte == kUntouched; }

  std::vector<std::byte> memory_;
  std::size_t offset_;
};

TEST(SortErrors, ScratchOfTheToldSizeIsEnough) {
  struct Record {
    std::uint64_t key;
    char rest[92];
  };
  for (const SortAlgorithm algorithm : kSortAlgorithms) {
    for (const std::size_t size : {0, 1, 30, 1000, 50'000}) {
      for (const std::size_t offset : {0, 1, 63}) {
        const SortOptions options{.processors = 2, .algorithm = algorithm};
        const auto with = [&](GivenScratch& scratch) {
          SortOptions given = options;
          given.scratch = scratch.get();
          return given;
        };
        auto keys = keys_of<std::uint32_t>(Distribution::uniform, size, 1);
        GivenScratch for_keys(scratch_bytes(size, 4, options), offset);
        sort(keys, with(for_keys));
        EXPECT_TRUE(std::ranges::is_sorted(keys));
        EXPECT_TRUE(for_keys.is_whole());

        auto floats = keys_of<float>(Distribution::uniform, size, 3);
        sort(floats, with(for_keys));
        EXPECT_TRUE(
            std::ranges::is_sorted(floats, {}, [](float key) { return ordered_bits(key); }));
        EXPECT_TRUE(for_keys.is_whole());

        auto more_keys = keys_of<std::uint64_t>(Distribution::uniform, size, 2);
        std::vector<char> values(size);
        GivenScratch for_both(scratch_bytes(size, 9, options), offset);
        sort_by_key(more_keys, values, with(for_both));
        EXPECT_TRUE(std::ranges::is_sorted(more_keys));
        EXPECT_TRUE(for_both.is_whole());

        GivenScratch for_order(argsort_scratch_bytes(size, 4, options), offset);
        EXPECT_EQ(argsort(keys, with(for_order)).size(), size);
        EXPECT_TRUE(for_order.is_whole());

        std::vector<Record> records(size);
        for (std::size_t i = 0; i < size; ++i) records[i].key = size - i;
        GivenScratch for_records(scratch_bytes(size, sizeof(Record), options), offset);
        sort(records, &Record::key, with(for_records));
        EXPECT_TRUE(std::ranges::is_sorted(records, {}, &Record::key));
        EXPECT_TRUE(for_records.is_whole());
      }
    }
  }
}

TEST(SortErrors, ScratchSizesThatNoMemoryHolds) {
  const std::size_t most = std::numeric_limits<std::size_t>::max();
  EXPECT_THROW(scratch_bytes(most / 2, 3), std::length_error);
  EXPECT_THROW(scratch_bytes(most, 1), std::length_error);
  EXPECT_THROW(argsort_scratch_bytes(most / 8, 8), std::length_error);
  EXPECT_THROW(scratch_bytes(1, 1, {.processors = -1}), std::invalid_argument);
}

// --- Projections that throw.

struct Refused : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Sorts numbered records by a projection that throws when it is called for the `last`-th time, and
// expects the exception, and all the records. Returns whether the projection was called that often.
template <std::size_t kPadding>
bool throws_in_call(std::int64_t last, std::size_t size, int processors) {
  struct Record {
    std::uint64_t key;
    std::uint64_t number;
    std::array<char, kPadding> padding;
  };
  const auto keys = keys_of<std::uint64_t>(Distribution::uniform, size, size);
  std::vector<Record> records(size);
  for (std::size_t i = 0; i < size; ++i) records[i] = {keys[i], i, {}};
  std::atomic<std::int64_t> calls{0};
  const auto projection = [&](const Record& record) {
    if (calls.fetch_add(1, std::memory_order_relaxed) + 1 == last) throw Refused("no more");
    return record.key;
  };
  bool thrown = false;
  try {
    sort(records, projection, {.processors = processors, .pin = false});
  } catch (const Refused& refused) {
    thrown = true;
    EXPECT_STREQ(refused.what(), "no more");
  }
  EXPECT_EQ(thrown, calls >= last);
  std::vector<bool> seen(size);
  for (const Record& record : records) {
    EXPECT_EQ(record.key, keys[record.number]);
    seen[record.number] = true;
  }
  EXPECT_EQ(std::ranges::count(seen, true), static_cast<std::ptrdiff_t>(size))
      << "call " << last << ", n = " << size << ", p = " << processors;
  return thrown;
}

TEST(SortErrors, ProjectionThatThrowsLeavesAPermutation) {
  for (const std::size_t size : {20, 1000, 40'000}) {
    for (const int processors : {1, 2, 3}) {
      std::int64_t last = 1;
      while (throws_in_call<0>(last, size, processors)) last += last / 3 + 1;
      EXPECT_GT(last, static_cast<std::int64_t>(size));
    }
  }
}

TEST(SortErrors, ProjectionOfLargeRecordsThatThrows) {
  for (const int processors : {1, 2}) {
    std::int64_t last = 1;
    while (throws_in_call<100>(last, 40'000, processors)) last += last + 1;
    EXPECT_GT(last, 40'000);
  }
}

TEST(SortErrors, ThrowingWhileKeysAreCountedTouchesNothing) {
  for (const int processors : {1, 2}) {
    auto records = numbered(keys_of<std::uint32_t>(Distribution::uniform, 100'000, 5));
    const auto before = records;
    std::atomic<int> calls{0};
    const auto projection = [&](const Numbered<std::uint32_t>& record) {
      if (++calls == 50'000) throw Refused("early");
      return record.key;
    };
    EXPECT_THROW(sort(records, projection, {.processors = processors}), Refused);
    EXPECT_TRUE(same_records(records, before));
  }
}

// With thresholds so small that all branches run, every call may be the one that throws.
TEST(SortErrors, EveryBranchKeepsAllRecords) {
  for (const int processors : {1, 3}) {
    Machine machine({.processors = processors, .pin = false});
    for (const sorting::SortConfig& config : tiny_configs()) {
      for (std::int64_t last = 1;; last += 1 + last / 16) {
        auto records = numbered(keys_of<std::uint16_t>(Distribution::zipf, 300, 9));
        std::atomic<std::int64_t> calls{0};
        const auto projection = [&](const Numbered<std::uint16_t>& record) {
          if (++calls == last) throw Refused("now");
          return record.key;
        };
        const sorting::ProjectedKey<Numbered<std::uint16_t>, decltype(projection)> key_of{
            projection, 0};
        try {
          sorting::sort_rows<sizeof(records[0])>(std::as_writable_bytes(std::span(records)).data(),
                                                 records.size(), key_of, {.machine = &machine},
                                                 &config);
        } catch (const Refused&) {
        }
        const bool complete = calls < last;
        const auto expected =
            expected_order(numbered(keys_of<std::uint16_t>(Distribution::zipf, 300, 9)));
        if (complete) {
          EXPECT_TRUE(same_records(records, expected));
          break;
        }
        std::ranges::sort(records, {}, &Numbered<std::uint16_t>::number);
        EXPECT_TRUE(
            same_records(records, numbered(keys_of<std::uint16_t>(Distribution::zipf, 300, 9))))
            << "call " << last << ", p = " << processors << ", split_bits " << config.split_bits;
      }
    }
  }
}

// The same for two permutations of keys, NaN or not.
template <class Key>
auto sorted_bits(const std::vector<Key>& keys) {
  std::vector<sorting::KeyBits<Key>> bits;
  for (const Key key : keys) bits.push_back(ordered_bits(key));
  std::ranges::sort(bits);
  return bits;
}

template <class Key>
void expect_progress_ends_the_sort(std::size_t size) {
  for (const Distribution distribution : {Distribution::uniform, Distribution::zipf}) {
    for (const double when : {0.0, 0.3, 0.6, 1.0}) {
      auto keys = keys_of<Key>(distribution, size, 5);
      const auto sorted = sorted_bits(keys);
      const auto progress = [&](double fraction) {
        if (fraction >= when) throw Refused("enough");
      };
      EXPECT_THROW(sort(keys, {.processors = 2, .progress = progress}), Refused);
      EXPECT_EQ(sorted_bits(keys), sorted);
    }
  }
}

TEST(SortErrors, TooManyProcessorsForTheMessagesBetweenAllPairs) {
  std::vector<std::uint32_t> keys{3, 1, 2};
  for (const SortAlgorithm algorithm :
       {SortAlgorithm::radix_direct, SortAlgorithm::radix_two_transpose}) {
    const SortOptions options{.processors = 1'000'000, .algorithm = algorithm};
    EXPECT_THROW(sort(keys, options), std::invalid_argument);
  }
  EXPECT_EQ(keys, (std::vector<std::uint32_t>{3, 1, 2}));
}

TEST(SortErrors, ProgressThatThrowsEndsTheSort) {
  expect_progress_ends_the_sort<std::uint64_t>(500'000);
  // On both sides of zero.
  expect_progress_ends_the_sort<double>(500'000);
}

// Of what is sorted in buckets; other ways may be through in one go.
TEST(SortErrors, ProgressIsToldAllTheWay) {
  for (const auto& [distribution, size] : {std::pair(Distribution::uniform, 2'500'000),
                                           {Distribution::uniform, 1'000'000},
                                           {Distribution::N, 2'500'000}}) {
    const auto pairs_of = [distribution = distribution, size = size](std::uint64_t seed) {
      std::vector<Numbered<std::uint64_t>> pairs;
      for (const std::uint64_t key : keys_of<std::uint64_t>(distribution, size, seed)) {
        pairs.push_back({key, static_cast<std::uint32_t>(pairs.size())});
      }
      return pairs;
    };
    const auto by_key = &Numbered<std::uint64_t>::key;
    for (const int processors : {1, 2}) {
      // Processor 0 tells, and on a busy box others may have done its part before it comes to that.
      constexpr int kEnough = 5;
      constexpr int kTries = 20;
      int calls = 0;
      for (int i = 0; i < kTries && calls <= kEnough; ++i) {
        auto pairs = pairs_of(5);
        calls = 0;
        sort(pairs, by_key, {.processors = processors, .progress = [&](double) { ++calls; }});
        EXPECT_TRUE(std::ranges::is_sorted(pairs, {}, by_key));
      }
      EXPECT_GT(calls, kEnough) << to_string(distribution) << ", " << size << ", " << processors;
      const auto stop = [](double fraction) {
        if (fraction < 1) throw Refused("enough");
      };
      auto others = pairs_of(6);
      EXPECT_THROW(sort(others, by_key, {.processors = processors, .progress = stop}), Refused);
    }
  }
}

// Whatever is told, no other way is taken for that, and the end comes once.
TEST(SortErrors, ProgressOfWaysThatAreThroughInOneGo) {
  for (const Distribution distribution :
       {Distribution::nearly_sorted, Distribution::C, Distribution::S, Distribution::appended}) {
    for (const int processors : {1, 2}) {
      auto keys = keys_of<std::uint64_t>(distribution, 1'000'000, 5);
      std::vector<double> told;
      const auto tell = [&](double fraction) { told.push_back(fraction); };
      sort(keys, {.processors = processors, .progress = tell});
      EXPECT_TRUE(std::ranges::is_sorted(keys));
      EXPECT_TRUE(std::ranges::is_sorted(told));
      ASSERT_FALSE(told.empty());
      EXPECT_EQ(std::ranges::count(told, 1.0), 1);
      EXPECT_EQ(told.back(), 1);
    }
  }
}

}  // namespace
}  // namespace postroom
