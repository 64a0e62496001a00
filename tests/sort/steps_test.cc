// The small parts of the engine, each by itself.
#include "sort/engine/steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "numa/topology.h"
#include "runtime/machine.h"
#include "sort/areas.h"
#include "sort/engine/claims.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/insert.h"
#include "sort/engine/layout.h"
#include "sort/engine/order.h"
#include "sort/engine/place.h"
#include "sort/field_key.h"
#include "sort/keys.h"
#include "sort/options.h"
#include "sort/scratch.h"
#include "tests/sort/machines.h"
#include "tests/thrown.h"

namespace postroom::sorting {
namespace {

using Keys = Rows<4, WholeKeyOf<std::uint32_t>>;

Keys rows(std::vector<std::uint32_t>& keys) {
  return {std::as_writable_bytes(std::span(keys)).data(), {}};
}

TEST(Keys, OrderedBitsOrderLikeKeys) {
  EXPECT_LT(ordered_bits(std::int8_t{-128}), ordered_bits(std::int8_t{-1}));
  EXPECT_LT(ordered_bits(std::int64_t{-1}), ordered_bits(std::int64_t{0}));
  EXPECT_LT(ordered_bits(-0.0F), ordered_bits(0.0F));
  EXPECT_LT(ordered_bits(-1.5), ordered_bits(-1.0));
  EXPECT_LT(ordered_bits(-std::numeric_limits<double>::quiet_NaN()),
            ordered_bits(-std::numeric_limits<double>::infinity()));
  EXPECT_LT(ordered_bits(std::numeric_limits<double>::infinity()),
            ordered_bits(std::numeric_limits<double>::quiet_NaN()));
  EXPECT_LT(ordered_bits(false), ordered_bits(true));
  EXPECT_EQ(ordered_bits(std::int8_t{-128}), 0);
}

TEST(Keys, RecordsComeBackFromTheirKeys) {
  for (const bool descending : {false, true}) {
    const WholeKey<std::uint32_t, true> floats{flip_mask<std::uint32_t>(true, descending)};
    for (const float value : {-1.5F, -0.0F, 0.0F, 3e30F, -std::numeric_limits<float>::infinity()}) {
      const auto bits = std::bit_cast<std::uint32_t>(value);
      EXPECT_EQ(floats.record_of(floats(reinterpret_cast<const std::byte*>(&bits))), bits);
    }
  }
}

TEST(FieldKeys, AgreeWithTypedKeysWhereverTheyLie) {
  const std::array<std::uint8_t, 16> bytes{0x80, 1, 2, 0xF3, 4, 5, 6, 0xC7,
                                           0xFF, 9, 0, 0x7B, 1, 3, 7, 0xFE};
  const auto* record = reinterpret_cast<const std::byte*>(bytes.data());
  for (std::size_t offset = 0; offset <= 8; ++offset) {
    double f64;
    std::int16_t i16;
    std::memcpy(&f64, record + offset, 8);
    std::memcpy(&i16, record + offset, 2);
    EXPECT_EQ(FieldKey<8>({16, offset, KeyType::f64, false})(record), ordered_bits(f64));
    EXPECT_EQ(FieldKey<8>({16, offset, KeyType::f64, true})(record), ~ordered_bits(f64));
    EXPECT_EQ(FieldKey<8>({16, offset, KeyType::i16, false})(record), ordered_bits(i16));
    EXPECT_EQ(FieldKey<8>({16, offset, KeyType::i16, true})(record),
              static_cast<std::uint16_t>(~ordered_bits(i16)));
  }
}

TEST(Digits, HighestAndWhole) {
  EXPECT_EQ(highest_digit(0b1111'0000'1100, 3).shift, 9);
  EXPECT_EQ(highest_digit(0b1111'0000'1100, 3).bits, 3);
  EXPECT_EQ(highest_digit(0b101, 8).shift, 0);
  EXPECT_EQ(highest_digit(0b101, 8).bits, 3);
  EXPECT_EQ(highest_digit(~std::uint64_t{0}, 16).of(~std::uint64_t{0}), 65535U);
  EXPECT_EQ(whole_digit(0b0110'0100).shift, 2);
  EXPECT_EQ(whole_digit(0b0110'0100).bits, 5);
  EXPECT_EQ(whole_digit(~std::uint64_t{0}).bits, 64);
  EXPECT_EQ(below(0b1111, Digit{2, 2}), 0b11U);
}

TEST(Digits, PlansCoverWhatIsWanted) {
  for (const std::uint64_t varying : {std::uint64_t{1}, std::uint64_t{0xFF}, ~std::uint64_t{0},
                                      std::uint64_t{0xF0F0'0000'0000'F00F}, std::uint64_t{1} << 63,
                                      std::uint64_t{0x8000'0000'0000'0001}}) {
    for (int width = 1; width <= 16; ++width) {
      for (const int wanted : {1, 5, 21, 64}) {
        const DigitPlan plan = plan_digits(varying, wanted, width);
        std::uint64_t covered = 0;
        int above = 0;  // where the last digit ended
        for (int d = 0; d < plan.count; ++d) {
          const Digit digit = plan.digits[d];
          EXPECT_LE(digit.bits, width);
          EXPECT_GE(digit.shift, above);
          above = digit.shift + digit.bits;
          covered |= low_bits(digit.bits) << digit.shift;
        }
        EXPECT_EQ(varying & ~covered, plan.left);
        EXPECT_EQ(plan.left, below(varying, plan.digits[0]));
        EXPECT_GE(std::popcount(varying & covered), std::min(wanted, std::popcount(varying)));
      }
    }
  }
}

TEST(Counting, CountsDigitsAndFindsWhatVaries) {
  std::vector<std::uint32_t> keys{0x105, 0x104, 0x125, 0x105, 0x124};
  std::array<std::size_t, 4> counts{};
  const auto common = count_digit(rows(keys), 1, 5, Digit{4, 2}, counts.data());
  EXPECT_EQ(counts, (std::array<std::size_t, 4>{2, 0, 2, 0}));
  EXPECT_EQ(common.varying(), 0x21U);
  places_from_counts(counts.data(), 4, std::size_t{10});
  EXPECT_EQ(counts, (std::array<std::size_t, 4>{10, 12, 12, 14}));
}

TEST(Counting, NothingVariesAmongNoKeys) {
  EXPECT_EQ(CommonBits<std::uint64_t>{}.varying(), 0U);
  EXPECT_EQ(CommonBits<std::uint8_t>{}.varying(), 0U);
}

TEST(Placing, KeepsTheOrderOfEqualDigits) {
  std::vector<std::uint32_t> from{0x12, 0x01, 0x13, 0x02, 0x11, 0x03, 0x14};
  std::vector<std::uint32_t> to(7);
  std::array<std::size_t, 2> next{0, 3};
  place<Prefetch::kNext>(rows(from), 0, 7, Digit{4, 1}, rows(to), next.data());
  EXPECT_EQ(to, (std::vector<std::uint32_t>{1, 2, 3, 0x12, 0x13, 0x11, 0x14}));
  EXPECT_EQ(next, (std::array<std::size_t, 2>{3, 7}));
}

TEST(Insertion, TakesHomeInOrder) {
  std::vector<std::uint32_t> from{9, 3, 1, 2, 3, 8};
  std::vector<std::uint32_t> home(6);
  std::size_t begin = 1;
  Keys target = rows(home);
  EXPECT_TRUE(insert_home(rows(from), target, false, begin, 5, 1000));
  EXPECT_EQ(home, (std::vector<std::uint32_t>{0, 1, 2, 3, 3, 0}));
}

TEST(Insertion, GivesUpWithAllRecordsHome) {
  std::vector<std::uint32_t> from(100);
  std::iota(from.rbegin(), from.rend(), 0);
  std::vector<std::uint32_t> home(100);
  std::size_t begin = 0;
  Keys target = rows(home);
  EXPECT_FALSE(insert_home(rows(from), target, false, begin, 100, 200));
  EXPECT_FALSE(std::ranges::is_sorted(home));
  std::ranges::sort(home);
  std::ranges::sort(from);
  EXPECT_EQ(home, from);
}

Order order_in(std::vector<std::uint32_t> keys) { return order_of(rows(keys), 0, keys.size()); }

TEST(Orders, AreFound) {
  for (const std::size_t size : {1, 2, 255, 256, 257, 258, 700}) {
    std::vector<std::uint32_t> keys(size);
    std::iota(keys.begin(), keys.end(), 0);
    EXPECT_TRUE(order_in(keys).rising) << size;
    std::ranges::reverse(keys);
    EXPECT_TRUE(order_in(keys).falling) << size;
    EXPECT_TRUE(order_in(keys).distinct) << size;
    if (size < 2) continue;
    EXPECT_FALSE(order_in(keys).rising) << size;
    keys[size - 1] = keys[size - 2];
    EXPECT_TRUE(order_in(keys).falling) << size;
    EXPECT_FALSE(order_in(keys).distinct) << size;
    if (size < 3) continue;
    keys[size - 1] = 1000;
    EXPECT_TRUE(order_in(keys).none()) << size;
  }
}

// All rows of three different keys, longer than what is looked at first.
TEST(Orders, OfAllShortRowsAreThoseOfTheirKeys) {
  constexpr std::size_t kMost = 9;
  for (std::size_t size = 1; size <= kMost; ++size) {
    std::vector<std::uint32_t> keys(size, 0);
    for (bool more = true; more;) {
      const Order order = order_in(keys);
      ASSERT_EQ(order.rising, std::ranges::is_sorted(keys)) << testing::PrintToString(keys);
      ASSERT_EQ(order.falling, std::ranges::is_sorted(keys, std::greater<>()))
          << testing::PrintToString(keys);
      if (order.falling) {
        ASSERT_EQ(order.distinct, std::ranges::adjacent_find(keys) == keys.end())
            << testing::PrintToString(keys);
      }
      std::size_t i = 0;  // the next one
      while (i < size && ++keys[i] == 3) keys[i++] = 0;
      more = i < size;
    }
  }
}

TEST(Orders, SampleSeesAlsoTheEnds) {
  std::vector<std::uint32_t> keys{0, 1, 2, 3, 4};
  EXPECT_TRUE(sampled_order(rows(keys), 5, 2).rising);
  EXPECT_FALSE(sampled_order(rows(keys), 5, 2).falling);
  EXPECT_TRUE(sampled_order(rows(keys), 0, 2).rising);
}

TEST(Claims, EachBucketOnceOwnOnesFirst) {
  std::vector<Part> buckets{{70, 80}, {20, 30}, {80, 100}, {0, 20}, {66, 70}};
  Claims claims(3);  // shares begin at 0, 34 and 67
  claims.deal_out(buckets, 100);
  EXPECT_EQ(buckets[1].begin, 20U);
  EXPECT_EQ(buckets[3].begin, 70U);
  Claims::Claimer last(claims, 2);
  Claims::Claimer middle(claims, 1);
  EXPECT_EQ(last.next(), 3U);
  EXPECT_EQ(middle.next(), 2U);
  EXPECT_EQ(middle.next(), 4U);
  EXPECT_EQ(last.next(), 0U);
  EXPECT_EQ(middle.next(), 1U);
  EXPECT_EQ(middle.next(), Claims::kNone);
  EXPECT_EQ(last.next(), Claims::kNone);
  EXPECT_EQ(last.next(), Claims::kNone);
}

TEST(Shares, CoverEverythingEvenly) {
  for (const std::size_t count : {1, 2, 3, 7, 33}) {
    for (const std::size_t size : {0, 1, 2, 33, 100}) {
      std::size_t next = 5;
      for (std::size_t id = 0; id < count; ++id) {
        const Range share = share_of({5, 5 + size}, id, count);
        EXPECT_EQ(share.begin, next);
        EXPECT_LE(share.end - share.begin, size / count + 1);
        next = share.end;
      }
      EXPECT_EQ(next, 5 + size);
    }
  }
}

TEST(Steps, AllLearnInTheSameStepThatOneHasFailed) {
  for (int failing = 0; failing < 3; ++failing) {
    Failure failure;
    std::array<int, 3> taken{};
    Machine machine({.processors = 3, .pin = false});
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      for (int step = 0; step < 5; ++step) {
        const bool well = steps.together([&] {
          if (step == 2 && self.id() == failing) throw std::runtime_error("this one");
        });
        if (!well) return;
        ++taken[self.id()];
      }
    });
    EXPECT_EQ(taken, (std::array<int, 3>{2, 2, 2}));
    EXPECT_THROW(failure.rethrow(), std::runtime_error);
  }
}

TEST(Failure, TheEarliestStepCounts) {
  const auto fail = [](const char* what) { throw std::runtime_error(what); };
  Failure failure;
  failure.guard(3, [&] { fail("of a fast one"); });
  EXPECT_FALSE(failure.by(2));
  EXPECT_TRUE(failure.by(3));
  failure.guard(2, [&] { fail("of a slow one"); });
  EXPECT_FALSE(failure.by(1));
  EXPECT_TRUE(failure.by(2));
  for (const int step : {2, 4}) failure.guard(step, [&] { fail("too late"); });
  EXPECT_EQ(thrown<std::runtime_error>([&] { failure.rethrow(); }), "of a slow one");
}

// Two fail, one of them in the next step, before the others have looked or after.
TEST(Steps, AllLearnTheSameWhenTwoFailInWhateverOrder) {
  constexpr int kProcessors = 4;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Machine& machine = machine_of(kProcessors, seed);
    Failure failure;
    std::array<int, kProcessors> taken{};
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      for (int step = 0; step < 4; ++step) {
        const bool well = steps.together([&] {
          if (step == 1 && self.id() == 2) throw std::runtime_error("the first");
          if (step == 2) throw std::runtime_error("nobody comes here");
        });
        if (!well) break;
        ++taken[self.id()];
      }
      steps.apart([&] {
        if (self.id() == 0) throw std::runtime_error("the last");
      });
    });
    EXPECT_EQ(taken, (std::array<int, kProcessors>{1, 1, 1, 1})) << seed;
    EXPECT_EQ(thrown<std::runtime_error>([&] { failure.rethrow(); }), "the first") << seed;
  }
}

TEST(Steps, WorkApartFailsWithoutABarrier) {
  Failure failure;
  Steps steps(Team(), failure);
  EXPECT_FALSE(steps.failed_apart());
  steps.apart([] { throw std::runtime_error("late"); });
  EXPECT_TRUE(steps.failed_apart());
  steps.apart([] { throw std::logic_error("later still"); });
  EXPECT_THROW(failure.rethrow(), std::runtime_error);
}

TEST(Config, FollowsTheCaches) {
  const SortConfig known =
      config_for(Topology::synthetic("l3:2(size=67108864) l2:4(size=2097152) pu:1"));
  EXPECT_EQ(known.leaf_bytes, std::size_t{4} << 20);
  EXPECT_EQ(config_for(Topology::synthetic("pu:2")).leaf_bytes, SortConfig{}.leaf_bytes);
  check_config(known);
  // What no core has is taken for unknown.
  const SortConfig boast =
      config_for(Topology::synthetic("l3:2(size=532676608) l2:1(size=1048576) pu:1"));
  EXPECT_EQ(boast.leaf_bytes, SortConfig{}.leaf_bytes);
  EXPECT_EQ(boast.sides_bytes, SortConfig{}.sides_bytes);
}

TEST(Config, SharesCachesAmongCoresNotAmongTheirThreads) {
  const SortConfig two_threads =
      config_for(Topology::synthetic("l3:1(size=33554432) l2:8(size=1048576) core:1 pu:2"));
  EXPECT_EQ(two_threads.sides_bytes, std::size_t{4} << 20);
  EXPECT_EQ(two_threads.radix_bytes, std::size_t{1} << 19);
  const SortConfig clusters = config_for(Topology::synthetic("l2:2(size=4194304) core:4 pu:1"));
  EXPECT_EQ(clusters.radix_bytes, std::size_t{1} << 19);
}

TEST(Config, LeavesEvenBucketsToOneEach) {
  const SortConfig config;
  for (const std::size_t processors : {2, 8, 63, 64, 128, 192, 256, 512}) {
    for (std::size_t records = 1'000'000; records <= 1'000'000'000; records = records * 3 / 2) {
      const std::size_t most = most_for_one(records, processors, config);
      const std::size_t mean = records >> split_bits_for(records, config);
      const std::size_t share = records / processors;
      EXPECT_LE(most, std::max(share, config.alone_records)) << records << ", " << processors;
      // Where there are at least two buckets for each processor.
      if (2 * mean <= share) {
        EXPECT_GT(most, mean * 3 / 2) << records << ", " << processors;
      }
    }
  }
  EXPECT_EQ(most_for_one(8'000'000, 2, config), 1'000'000U);
  EXPECT_EQ(most_for_one(8'000'000, 1, config), 8'000'000U);
}

TEST(Config, MergesFewerKeysWhereScratchIsNotKept) {
  EXPECT_EQ(config_for(Topology::synthetic("pu:2")).merge_keys_bytes, kKeptScratchBytes);
  EXPECT_EQ(config_for(Topology::synthetic("node:2 pu:2")).merge_keys_bytes, kKeptOnNodesBytes);
}

TEST(Config, RefusesWhatCannotWork) {
  const auto said = [](SortConfig config) {
    try {
      check_config(config);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string("nothing");
  };
  EXPECT_EQ(said({}), "nothing");
  EXPECT_EQ(said({.most_rows = 1}), "most_rows: 1 is not allowed; 2 to 64");
  EXPECT_EQ(said({.split_bits = 17}), "split_bits: 17 is not allowed; 1 to 16");
  EXPECT_EQ(said({.spread_bits = 3}), "spread_bits: 3 is not allowed; 4 to 16");
  EXPECT_EQ(said({.slack_bits = -1}), "slack_bits: -1 is not allowed; 0 to 16");
  EXPECT_EQ(said({.giant_divisor = std::size_t{1} << 63}),
            "giant_divisor: 9223372036854775808 is not allowed; 1 to 65536");
  EXPECT_EQ(said({.sample_records = 1}).find("sample_records: 1 is not allowed; 2 to "), 0U);
}

TEST(Scratches, AreasLieApartOnLines) {
  std::vector<std::byte> memory(1000);
  const Areas areas{100, 0, 65, 1};
  for (std::size_t offset = 0; offset < 70; ++offset) {
    const auto given = std::span(memory).subspan(offset, bytes_for(areas));
    const SortScratch scratch(given, areas);
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(scratch.area(0)) % 64, 0U);
    EXPECT_EQ(scratch.area(2) - scratch.area(0), 128);
    EXPECT_EQ(scratch.area(3) - scratch.area(2), 128);
    EXPECT_GE(scratch.area(0), given.data());
    EXPECT_LT(scratch.area(3), given.data() + given.size());
    EXPECT_TRUE(scratch.cold().empty());
  }
}

TEST(Scratches, LargeOnesAreKeptSmallOnesAreNot) {
  const Areas large{std::size_t{1} << 20};
  const std::byte* before = nullptr;
  {
    const SortScratch first({}, large);
    before = first.area(0);
  }
  const SortScratch second({}, large);
  EXPECT_EQ(second.area(0), before);
  EXPECT_TRUE(second.cold().empty());
  const SortScratch meanwhile({}, large);
  EXPECT_NE(meanwhile.area(0), before);
  EXPECT_FALSE(meanwhile.cold().empty());
}

TEST(Scratches, OnlySmallOnesAreKeptOnSeveralNodes) {
  EXPECT_TRUE(is_kept_on(1, kOfferedScratchBytes));
  EXPECT_FALSE(is_kept_on(1, kOfferedScratchBytes + 1));
  EXPECT_TRUE(is_kept_on(2, kKeptOnNodesBytes));
  EXPECT_FALSE(is_kept_on(2, kKeptOnNodesBytes + 1));
  // What this box does.
  const int nodes = Topology::this_machine().node_count();
  for (const std::size_t bytes : {kKeptOnNodesBytes / 2, 2 * kKeptOnNodesBytes}) {
    free_kept_scratch();
    { const SortScratch first({}, Areas{bytes}); }
    EXPECT_EQ(SortScratch({}, Areas{bytes}).cold().empty(), is_kept_on(nodes, bytes)) << bytes;
  }
  free_kept_scratch();
}

TEST(Scratches, VeryLargeOnesAreKeptUntilTheyAreFreed) {
  if (Topology::this_machine().node_count() > 1) GTEST_SKIP() << "not on several nodes";
  const Areas very_large{kKeptScratchBytes + (std::size_t{8} << 20)};
  { const SortScratch first({}, very_large); }
  {
    // What was on offer has to be touched again.
    const SortScratch second({}, very_large);
    EXPECT_EQ(second.cold().size(), bytes_for(very_large) - kKeptScratchBytes);
    EXPECT_GT(second.cold().data(), second.area(0));
  }
  EXPECT_TRUE(SortScratch({}, Areas{std::size_t{1} << 20}).cold().empty());
  const auto is_new = [](std::size_t bytes) {
    const SortScratch scratch({}, Areas{bytes});
    return scratch.cold().data() <= scratch.area(0) && !scratch.cold().empty();
  };
  EXPECT_FALSE(is_new(very_large[0]));
  free_kept_scratch();
  EXPECT_TRUE(is_new(very_large[0]));
  // One that is too small is freed, and one that is too large.
  EXPECT_TRUE(is_new(2 * very_large[0]));
  EXPECT_TRUE(is_new(kOfferedScratchBytes));
  EXPECT_TRUE(is_new(very_large[0]));
  free_kept_scratch();
}

}  // namespace
}  // namespace postroom::sorting
