// Keys of several words with the numbers of what they belong to: compared with std::ranges::sort,
// and who does the work.
#include "sort/numbered.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <set>
#include <thread>
#include <utility>
#include <vector>

#include "runtime/machine.h"
#include "sort/options.h"

namespace postroom::sorting {
namespace {

using Words = std::array<std::uint32_t, 3>;

/// Keys whose first words come in groups of these sizes, one after the other and over again; their
/// second words are of few values.
std::vector<Words> keys_in_groups(const std::vector<std::size_t>& sizes, std::size_t count) {
  std::mt19937 random(1);
  std::vector<Words> keys;
  for (std::uint32_t group = 0; keys.size() < count; ++group) {
    const std::size_t size = std::min(sizes[group % sizes.size()], count - keys.size());
    const auto values = static_cast<std::uint32_t>(size / 3 + 1);
    for (std::size_t i = 0; i < size; ++i) {
      const auto second = static_cast<std::uint32_t>(random() % values);
      keys.push_back({group * 7919 % 100'003, second, static_cast<std::uint32_t>(random() % 4)});
    }
  }
  std::ranges::shuffle(keys, random);
  return keys;
}

/// Notes which threads read the words behind the first.
class Readers {
 public:
  explicit Readers(const std::vector<Words>& keys) : keys_(keys) {}

  std::vector<KeyReader> words() {
    std::vector<KeyReader> words;
    for (std::size_t word = 0; word < 3; ++word) {
      words.push_back({sizeof(std::uint32_t),
                       [this, word](std::size_t begin, std::size_t end, std::uint64_t* to) {
                         for (std::size_t i = begin; i < end; ++i) *to++ = keys_[i][word];
                         if (word == 1) note();
                       }});
    }
    return words;
  }
  std::size_t threads() const { return threads_.size(); }

 private:
  void note() {
    const std::lock_guard lock(mutex_);
    threads_.insert(std::this_thread::get_id());
  }

  const std::vector<Words>& keys_;
  std::mutex mutex_;
  std::set<std::thread::id> threads_;
};

template <class Row>
std::size_t expect_in_order(const std::vector<Words>& keys, const SortOptions& options) {
  Readers readers(keys);
  std::vector<Row> rows(keys.size());
  std::vector<Row> away(keys.size());
  const std::vector<KeyReader> words = readers.words();
  number_in_order(rows, words, {reinterpret_cast<std::byte*>(away.data()), {}}, options, nullptr);
  std::vector<std::size_t> expected(keys.size());
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = i;
  std::ranges::sort(expected, {}, [&](std::size_t i) { return std::pair(keys[i], i); });
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].number == expected[i]) continue;
    ADD_FAILURE() << "row " << i << " is " << rows[i].number << ", not " << expected[i];
    break;
  }
  return readers.threads();
}

TEST(Numbered, GroupsOfAllSizesByAllProcessors) {
  Machine machine({.processors = 4, .threads = 4, .pin = false});
  for (const std::vector<std::size_t>& sizes :
       {std::vector<std::size_t>{1, 2, 1000}, {1024, 1025, 3000}, {40'000, 5, 5}, {70'000, 2000}}) {
    const std::vector<Words> keys = keys_in_groups(sizes, 300'000);
    expect_in_order<WideRow>(keys, {.machine = &machine});
    expect_in_order<NarrowRow>(keys, {.machine = &machine});
    expect_in_order<NarrowRow>(keys, {.processors = 1});
  }
}

// A thousand times more than are compared, and less than all processors together sort soon.
TEST(Numbered, GroupsOfSomeThousandsAreSharedOut) {
  Machine machine({.processors = 4, .threads = 4, .pin = false});
  const std::vector<Words> keys = keys_in_groups({2000}, 100'000);
  EXPECT_EQ(expect_in_order<WideRow>(keys, {.machine = &machine}), 4U);
}

}  // namespace
}  // namespace postroom::sorting
