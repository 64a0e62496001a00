// That demoting changes nothing that can be read. What it is for are times.
#include "numa/demote.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <thread>

#include "numa/cacheline.h"

namespace postroom {
namespace {

constexpr std::size_t kMost = 1000;

std::byte value(std::size_t i) { return static_cast<std::byte>(7 * i + 1); }

TEST(Demote, LeavesWhatWasWritten) {
  for (const std::size_t bytes : {std::size_t{0}, std::size_t{1}, std::size_t{64}, kMost}) {
    alignas(kCacheLine) std::array<std::byte, kMost> memory;
    for (std::size_t i = 0; i < kMost; ++i) memory[i] = value(i);
    demote_lines(memory.data(), bytes);
    for (std::size_t i = 0; i < kMost; ++i) ASSERT_EQ(memory[i], value(i)) << i;
  }
}

// While another thread writes to the same lines.
TEST(Demote, LeavesWhatIsWrittenMeanwhile) {
  constexpr int kTimes = 20'000;
  struct alignas(kCacheLine) Two {
    std::array<std::byte, kCacheLine / 2> ours;
    std::array<std::byte, kCacheLine / 2> theirs;
  };
  static_assert(sizeof(Two) == kCacheLine);
  Two two{};
  std::jthread other([&two] {
    for (int i = 1; i <= kTimes; ++i) two.theirs.fill(value(static_cast<std::size_t>(i)));
  });
  for (int i = 1; i <= kTimes; ++i) {
    two.ours.fill(value(static_cast<std::size_t>(i)));
    demote_lines(two.ours.data(), sizeof(two));
    for (const std::byte byte : two.ours) ASSERT_EQ(byte, value(static_cast<std::size_t>(i)));
  }
  other.join();
  for (const std::byte byte : two.theirs) EXPECT_EQ(byte, value(kTimes));
}

}  // namespace
}  // namespace postroom
