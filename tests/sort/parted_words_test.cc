// Words parted around keys and sorted by machines of 1 to 7 processors, compared with the standard
// library. And which sorts go that way.
#include "sort/engine/parted_words.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "runtime/machine.h"
#include "sort/datasets.h"
#include "sort/engine/config.h"
#include "sort/engine/failure.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom::sorting {
namespace {

const SortConfig kConfig;

template <class Word>
void expect_sorted(Machine& machine, const std::vector<typename Word::Key>& keys,
                   const std::string& what) {
  for (const bool descending : {false, true}) {
    std::vector<Word> home = words_with<Word>(keys);
    std::vector<Word> room(home.size());
    const auto expected = sorted_words(home, descending);
    PartedWords<Words<Word>> sort(words_of(home, descending), words_of(room, descending),
                                  keys.size(), static_cast<std::size_t>(machine.processors()),
                                  kConfig);
    Failure failure;
    machine.run([&](Processor& self) {
      Steps steps(Team(self), failure);
      EXPECT_TRUE(sort.sort(steps));
    });
    failure.rethrow();
    EXPECT_TRUE(home == expected) << what << ", n = " << keys.size()
                                  << ", p = " << machine.processors()
                                  << (descending ? ", descending" : "");
  }
}

class PartedWordsTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_word_networks()) GTEST_SKIP() << "this processor has no AVX-512";
  }
};

TEST_F(PartedWordsTest, SortsEveryDistribution) {
  for (const int p : {1, 2, 3, 4, 7}) {
    Machine machine({.processors = p, .pin = false});
    for (const std::size_t size : {1, 100, 8191, 8192, 20'000, 100'003}) {
      for (const Distribution distribution : kDistributions) {
        const auto keys = keys_of<std::uint32_t>(distribution, size, /*seed=*/size);
        const std::string what(to_string(distribution));
        expect_sorted<KeyInFront<std::uint32_t>>(machine, keys, what);
        expect_sorted<KeyBehind<std::uint32_t>>(machine, keys, what + ", behind");
      }
      const auto keys = keys_of<std::int32_t>(Distribution::S, size, /*seed=*/1);
      expect_sorted<KeyInFront<std::int32_t>>(machine, keys, "with a sign");
    }
  }
}

// Nearly all of them go to one side, or all.
TEST_F(PartedWordsTest, SortsWhatDoesNotPart) {
  for (const int p : {2, 3, 7}) {
    Machine machine({.processors = p, .pin = false});
    for (const std::uint32_t most : {0U, 5U, ~0U}) {
      std::vector<std::uint32_t> keys(30'000, most);
      expect_sorted<KeyInFront<std::uint32_t>>(machine, keys, "all alike");
      for (std::size_t i = 0; i < keys.size(); i += 1000) keys[i] = static_cast<std::uint32_t>(i);
      expect_sorted<KeyInFront<std::uint32_t>>(machine, keys, "mostly alike");
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
