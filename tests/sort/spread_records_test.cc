// Records spread until networks can order them.
#include "sort/engine/spread_records.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "sort/engine/finish.h"
#include "sort/engine/layout.h"
#include "sort/keys.h"
#include "tests/sort/sorting.h"

namespace postroom::sorting {
namespace {

/// A record that tells where it stood, and has `kMore` bytes that go with it.
template <class Key, std::size_t kMore>
struct Record {
  Key key;
  std::uint32_t number;
  std::array<std::byte, kMore> more;
};

/// Throws for the key whose turn it is.
template <class Element, class Key>
struct KeyOf {
  using Bits = KeyBits<Key>;
  static constexpr bool kWholeRecord = false;
  Bits flip = 0;
  std::size_t* left = nullptr;

  Bits operator()(const std::byte* record) const {
    if (left != nullptr && (*left)-- == 0) throw std::runtime_error("no key");
    Key key;
    std::memcpy(&key, record + offsetof(Element, key), sizeof(key));
    return static_cast<Bits>(ordered_bits(key) ^ flip);
  }
};

template <class Key, std::size_t kMore>
struct Sides {
  using Element = Record<Key, kMore>;
  using Layout = Rows<sizeof(Element), KeyOf<Element, Key>>;

  explicit Sides(const std::vector<Key>& keys) : home(keys.size()), away(keys.size()) {
    for (std::uint32_t i = 0; i < keys.size(); ++i) {
      home[i].key = keys[i];
      home[i].number = i;
      home[i].more.fill(static_cast<std::byte>(i * 31));
    }
  }

  static Layout rows(std::vector<Element>& elements, KeyOf<Element, Key> key_of) {
    return {std::as_writable_bytes(std::span(elements)).data(), key_of};
  }

  std::vector<Element> home;
  std::vector<Element> away;
};

template <class Element>
void expect_same(const std::vector<Element>& found, const std::vector<Element>& expected,
                 const std::string& what) {
  for (std::size_t i = 0; i < found.size(); ++i) {
    ASSERT_EQ(found[i].number, expected[i].number) << what << ", at " << i;
    ASSERT_EQ(found[i].more, expected[i].more) << what << ", at " << i;
  }
}

template <class Key, std::size_t kMore = 0>
void expect_sorted(const std::vector<Key>& keys, bool away, bool descending,
                   const std::string& what) {
  Sides<Key, kMore> sides(keys);
  auto expected = sides.home;
  std::ranges::stable_sort(expected, [&](const auto& a, const auto& b) {
    return descending ? comes_before(b.key, a.key) : comes_before(a.key, b.key);
  });
  if (away) std::swap(sides.home, sides.away);
  const KeyOf<Record<Key, kMore>, Key> key_of{flip_mask<KeyBits<Key>>(false, descending), nullptr};
  const SortConfig config{.radix_bytes = 0, .insertion_records = 1, .spread_bits = 4};
  Finisher(sides.rows(sides.home, key_of), sides.rows(sides.away, key_of), keys.size(), config)
      .finish({0, keys.size(), away});
  expect_same(
      sides.home, expected,
      what + (away ? ", from the scratch" : ", at home") + (descending ? ", descending" : ""));
}

/// Keys of which many are alike in the bits that a narrow word has, and in those of a wide one.
template <class Key>
std::vector<Key> keys_alike(std::size_t size, int low_bits) {
  std::vector<Key> keys(size);
  std::uint64_t random = 1;
  for (Key& key : keys) {
    random = random * 6364136223846793005U + 1442695040888963407U;
    const std::uint64_t low = (random >> 40) & ((std::uint64_t{1} << low_bits) - 1);
    key = static_cast<Key>((random >> 56) << (8 * sizeof(Key) - 8) | low);
  }
  return keys;
}

template <class Key, std::size_t kMore = 0>
void expect_all_sorted() {
  for (const std::size_t size : {2, 31, 32, 63, 64, 65, 127, 128, 129, 300, 1000, 5000}) {
    for (const bool away : {false, true}) {
      for (const Distribution distribution : kDistributions) {
        const auto keys = keys_of<Key>(distribution, size, /*seed=*/size);
        const std::string what = "n = " + std::to_string(size) + ", " + to_string(distribution);
        expect_sorted<Key, kMore>(keys, away, /*descending=*/false, what);
        expect_sorted<Key, kMore>(keys, away, /*descending=*/true, what);
      }
    }
  }
}

TEST(RecordSpreader, SortsPairsOf32Bits) { expect_all_sorted<std::uint32_t>(); }
TEST(RecordSpreader, SortsPairsOf64Bits) { expect_all_sorted<std::uint64_t>(); }
TEST(RecordSpreader, SortsSignedKeys) { expect_all_sorted<std::int64_t, 8>(); }
TEST(RecordSpreader, SortsFloats) { expect_all_sorted<float, 8>(); }
TEST(RecordSpreader, SortsDoubles) { expect_all_sorted<double, 16>(); }

TEST(RecordSpreader, TellsKeysApartThatAreAlikeInWhatANetworkSees) {
  for (const std::size_t size : {20, 100, 128, 2000}) {
    for (const int low_bits : {1, 5, 8, 20}) {
      const std::string what =
          "n = " + std::to_string(size) + ", low bits " + std::to_string(low_bits);
      expect_sorted(keys_alike<std::uint32_t>(size, low_bits), /*away=*/true, false, what);
      expect_sorted(keys_alike<std::uint64_t>(size, low_bits), /*away=*/true, false, what);
      expect_sorted(keys_alike<std::uint64_t>(size, low_bits), /*away=*/false, true, what);
    }
  }
}

TEST(RecordSpreader, LeavesWhatFitsTheCacheToRadixPasses) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  using Pairs = Sides<std::uint64_t, 0>;
  Pairs sides(keys_of<std::uint64_t>(Distribution::uniform, 1000, /*seed=*/3));
  const SortConfig config{.radix_bytes = 1000 * sizeof(Pairs::Element)};
  RecordSpreader<Pairs::Layout> spreader(Pairs::rows(sides.home, {}), Pairs::rows(sides.away, {}),
                                         1000, config);
  Part part{0, 1000, false};
  EXPECT_FALSE(spreader.sort(part, ~std::uint64_t{0}, [](const Part&) { FAIL(); }));
}

TEST(RecordSpreader, RefusesWhatWouldStayTogether) {
  if (!has_networks()) GTEST_SKIP() << "this processor has no AVX2";
  using Pairs = Sides<std::uint32_t, 0>;
  std::vector<std::uint32_t> keys(2000);
  for (std::uint32_t i = 0; i < keys.size(); ++i) keys[i] = i * 7919 % 2003;
  keys.back() = ~std::uint32_t{0};
  Pairs sides(keys);
  const auto before = sides.home;
  const SortConfig config{.radix_bytes = 0};
  RecordSpreader<Pairs::Layout> spreader(Pairs::rows(sides.home, {}), Pairs::rows(sides.away, {}),
                                         keys.size(), config);
  Part part{0, keys.size(), false};
  EXPECT_FALSE(spreader.sort(part, ~std::uint32_t{0}, [](const Part&) { FAIL(); }));
  expect_same(sides.home, before, "refused");
}

TEST(RecordSpreader, KeepsAllRecordsWhenAKeyThrows) {
  using Pairs = Sides<std::uint64_t, 0>;
  const auto keys = keys_of<std::uint64_t>(Distribution::zipf, 1500, /*seed=*/5);
  const SortConfig config{.radix_bytes = 0, .spread_bits = 4};
  for (const bool away : {false, true}) {
    for (std::size_t turn = 0; turn < 12000; turn += 97) {
      Pairs sides(keys);
      if (away) std::swap(sides.home, sides.away);
      std::size_t left = turn;
      const KeyOf<Pairs::Element, std::uint64_t> key_of{0, &left};
      Finisher finisher(Pairs::rows(sides.home, key_of), Pairs::rows(sides.away, key_of),
                        keys.size(), config);
      try {
        finisher.finish({0, keys.size(), away});
      } catch (const std::runtime_error&) {
      }
      std::ranges::sort(sides.home, {}, &Pairs::Element::number);
      for (std::uint32_t i = 0; i < keys.size(); ++i) {
        ASSERT_EQ(sides.home[i].number, i) << "turn " << turn;
        ASSERT_EQ(sides.home[i].key, keys[i]) << "turn " << turn;
      }
    }
  }
}

TEST(RecordSpreader, IsForSmallRecordsWithLongKeys) {
  EXPECT_EQ((can_spread_records<Columns<WholeKeyOf<std::uint32_t>, 4>>({})), has_networks());
  EXPECT_EQ((can_spread_records<Rows<4, WholeKeyOf<float>>>({})), has_networks());
  EXPECT_FALSE((can_spread_records<Rows<4, WholeKeyOf<std::uint32_t>>>({})));
  EXPECT_FALSE((can_spread_records<Columns<WholeKeyOf<std::uint16_t>, 4>>({})));
  EXPECT_FALSE((can_spread_records<Columns<WholeKeyOf<std::uint32_t>, 32>>({})));
  EXPECT_FALSE((can_spread_records<Columns<WholeKeyOf<std::uint32_t>, 4>>({.networks = false})));
}

}  // namespace
}  // namespace postroom::sorting
