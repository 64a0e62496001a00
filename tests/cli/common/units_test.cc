// Numbers as people read them, at the borders of their units.
#include "cli/common/units.h"

#include <gtest/gtest.h>

namespace postroom::cli {
namespace {

TEST(Units, Commas) {
  EXPECT_EQ(with_commas(0), "0");
  EXPECT_EQ(with_commas(999), "999");
  EXPECT_EQ(with_commas(1000), "1,000");
  EXPECT_EQ(with_commas(100'000'000), "100,000,000");
  EXPECT_EQ(with_commas(18446744073709551615u), "18,446,744,073,709,551,615");
}

TEST(Units, Bytes) {
  EXPECT_EQ(readable_bytes(0), "0 bytes");
  EXPECT_EQ(readable_bytes(1), "1 byte");
  EXPECT_EQ(readable_bytes(1023), "1023 bytes");
  EXPECT_EQ(readable_bytes(1024), "1.00 KiB");
  EXPECT_EQ(readable_bytes(10 * 1024), "10.0 KiB");
  EXPECT_EQ(readable_bytes(1024 * 1024 - 1), "1.00 MiB");
  EXPECT_EQ(readable_bytes(std::uint64_t{3} << 29), "1.50 GiB");
  EXPECT_EQ(readable_bytes(~std::uint64_t{0}), "16384 PiB");
}

TEST(Units, Counted) {
  EXPECT_EQ(counted(0, "core"), "0 cores");
  EXPECT_EQ(counted(1, "core"), "1 core");
  EXPECT_EQ(counted(2, "core"), "2 cores");
}

TEST(Units, Seconds) {
  EXPECT_EQ(readable_seconds(0.00042), "0.0004 s");
  EXPECT_EQ(readable_seconds(0.31), "0.31 s");
  EXPECT_EQ(readable_seconds(9.999), "10.0 s");
  EXPECT_EQ(readable_seconds(183.2), "183 s");
}

}  // namespace
}  // namespace postroom::cli
