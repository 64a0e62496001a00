// Rows of a key and any other half, sorted by numbers in its place; compared with the standard
// library.
#include "sort/numbered_words.h"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sort/config.h"
#include "sort/datasets.h"
#include "sort/whole_words.h"
#include "tests/sort/sorting.h"
#include "tests/sort/word_rows.h"

namespace postroom::sorting {
namespace {

constexpr std::size_t kSizes[] = {1, 2, 15, 16, 17, 100, 1000, 5003, 70'001};

template <class Word>
class NumberedWords : public testing::Test {
 protected:
  void SetUp() override {
    if (!has_word_networks()) GTEST_SKIP() << "no vectors of 64 bytes";
  }
};
using Kinds = testing::Types<KeyInFront<std::uint32_t>, KeyBehind<std::uint32_t>,
                             KeyInFront<std::int32_t>, KeyBehind<std::int32_t>>;
TYPED_TEST_SUITE(NumberedWords, Kinds);

TYPED_TEST(NumberedWords, AreInOrder) {
  for (const Distribution distribution : kDistributions) {
    for (const std::size_t size : kSizes) {
      for (const bool descending : {false, true}) {
        auto words = words_with<TypeParam>(
            keys_of<typename TypeParam::Key>(distribution, size, /*seed=*/size));
        const auto expected = sorted_words(words, descending);
        std::vector<TypeParam> room(size);
        sort_numbered_words(
            word_rows(words_of(words, descending), words_of(room, descending), size), {});
        ASSERT_TRUE(words == expected) << name_of(distribution) << ", n = " << size;
      }
    }
  }
}

}  // namespace
}  // namespace postroom::sorting
