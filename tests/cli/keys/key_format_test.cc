// Formats by name, in words, and the sizes that fit them.
#include "cli/keys/key_format.h"

#include <gtest/gtest.h>

#include <string>

#include "cli/common/failure.h"
#include "tests/thrown.h"

namespace postroom::cli {
namespace {

TEST(KeyFormat, EveryNameOfAFile) {
  for (const auto& [name, format] : key_formats()) {
    const std::string file = "folder.d/keys." + (format.text ? "txt" : name);
    EXPECT_EQ(format_of_name(file), format) << file;
    EXPECT_EQ(in_words(format), name);
  }
  for (const char* file :
       {"keys", "keys.u63", "keysu64", "keys.u64.gz", "u64", ".text", "keys.U64", ""}) {
    EXPECT_EQ(format_of_name(file), std::nullopt) << file;
  }
}

TEST(KeyFormat, RecordsInWords) {
  EXPECT_EQ(in_words({.key = KeyType::u32, .record_bytes = 100}), "u32 in records of 100 bytes");
}

TEST(KeyFormat, OnlyWholeRecords) {
  const KeyFormat format{.key = KeyType::u32, .record_bytes = 12, .key_offset = 4};
  EXPECT_EQ(records_in(0, format, "f"), 0u);
  EXPECT_EQ(records_in(36, format, "f"), 3u);
  EXPECT_EQ(thrown<UsageError>([&] { records_in(37, format, "f"); }),
            "f: its 37 bytes are no whole number of records of 12 bytes (u32 in records of 12 "
            "bytes)");
}

TEST(KeyFormat, KeysInWords) {
  const unsigned char bytes[9] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  const auto* const unaligned = reinterpret_cast<const std::byte*>(bytes + 1);
  EXPECT_EQ(key_in_words(unaligned, KeyType::u8), "255");
  EXPECT_EQ(key_in_words(unaligned, KeyType::i8), "-1");
  EXPECT_EQ(key_in_words(unaligned, KeyType::u16), "65535");
  EXPECT_EQ(key_in_words(unaligned, KeyType::i32), "-1");
  EXPECT_EQ(key_in_words(unaligned, KeyType::u64), "18446744073709551615");
  const float half = 0.5f;
  EXPECT_EQ(key_in_words(reinterpret_cast<const std::byte*>(&half), KeyType::f32), "0.5");
}

}  // namespace
}  // namespace postroom::cli
