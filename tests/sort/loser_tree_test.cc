// Which of many rows, each in order, comes next.
#include "sort/loser_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

namespace postroom::sorting {
namespace {

template <class Key>
using Row = std::vector<Key>;
// A key, and the row that it was taken from.
template <class Key>
using Taken = std::pair<Key, std::size_t>;

// Empty rows do not enter.
template <class Key>
std::vector<Taken<Key>> merged(LoserTree<Key> tree, const std::vector<Row<Key>>& rows) {
  std::vector<std::size_t> at(rows.size(), 0);
  for (std::size_t row = 0; row < rows.size(); ++row) {
    if (!rows[row].empty()) tree.enter(row, rows[row].front());
  }
  std::vector<Taken<Key>> taken;
  for (tree.start(); !tree.empty();) {
    const std::size_t row = tree.row();
    taken.emplace_back(tree.key(), row);
    if (++at[row] < rows[row].size()) {
      tree.next(rows[row][at[row]]);
    } else {
      tree.end_row();
    }
  }
  return taken;
}

// As a stable sort of all rows, one behind the other, has it.
template <class Key>
std::vector<Taken<Key>> expected(const std::vector<Row<Key>>& rows) {
  std::vector<Taken<Key>> all;
  for (std::size_t row = 0; row < rows.size(); ++row) {
    for (const Key& key : rows[row]) all.emplace_back(key, row);
  }
  std::stable_sort(all.begin(), all.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

TEST(LoserTree, MergesRowsOfAnyLengthStably) {
  std::mt19937_64 random(1);
  for (std::size_t count = 0; count <= 40; ++count) {
    for (const std::uint32_t keys : {1u, 3u, 1'000'000'000u}) {
      for (const std::size_t most : {0, 1, 30}) {
        std::vector<Row<std::uint32_t>> rows(count);
        for (auto& row : rows) {
          row.resize(random() % (most + 1));
          for (auto& key : row) key = static_cast<std::uint32_t>(random() % keys);
          std::sort(row.begin(), row.end());
        }
        ASSERT_EQ(merged(LoserTree<std::uint32_t>(count), rows), expected(rows))
            << count << " " << keys << " " << most;
      }
    }
  }
}

TEST(LoserTree, RowsThatHaveEndedComeBehindTheLargestKeys) {
  constexpr auto kLargest = std::numeric_limits<std::uint64_t>::max();
  const std::vector<Row<std::uint64_t>> rows{
      {1}, {}, {kLargest, kLargest}, {0, kLargest}, {kLargest}};
  EXPECT_EQ(merged(LoserTree<std::uint64_t>(rows.size()), rows), expected(rows));
}

TEST(LoserTree, KeysNeedOnlyAnOrderAndALargest) {
  const std::vector<Row<std::string>> rows{{"bee", "cat"}, {"ant", "cat", "z"}, {}};
  EXPECT_EQ(merged(LoserTree<std::string>(rows.size(), "z"), rows), expected(rows));
}

}  // namespace
}  // namespace postroom::sorting
