#include "runtime/slots.h"

#include <gtest/gtest.h>

#include <cstdint>

#include "runtime/atomics.h"

namespace postroom {
namespace {

// Many calls after the last one that had this thread wait for a root, or leave a call to one.
TEST(Slots, WhatIsOldIsNotTakenForWhatIsAhead) {
  constexpr std::uint32_t kStep = std::uint32_t{1} << 20;
  constexpr std::uint32_t kMany = std::uint32_t{1} << 31;
  Slots<> slots(1, false);
  Slots<>::Member member;
  slots.learn(5, 10);
  slots.leave_to_root(member.next(8, 1));
  EXPECT_TRUE(slots.knows(5, 9));
  EXPECT_TRUE(reached(slots.left_to_root().load(), 1));
  std::uint32_t number = 0;
  for (std::uint32_t page = 1; number < kMany; ++page) {
    number += kStep;
    slots.turn(page, number);
  }
  for (int call = 0; call < 20; ++call, ++number) {
    EXPECT_FALSE(slots.knows(5, number));
    EXPECT_FALSE(reached(slots.left_to_root().load(), number + 1));
  }
}

// The last places of a page are for pages of small lists only. Who comes to one is its first, as
// many calls as one likes after the last one there, also where numbers of calls begin anew.
TEST(Slots, APlaceThatWasLeftAloneForLongIsTakenAsNew) {
  constexpr std::uint32_t kNumber = 70;
  constexpr std::uint32_t kPlace = 60;
  constexpr std::uint32_t kStep = std::uint32_t{1} << 20;
  Slots<> slots(1, false);
  const auto slot = [](std::uint64_t mark) { return Slots<>::Slot{mark, kNumber, kPlace, 0}; };
  EXPECT_EQ(slots.come(slot(1), 3), 3);
  EXPECT_EQ(slots.come(slot(1), 4), 3);
  std::uint32_t page = 0;
  for (std::uint32_t number = kStep; number != 0; number += kStep) slots.turn(++page, number);
  EXPECT_EQ(slots.come(slot(2), 5), 5);
  EXPECT_EQ(slots.mark_of(slot(2)), 2u);
  EXPECT_EQ(slots.come(slot(2), 6), 5);
}

// Also where the others of the thread have gone on before the last one turns.
TEST(Slots, APlaceThatIsInUseStaysSo) {
  constexpr std::uint32_t kMany = std::uint32_t{1} << 30;
  Slots<> slots(2, false);
  const Slots<>::Slot slot{1, kMany, 60, 0};
  slots.turn(1, kMany);
  EXPECT_EQ(slots.come(slot, 3), 3);
  slots.turn(1, kMany);
  EXPECT_EQ(slots.come(slot, 4), 3);
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
