// The last few things that were made.
#include "collectives/kept_last.h"

#include <gtest/gtest.h>

#include <memory>
#include <stdexcept>
#include <string>

namespace postroom {
namespace {

TEST(KeptLast, IsMadeOnce) {
  KeptLast<int, std::string> kept;
  int made = 0;
  const auto get = [&](int key) {
    return kept.get(key, [&] {
      ++made;
      return std::to_string(key);
    });
  };
  const auto five = get(5);
  EXPECT_EQ(*five, "5");
  EXPECT_EQ(get(5), five);
  EXPECT_EQ(*get(6), "6");
  EXPECT_EQ(made, 2);
}

TEST(KeptLast, TheOldestIsForgottenAndLivesAsLongAsItIsUsed) {
  KeptLast<int, int> kept;
  const auto first = kept.get(0, [] { return 100; });
  for (int key = 1; key <= static_cast<int>(kept.kMost); ++key) {
    (void)kept.get(key, [&] { return key; });
  }
  EXPECT_EQ(*kept.get(1, [] { return -1; }), 1);
  EXPECT_EQ(*kept.get(0, [] { return 200; }), 200);
  EXPECT_EQ(*first, 100);
}

// Somebody else has made it meanwhile.
TEST(KeptLast, OneOfTwoThatAreMadeAtOnceIsKept) {
  KeptLast<int, int> kept;
  const auto later = kept.get(1, [&] {
    EXPECT_EQ(*kept.get(1, [] { return 7; }), 7);
    return 8;
  });
  EXPECT_EQ(*later, 7);
}

TEST(KeptLast, WhatThrowsIsNotKept) {
  KeptLast<int, int> kept;
  EXPECT_THROW((void)kept.get(1, []() -> int { throw std::runtime_error("none"); }),
               std::runtime_error);
  EXPECT_EQ(*kept.get(1, [] { return 7; }), 7);
}

}  // namespace
}  // namespace postroom
