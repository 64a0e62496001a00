#include "runtime/slots.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "runtime/atomics.h"

namespace postroom {
namespace {

// Many calls after the last one that had this thread wait for a root, or leave a call to one.
TEST(Slots, WhatIsOldIsNotTakenForWhatIsAhead) {
  constexpr std::uint32_t kCallsOfPage = 64;
  constexpr std::uint32_t kMany = std::uint32_t{1} << 31;
  Slots<> slots(1, false);
  Slots<>::Member member;
  slots.learn(5, 10);
  slots.leave_to_root(member.next(8, 1));
  EXPECT_TRUE(slots.knows(5, 9));
  EXPECT_TRUE(reached(slots.left_to_root().load(), 1));
  std::uint32_t number = 0;
  for (std::uint32_t page = 1; number < kMany; ++page) {
    number += kCallsOfPage;
    slots.turn(page, number);
  }
  for (int call = 0; call < 20; ++call, ++number) {
    EXPECT_FALSE(slots.knows(5, number));
    EXPECT_FALSE(reached(slots.left_to_root().load(), number + 1));
  }
}

// A root may be the last one of its thread to turn to a page on which the others have left a call.
TEST(Slots, WhoTurnsLastDoesNotForgetWhatWasLeftToIt) {
  Slots<> slots(2, false);
  Slots<>::Member member;
  slots.turn(1, 0);
  slots.leave_to_root(member.next(8, 1));
  slots.turn(1, 0);
  EXPECT_TRUE(reached(slots.left_to_root().load(), 1));
}

}  // namespace
}  // namespace postroom
