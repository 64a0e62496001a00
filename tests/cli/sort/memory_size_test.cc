// Sizes of memory in the words of sort(1).
#include "cli/sort/memory_size.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

#include "cli/common/failure.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

std::string refusal(const std::string& text) {
  return thrown<UsageError>([&] { memory_size("-S", text); });
}

TEST(MemorySize, NumbersAndUnits) {
  EXPECT_EQ(memory_size("-S", "100"), 100u << 10);
  EXPECT_EQ(memory_size("-S", "7b"), 7u);
  EXPECT_EQ(memory_size("-S", "7k"), 7u << 10);
  EXPECT_EQ(memory_size("-S", "7K"), 7u << 10);
  EXPECT_EQ(memory_size("-S", "800m"), 800u << 20);
  EXPECT_EQ(memory_size("-S", "2g"), std::uint64_t{2} << 30);
  EXPECT_EQ(memory_size("-S", "800M"), 800u << 20);
  EXPECT_EQ(memory_size("-S", "2G"), std::uint64_t{2} << 30);
  EXPECT_EQ(memory_size("-S", "3T"), std::uint64_t{3} << 40);
  EXPECT_EQ(memory_size("-S", "1P"), std::uint64_t{1} << 50);
  EXPECT_EQ(memory_size("-S", "1E"), std::uint64_t{1} << 60);
}

TEST(MemorySize, SharesOfTheMemory) {
  EXPECT_EQ(memory_size("-S", "50%", 2000), 1000u);
  EXPECT_EQ(memory_size("-S", "100%", 2000), 2000u);
  EXPECT_EQ(memory_size("-S", "1%", 2000), 20u);
  EXPECT_GT(memory_size("-S", "100%"), std::uint64_t{1} << 20);
}

TEST(MemorySize, MoreThanThereCanBeIsNoLimit) {
  for (const char* text : {"18446744073709551615G", "99999999999999999999", "9E"}) {
    EXPECT_EQ(memory_size("-S", text), std::numeric_limits<std::int64_t>::max()) << text;
  }
}

TEST(MemorySize, RefusesWhatIsNoSize) {
  for (const char* text : {"", "0", "0%", "101%", "M", "-1M", "1.5G", "12Q", "12MB", "7B", "1 G",
                           "99999999999999999999%", "%"}) {
    EXPECT_EQ(refusal(text), "-S: '" + std::string(text) +
                                 "' is not a size such as 800M or 2G, nor one of 1% to 100%");
  }
}

}  // namespace
}  // namespace postroom::cli
