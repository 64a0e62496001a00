#include "runtime/ports.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>
#include <vector>

namespace postroom {
namespace {

TEST(Ports, TakeTheFirstStretchThatIsLongEnough) {
  Ports ports(1, 5);
  EXPECT_EQ(ports.occupy(0, 5), 0);
  EXPECT_EQ(ports.occupy(12, 5), 12);
  EXPECT_EQ(ports.occupy(3, 5), 5);
  EXPECT_EQ(ports.occupy(3, 5), 17);  // [10, 12) is too short
  EXPECT_EQ(ports.occupy(100, 5), 100);
  EXPECT_EQ(ports.occupy(0, 50), 22);
  EXPECT_EQ(ports.occupy(0, 50), 105);
  ports.clear();
  EXPECT_EQ(ports.occupy(3, 5), 3);
}

TEST(Ports, AreUsedFromTheLowestNumberOn) {
  Ports ports(2, 1);
  EXPECT_EQ(ports.occupy(0, 10), 0);
  EXPECT_EQ(ports.occupy(0, 1), 0);
  EXPECT_EQ(ports.occupy(0, 1), 1);
  EXPECT_EQ(ports.occupy(9, 3), 9);
  EXPECT_EQ(ports.occupy(9, 3), 10);
}

TEST(Ports, ForgetOnlyWhatIsPast) {
  Ports ports(2, 2);
  for (const Time time : {0, 0, 10, 10}) (void)ports.occupy(time, 4);
  ports.forget_before(12);
  EXPECT_EQ(ports.occupy(12, 2), 14);
}

TEST(Ports, SayWhenATimeDoesNotFit) {
  Ports ports(1, 1);
  constexpr Time kMost = std::numeric_limits<Time>::max();
  EXPECT_THROW((void)ports.occupy(kMost - 3, 4), std::overflow_error);
  EXPECT_EQ(ports.occupy(kMost - 4, 4), kMost - 4);
  EXPECT_THROW((void)ports.occupy(kMost - 4, 4), std::overflow_error);
}

// Against a table of ticks.
TEST(Ports, AgreeWithATableOfBusyTicks) {
  constexpr Time kShortest = 3;
  for (unsigned seed = 1; seed <= 40; ++seed) {
    const int count = 1 + static_cast<int>(seed % 3);
    std::mt19937 draw(seed);
    Ports ports(count, kShortest);
    std::vector<std::vector<bool>> busy(count, std::vector<bool>(4000));
    for (int i = 0; i < 120; ++i) {
      const Time earliest = draw() % 500;
      const Time length = kShortest + draw() % 6;
      const auto idle = [&](const std::vector<bool>& port, Time begin) {
        for (Time t = begin; t < begin + length; ++t) {
          if (port[t]) return false;
        }
        return true;
      };
      Time expected = earliest;
      const auto any_idle = [&] {
        return std::find_if(busy.begin(), busy.end(),
                            [&](const auto& port) { return idle(port, expected); });
      };
      auto port = any_idle();
      for (; port == busy.end(); port = any_idle()) ++expected;
      for (Time t = expected; t < expected + length; ++t) (*port)[t] = true;
      ASSERT_EQ(ports.occupy(earliest, length), expected) << "seed " << seed << ", message " << i;
    }
  }
}

}  // namespace
}  // namespace postroom
