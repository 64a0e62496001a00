#include "collectives/route/route_windows.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "runtime/errors.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

TEST(RouteWindows, WhatIsWrittenIsThereAfterClose) {
  for (const int p : {1, 2, 3, 5, 8, 17}) {
    Machine machine({.processors = p});
    machine.run([&](Processor& self) {
      for (int time = 0; time < 20;
           ++time) {  // again and again, so that reuse of memory would show
        const auto count = static_cast<std::size_t>(p);
        std::vector<int> mine(3 * count, -1);
        std::vector<std::span<int>> pieces;
        for (std::size_t i = 0; i < count; ++i) pieces.push_back(std::span(mine).subspan(3 * i, 3));
        Windows<int> windows(self, pieces);
        for (int target = 0; target < p; ++target) {
          ASSERT_EQ(windows[target].size(), 3u);
          for (int& place : windows[target]) place = 1000 * self.id() + 10 * target + time % 10;
        }
        windows.close();
        for (std::size_t i = 0; i < mine.size(); ++i) {
          ASSERT_EQ(mine[i], 1000 * static_cast<int>(i / 3) + 10 * self.id() + time % 10);
        }
      }
    });
  }
}

TEST(RouteWindows, PiecesMayBeEmptyOrTheSameForAll) {
  constexpr int p = 4;
  Machine machine({.processors = p});
  machine.run([](Processor& self) {
    std::vector<int> mine(self.id() == 2 ? p : 0);
    const std::vector<std::span<int>> pieces(p, mine);
    Windows<int> windows(self, pieces);
    EXPECT_EQ(windows[0].size(), 0u);
    ASSERT_EQ(windows[2].size(), 4u);
    windows[2][static_cast<std::size_t>(self.id())] = self.id() + 1;
    windows.close();
    if (self.id() == 2) {
      EXPECT_EQ(mine, (std::vector<int>{1, 2, 3, 4}));
    }
  });
}

TEST(RouteWindows, OneForEachProcessor) {
  Machine machine({.processors = 3});
  try {
    machine.run([](Processor& self) {
      const std::vector<std::span<int>> pieces(2);
      const Windows<int> windows(self, pieces);
    });
    FAIL() << "not refused";
  } catch (const ProcessorError& error) {
    ASSERT_NE(error.caused_by<std::invalid_argument>(), nullptr);
    EXPECT_STREQ(error.caused_by<std::invalid_argument>()->what(),
                 "pieces: 2 are not allowed; 3, one for each processor");
  }
}

TEST(RouteWindows, WhoIsInAnotherCallIsFound) {
  Machine machine({.processors = 2});
  try {
    machine.run([](Processor& self) {
      std::vector<int> memory(3);
      const std::vector<std::span<int>> pieces(2, memory);
      if (self.id() == 0) const Windows<int> windows(self, pieces);
      const Operation other(self, "another call");
      if (self.id() == 1) self.send(0, 3);
    });
    FAIL() << "not refused";
  } catch (const ProcessorError& error) {
    EXPECT_EQ(error.processor(), 0);
    EXPECT_NE(error.caused_by<SizeMismatchError>(), nullptr) << error.what();
  }
}

// Each processor in turn fails while the others write into its memory. That memory is kept until
// they are through: `gone` is set after the windows and before the memory goes.
TEST(RouteWindows, MemoryStaysWhileOthersWriteAlthoughItsOwnerFails) {
  for (const int p : {2, 3, 5}) {
    Machine machine({.processors = p});
    for (int failing = 0; failing < p; ++failing) {
      std::atomic<bool> gone{false};
      std::atomic<int> late_writes{0};
      const auto program = [&](Processor& self) {
        std::vector<std::uint32_t> mine(1024);
        struct Goodbye {
          std::atomic<bool>& flag;
          bool set;
          ~Goodbye() {
            if (set) flag = true;
          }
        } goodbye{gone, self.id() == failing};
        const std::vector<std::span<std::uint32_t>> pieces(
            static_cast<std::size_t>(p),
            self.id() == failing ? std::span(mine) : std::span(mine).first(0));
        Windows<std::uint32_t> windows(self, pieces);
        if (self.id() == failing) throw std::runtime_error("planned");
        // Each writes a part of its own.
        const std::size_t part = 1024 / static_cast<std::size_t>(p);
        const auto place =
            windows[failing].subspan(part * static_cast<std::size_t>(self.id()), part);
        for (std::uint32_t time = 0; time < 2000; ++time) {
          for (std::uint32_t& word : place) word = time;
          if (gone) ++late_writes;
        }
        windows.close();
      };
      try {
        machine.run(program);
        FAIL() << "did not fail";
      } catch (const ProcessorError& error) {
        EXPECT_EQ(error.processor(), failing);
        EXPECT_NE(std::string(error.what()).find("planned"), std::string::npos);
      }
      EXPECT_EQ(late_writes, 0) << "p=" << p << " failing=" << failing;
      EXPECT_TRUE(gone);
    }
  }
}

}  // namespace
}  // namespace postroom
