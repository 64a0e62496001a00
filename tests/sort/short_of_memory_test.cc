// The sort and what stands around it when memory ends, whichever allocation it is: whoever asked is
// told, no element is lost, and the next call works.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <new>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "runtime/machine.h"
#include "sort/any_sort.h"
#include "sort/in_place.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/sort.h"
#include "sort/sort_into.h"
#include "sort/unique.h"
#include "tests/failing_heap.h"

namespace postroom {
namespace {

constexpr std::size_t kSize = 150'000;  // more than one processor sorts
constexpr long kMostAllocations = 100'000;
constexpr unsigned kSeed = 1;

using Key = std::uint32_t;
struct Record {
  Key key;
  Key number;
  friend bool operator==(const Record&, const Record&) = default;
};

template <class T>
T made_of(Key key, Key number) {
  if constexpr (std::is_same_v<T, Record>) {
    return {key, number};
  } else if constexpr (std::is_same_v<T, std::string>) {
    return std::to_string(key) + " is too long to lie in the string itself";
  } else {
    return static_cast<T>(key) - static_cast<T>(number % 2);
  }
}

/// What does not depend on the order.
template <class T>
std::size_t fingerprint(const std::vector<T>& elements) {
  std::size_t sum = elements.size();
  for (const T& element : elements) {
    if constexpr (std::is_same_v<T, Record>) {
      sum += std::hash<std::uint64_t>()(std::uint64_t{element.key} << 32 | element.number) *
             0x9e3779b97f4a7c15U;
    } else {
      sum += std::hash<T>()(element) * 0x9e3779b97f4a7c15U;
    }
  }
  return sum;
}

/// Keys of four kinds: any, few, one frequent among others, nearly in order.
template <class T>
std::vector<std::vector<T>> inputs(std::size_t size) {
  std::mt19937 random(kSeed);
  std::vector<std::vector<T>> inputs(4);
  for (Key i = 0; i < size; ++i) {
    const Key any = static_cast<Key>(random());
    const Key keys[] = {any, any % 7, any % 3 == 0 ? any : 12345, i % 100 == 99 ? any : i * 1000};
    for (std::size_t kind = 0; kind < inputs.size(); ++kind) {
      inputs[kind].push_back(made_of<T>(keys[kind], i));
    }
  }
  return inputs;
}

/// Has each allocation of a call fail once. `call` may throw std::bad_alloc; `check` is called
/// after it, with what was said, and then `call` once more with all the memory.
template <class T, class Call>
void fail_each_allocation(std::size_t size, const Call& call) {
  long failed = 0;
  for (const std::vector<T>& input : inputs<T>(size)) {
    const std::size_t before = fingerprint(input);
    std::vector<T> expected = input;
    call(expected);
    for (long number = 0; number < kMostAllocations; ++number) {
      std::vector<T> elements = input;
      bool happened = false;
      bool thrown = false;
      {
        const FailingAllocation failing(number);
        try {
          call(elements);
        } catch (const std::bad_alloc&) {
          thrown = true;
        }
        happened = failing.happened();
      }
      if (thrown) {
        ASSERT_EQ(fingerprint(elements), before) << "allocation " << number;
        ++failed;
        elements = input;
        call(elements);
      }
      ASSERT_TRUE(elements == expected) << "allocation " << number;
      if (!happened) break;
    }
  }
  EXPECT_GT(failed, 0);
}

TEST(ShortOfMemory, BareKeys) {
  for (const int processors : {1, 2}) {
    const SortOptions options{.processors = processors};
    const auto call = [&](auto& keys) { sort(keys, options); };
    fail_each_allocation<std::uint32_t>(kSize, call);
    fail_each_allocation<std::uint64_t>(kSize, call);
    fail_each_allocation<double>(kSize, call);
    fail_each_allocation<std::uint32_t>(1000, call);
  }
}

TEST(ShortOfMemory, LargeArraysInBlocks) {
  const SortOptions options{.processors = 2};
  fail_each_allocation<std::uint64_t>(3'000'000, [&](auto& keys) { sort(keys, options); });
}

TEST(ShortOfMemory, Records) {
  for (const int processors : {1, 2}) {
    const SortOptions options{.processors = processors};
    const auto call = [&](auto& records) { sort(records, &Record::key, options); };
    fail_each_allocation<Record>(kSize, call);
    fail_each_allocation<Record>(1000, call);
  }
}

TEST(ShortOfMemory, InPlace) {
  fail_each_allocation<Record>(
      70'000, [](auto& records) { sort_in_place(records, &Record::key, {.processors = 2}); });
}

TEST(ShortOfMemory, ElementsThatOwnMemory) {
  fail_each_allocation<std::string>(5000, [](auto& words) {
    sort(words, [](const std::string& word) { return StringPrefix<16>(word); }, {.processors = 2});
  });
}

// A machine whose barriers may be messages that are written down: none of the sort's are.
TEST(ShortOfMemory, OnAMachineThatKeepsATrace) {
  Machine machine({.processors = 2, .pin = false, .trace = true});
  const SortOptions options{.machine = &machine};
  fail_each_allocation<std::string>(5000, [&](auto& words) {
    sort(
        words, [](const std::string& word) { return StringPrefix<16>(word); }, options);
  });
  fail_each_allocation<Record>(kSize, [&](auto& records) { sort(records, &Record::key, options); });
  EXPECT_EQ(machine.trace().messages().size(), 0u);
}

TEST(ShortOfMemory, AroundTheSort) {
  const SortOptions two{.processors = 2};
  fail_each_allocation<Key>(kSize, [&](auto& keys) {
    std::vector<Key> sorted(keys.size());
    sort_into(keys, sorted, two);
    keys = std::move(sorted);
  });
  fail_each_allocation<Key>(kSize, [&](auto& keys) {
    const std::vector<std::size_t> order = argsort(keys, two);
    apply_order(keys, order, two);
  });
  fail_each_allocation<Record>(
      kSize, [&](auto& records) { nth_element(records, records.size() / 2, &Record::key, two); });
  fail_each_allocation<Record>(kSize, [&](auto& records) {
    const auto first = top_k(records, 1000, &Record::key, two);
    std::copy(first.begin(), first.end(), records.begin());
  });
  fail_each_allocation<Record>(kSize, [&](auto& records) {
    std::vector<Record> rows[] = {records, records, records};
    std::vector<Record> merged(3 * records.size());
    for (auto& row : rows) sort(row, &Record::key, two);
    merge(rows, merged, &Record::key, two);
    records = std::move(merged);
  });
  fail_each_allocation<Key>(kSize, [&](auto& keys) {
    const auto counts = unique_counts(keys, two);
    keys.resize(counts.size());
  });
}

}  // namespace
}  // namespace postroom
