// Few rows in order, one behind the other, are merged.
#include "sort/run_merge.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "runtime/machine.h"
#include "sort/failure.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/merge_two.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

using Record = Numbered<std::uint32_t>;

/// Reads the key; throws once `left` reads have been made, by whomever.
struct KeyOfRecord {
  using Bits = std::uint32_t;
  static constexpr bool kWholeRecord = false;

  std::atomic<std::int64_t>* left = nullptr;

  Bits operator()(const std::byte* record) const {
    // Relaxed: only the number counts.
    if (left != nullptr && left->fetch_sub(1, std::memory_order_relaxed) <= 0) {
      throw std::runtime_error("no key");
    }
    return reinterpret_cast<const Record*>(record)->key;
  }
};

using Records = Rows<sizeof(Record), KeyOfRecord>;

Records rows_of(std::vector<Record>& records, std::atomic<std::int64_t>* left = nullptr) {
  return {std::as_writable_bytes(std::span(records)).data(), {left}};
}

/// Rows in order of these sizes, of keys below `keys`, one behind the other.
std::vector<Record> rows_of_sizes(const std::vector<std::size_t>& sizes, std::uint32_t keys) {
  std::mt19937 random(static_cast<std::uint32_t>(sizes.size()));
  std::vector<std::uint32_t> all;
  for (const std::size_t size : sizes) {
    std::vector<std::uint32_t> row(size);
    for (std::uint32_t& key : row) key = random() % keys;
    std::ranges::sort(row);
    all.insert(all.end(), row.begin(), row.end());
  }
  return numbered(all);
}

TEST(MergeTwo, IsStable) {
  for (const std::uint32_t keys : {1U, 3U, 50U, 1U << 30}) {
    for (const std::size_t first : {0, 1, 15, 16, 40, 200}) {
      for (const std::size_t second : {0, 1, 15, 16, 40, 200}) {
        std::vector<Record> records = rows_of_sizes({first, second}, keys);
        std::vector<Record> merged(records.size() + 2, Record{7, 7});
        merge_two(rows_of(records), {0, first}, {first, first + second}, rows_of(merged), 1);
        EXPECT_EQ(merged.front().number + merged.back().number, 14U);
        merged.erase(merged.begin());
        merged.pop_back();
        EXPECT_TRUE(same_records(merged, expected_order(records)))
            << first << " and " << second << " of " << keys;
      }
    }
  }
}

enum class Merged { kYes, kTooMany, kFailed };

/// Runs the merge on so many processors, and fails after so many reads of a key.
Merged run(std::vector<Record>& records, const SortConfig& config, int processors,
           std::int64_t reads = -1) {
  std::atomic<std::int64_t> left = reads;
  std::atomic<std::int64_t>* const limit = reads < 0 ? nullptr : &left;
  std::vector<Record> away(records.size());
  RunMerge<Records> runs(rows_of(records, limit), rows_of(away, limit), records.size(),
                         static_cast<std::size_t>(processors), config);
  Failure failure;
  std::atomic<bool> done = true;
  Machine machine({.processors = processors, .pin = false});
  machine.run([&](Processor& self) {
    Steps steps(Team(self), failure);
    if (!runs.run(steps)) done = false;
  });
  if (failure.by(1000)) return Merged::kFailed;
  return done ? Merged::kYes : Merged::kTooMany;
}

bool pays(std::vector<Record> records, const SortConfig& config) {
  return RunMerge<Records>(rows_of(records), rows_of(records), records.size(), 1, config).pays();
}

class RunMergeTest : public testing::TestWithParam<int> {};

TEST_P(RunMergeTest, MergesRowsOfAllSizes) {
  for (const std::uint32_t keys : {1U, 4U, 1000U, 1U << 30}) {
    for (const std::vector<std::size_t>& sizes : std::vector<std::vector<std::size_t>>{
             {1, 1},
             {3, 500},
             {500, 3},
             {300, 300, 300},
             {1000, 1, 1, 700, 40},
             {64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 64}}) {
      for (const std::size_t leaf_bytes : {64, 4096, 1 << 20}) {
        const SortConfig config{.leaf_bytes = leaf_bytes};
        std::vector<Record> records = rows_of_sizes(sizes, keys);
        const std::vector<Record> expected = expected_order(records);
        EXPECT_EQ(run(records, config, GetParam()), Merged::kYes);
        EXPECT_TRUE(same_records(records, expected))
            << sizes.size() << " rows of keys below " << keys << ", leaf_bytes = " << leaf_bytes;
      }
    }
  }
}

TEST_P(RunMergeTest, LeavesTooManyRowsAsTheyAre) {
  std::vector<Record> records = rows_of_sizes(std::vector<std::size_t>(17, 50), 1U << 30);
  const std::vector<Record> before = records;
  EXPECT_EQ(run(records, {}, GetParam()), Merged::kTooMany);
  EXPECT_TRUE(same_records(records, before));
  EXPECT_EQ(run(records, {.most_runs = 17}, GetParam()), Merged::kYes);
  EXPECT_TRUE(same_records(records, expected_order(before)));
}

TEST_P(RunMergeTest, LeavesAPermutationWhenAKeyThrows) {
  bool failed = true;
  for (std::int64_t reads = 0; failed; reads += 1 + reads / 8) {
    std::vector<Record> records = rows_of_sizes({100, 200, 50, 150, 1}, 1000);
    const std::vector<Record> expected = expected_order(records);
    failed = run(records, {.leaf_bytes = 512}, GetParam(), reads) == Merged::kFailed;
    if (failed) {
      std::ranges::sort(records, {},
                        [](const Record& record) { return std::pair(record.key, record.number); });
    }
    EXPECT_TRUE(same_records(records, expected)) << "after " << reads << " reads";
  }
}

INSTANTIATE_TEST_SUITE_P(Processors, RunMergeTest, testing::Values(1, 2, 5),
                         testing::PrintToStringParamName());

TEST(RunMerge, PaysForFewRows) {
  EXPECT_TRUE(pays(rows_of_sizes({500, 500}, 1000), {}));
  EXPECT_TRUE(pays(rows_of_sizes(std::vector<std::size_t>(16, 500), 1U << 30), {}));
  EXPECT_FALSE(pays(rows_of_sizes(std::vector<std::size_t>(40, 500), 1U << 30), {}));
  EXPECT_FALSE(pays(numbered(keys_of<std::uint32_t>(Distribution::kUniform, 1000, 1)), {}));
  EXPECT_FALSE(pays(rows_of_sizes({500, 500}, 1000), {.most_runs = 0}));
}

}  // namespace
}  // namespace postroom::sorting
