#include "collectives/parts/crowded.h"

#include <gtest/gtest.h>

namespace postroom {
namespace {

// Asked before all else is there, as by a collective in the constructor of a static object.
const bool kEarly = crowded(1'000'000);

TEST(Crowded, AnEarlyQuestionSpoilsNoLaterAnswer) {
  EXPECT_TRUE(kEarly);
  EXPECT_FALSE(crowded(1));
  EXPECT_TRUE(crowded(1'000'000));
}

}  // namespace
}  // namespace postroom
