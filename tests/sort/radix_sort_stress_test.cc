// Random sorts for some seconds: any number of processors, router, length, distribution, bits.
// POSTROOM_SEED repeats a failing run.

#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <random>
#include <vector>

#include "runtime/machine.h"
#include "sort/radix_sort.h"
#include "tests/sort/distributed.h"

namespace postroom {
namespace {

constexpr std::chrono::seconds kTime{5};

std::uint64_t chosen_seed() {
  const char* text = std::getenv("POSTROOM_SEED");
  return text != nullptr ? std::strtoull(text, nullptr, 10) : std::random_device()();
}

TEST(RadixSortStress, RandomSortsAreStableSorts) {
  const std::uint64_t seed = chosen_seed();
  SCOPED_TRACE(::testing::Message() << "POSTROOM_SEED=" << seed);
  std::mt19937_64 random(seed);
  const auto pick = [&](std::size_t below) { return static_cast<std::size_t>(random() % below); };
  const auto end = std::chrono::steady_clock::now() + kTime;
  while (std::chrono::steady_clock::now() < end) {
    const int p = static_cast<int>(1 + pick(pick(4) == 0 ? 33 : 8));
    Machine machine({.processors = p});
    // Several in a run, so that sorts follow each other without a pause.
    struct Case {
      std::vector<Indexed<std::uint32_t>> list;
      RadixSortOptions options;
    };
    std::vector<Case> cases(10);
    for (Case& one : cases) {
      one.list = indexed_keys<std::uint32_t>(kDistributions[pick(kDistributions.size())],
                                             pick(1 + pick(5000)), random());
      one.options = {.algorithm = kRouters[pick(kRouters.size())],
                     .digit_bits = static_cast<int>(pick(15))};
    }
    std::vector<Case> sorted = cases;
    machine.run([&](Processor& self) {
      for (Case& one : sorted) {
        const BlockDistribution blocks(one.list.size(), self.count());
        radix_sort(self, blocks, block_of(self, blocks, one.list), &Indexed<std::uint32_t>::key,
                   one.options);
      }
    });
    for (std::size_t i = 0; i < cases.size(); ++i) {
      ASSERT_EQ(sorted[i].list, stably_sorted(cases[i].list))
          << "p=" << p << ' ' << cases[i].options.algorithm << " r=" << cases[i].options.digit_bits;
    }
  }
}

}  // namespace
}  // namespace postroom
