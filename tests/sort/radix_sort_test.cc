#include "sort/radix_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "collectives/algorithm.h"
#include "runtime/errors.h"
#include "runtime/machine.h"
#include "tests/sort/distributed.h"

namespace postroom {
namespace {

constexpr std::uint64_t kSeed = 11;

/// An unsigned integer for each key, in the order of the keys.
constexpr auto kBits = []<class Key>(const Indexed<Key>& element) {
  using Word = std::conditional_t<sizeof(Key) == 8, std::uint64_t, std::uint32_t>;
  constexpr Word kTop = Word{1} << (sizeof(Word) * 8 - 1);
  if constexpr (std::floating_point<Key>) {
    const auto bits = std::bit_cast<Word>(element.key);
    return (bits & kTop) != 0 ? ~bits : bits | kTop;
  } else if constexpr (std::signed_integral<Key>) {
    return static_cast<Word>(element.key) ^ kTop;
  } else {
    return element.key;
  }
};

template <class Key>
struct Case {
  std::string name;
  std::vector<Indexed<Key>> list;
  RadixSortOptions options;
  std::vector<Indexed<Key>> expected = stably_sorted(list);
};

/// `n` keys, for each of the routers.
template <class Key>
void add_cases(std::vector<Case<Key>>& cases, Distribution distribution, std::size_t n,
               RadixSortOptions options = {}) {
  for (const Algorithm& router : kRouters) {
    options.algorithm = router;
    cases.push_back({.name = to_string(router) + ", " + to_string(distribution) + ", n = " +
                             std::to_string(n) + ", b = " + std::to_string(options.key_bits) +
                             ", r = " + std::to_string(options.digit_bits),
                     .list = indexed_keys<Key>(distribution, n, kSeed),
                     .options = options});
  }
}

/// Sorts all of them in one run, which is much quicker than one run each.
template <class Key>
void check(int processors, std::vector<Case<Key>>& cases) {
  Machine machine({.processors = processors});
  machine.run([&](Processor& self) {
    for (Case<Key>& one : cases) {
      const BlockDistribution blocks(one.list.size(), self.count());
      radix_sort(self, blocks, block_of(self, blocks, one.list), kBits, one.options);
    }
  });
  for (const Case<Key>& one : cases) ASSERT_EQ(one.list, one.expected) << one.name;
}

class RadixSort : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Processors, RadixSort, ::testing::ValuesIn(kProcessorCounts));

TEST_P(RadixSort, IsTheStableSortForAnyLength) {
  const auto p = static_cast<std::size_t>(GetParam());
  std::vector<Case<std::uint8_t>> cases;
  if (p == 3 || p == 5) {
    for (std::size_t n = 0; n <= 300; ++n) add_cases(cases, Distribution::zipf, n);
  } else {
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, p - 1, p, p + 1, 3 * p - 1}) {
      add_cases(cases, Distribution::zipf, n);
    }
  }
  for (std::size_t power = 512; power <= 8192; power *= 2) {
    for (const std::size_t n : {power - 1, power, power + 1}) {
      add_cases(cases, Distribution::uniform, n);
    }
  }
  check(GetParam(), cases);
}

TEST_P(RadixSort, IsTheStableSortForAnyDistribution) {
  std::vector<Case<std::uint32_t>> cases;
  for (const Distribution distribution : kDistributions) {
    add_cases(cases, distribution, 1009, {.digit_bits = 11});
  }
  check(GetParam(), cases);
}

TEST_P(RadixSort, CutsKeysIntoDigitsOfAnySize) {
  std::vector<Case<std::uint32_t>> cases;
  for (const auto& [key_bits, digit_bits] :
       {std::pair(0, 12), {19, 0}, {19, 1}, {20, 3}, {31, 8}, {32, 13}}) {
    add_cases(cases, Distribution::N, 300, {.key_bits = key_bits, .digit_bits = digit_bits});
  }
  check(GetParam(), cases);
}

template <class Key>
class RadixSortOf : public ::testing::Test {};
using KeyTypes =
    ::testing::Types<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t, std::int8_t,
                     std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(RadixSortOf, KeyTypes);

TYPED_TEST(RadixSortOf, AnyDistribution) {
  std::vector<Case<TypeParam>> cases;
  for (const Distribution distribution : kDistributions) add_cases(cases, distribution, 500);
  for (const int p : {3, 8}) {
    std::vector<Case<TypeParam>> fresh = cases;
    check(p, fresh);
  }
}

template <class T, class Projection>
std::vector<T> radix_sorted(Machine& machine, std::vector<T> list, Projection key,
                            const RadixSortOptions& options) {
  machine.run([&](Processor& self) {
    const BlockDistribution blocks(list.size(), self.count());
    radix_sort(self, blocks, block_of(self, blocks, list), key, options);
  });
  return list;
}

TEST_P(RadixSort, CostIsWhatTheTraceCounts) {
  Machine machine({.processors = GetParam(), .trace = true});
  for (const std::size_t n : {0, 1, 400}) {
    const BlockDistribution blocks(n, GetParam());
    const RadixSortOptions options{.algorithm = Algorithm::two_transpose, .key_bits = 20};
    std::vector<std::uint32_t> keys(n);
    fill(keys, Distribution::N);
    (void)radix_sorted(machine, keys, std::identity(), options);
    const Cost traced{machine.trace().rounds(),
                      static_cast<std::int64_t>(machine.trace().volume())};
    EXPECT_EQ(traced, radix_sort_cost<std::uint32_t>(blocks, choose_digits(blocks, 32, options)));
  }
}

TEST(RadixSortParts, SortsRecordsByAFunction) {
  struct Record {
    char name[13];
    std::uint8_t rank;
    bool operator==(const Record&) const = default;
  };
  std::vector<Record> records(500);
  for (std::size_t i = 0; i < records.size(); ++i) {
    records[i].name[0] = static_cast<char>(i % 128);
    records[i].name[1] = static_cast<char>(i / 128);
    records[i].rank = static_cast<std::uint8_t>(i * i * 7 % 251);
  }
  std::vector<Record> expected = records;
  const auto from_the_top = [](const Record& record) -> std::uint8_t { return 255 - record.rank; };
  std::ranges::stable_sort(expected, {}, from_the_top);
  for (const Algorithm& router : kRouters) {
    Machine machine({.processors = 5});
    EXPECT_EQ(radix_sorted(machine, records, from_the_top, {.algorithm = router}), expected);
  }
}

TEST(RadixSortParts, ChoosesFewEvenDigits) {
  const auto chosen = [](std::uint64_t n, int p, int bits) {
    return choose_digits(BlockDistribution(n, p), bits, {});
  };
  EXPECT_EQ(chosen(1'000'000, 4, 32), (RadixDigits{11, 3}));
  EXPECT_EQ(chosen(1'000'000, 4, 64), (RadixDigits{11, 6}));
  EXPECT_EQ(chosen(4096, 4, 32), (RadixDigits{8, 4}));  // R = 2^10 ≤ n/p would be 4 passes as well
  EXPECT_EQ(chosen(0, 4, 32), (RadixDigits{8, 4}));
  EXPECT_EQ(chosen(1'000'000, 4, 8), (RadixDigits{8, 1}));
  EXPECT_EQ(choose_digits(BlockDistribution(10, 2), 32, {.key_bits = 19, .digit_bits = 10}),
            (RadixDigits{10, 2}));
  EXPECT_EQ(choose_digits(BlockDistribution(10, 2), 8, {.digit_bits = 24}), (RadixDigits{8, 1}));
}

// --- Errors.

/// What the std::invalid_argument of processor 0 says; nothing may be sent before.
std::string refusal(std::vector<std::uint32_t> block, const RadixSortOptions& options) {
  Machine machine({.processors = 3, .trace = true});
  try {
    machine.run([&](Processor& self) {
      if (self.id() != 0) return;
      std::vector<std::uint32_t> own = block;
      radix_sort(self, BlockDistribution(9, 3), own, {}, options);
    });
  } catch (const ProcessorError& error) {
    EXPECT_TRUE(machine.trace().messages().empty());
    const auto* cause = error.caused_by<std::invalid_argument>();
    return cause == nullptr ? "another error" : cause->what();
  }
  return "not refused";
}

TEST(RadixSortParts, WrongArgumentsAreNamed) {
  EXPECT_EQ(refusal({5, 524'288, 6}, {.key_bits = 19}),
            "key of element 1: 524288 is not allowed; below 2^19");
  EXPECT_EQ(refusal({1, 2}, {}), "from: 2 elements are not allowed; 3, the block of processor 0");
  EXPECT_EQ(refusal({1, 2, 3}, {.key_bits = 33}),
            "key_bits: 33 is not allowed; 1 to 32, or 0 to leave it open");
  EXPECT_EQ(refusal({1, 2, 3}, {.digit_bits = -1}),
            "digit_bits: -1 is not allowed; 1 to 24, or 0 to leave it open");
}

}  // namespace
}  // namespace postroom
