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
  EXPECT_EQ(in_words({.key = ByteKey{10}, .record_bytes = 100}), "bytes10 in records of 100 bytes");
}

TEST(KeyFormat, EveryNameOfAType) {
  for (const auto& [name, format] : key_formats()) EXPECT_EQ(parse_format(name), format) << name;
  for (const std::size_t bytes : {1, 10, 65536}) {
    const KeyFormat format{.key = ByteKey{bytes}, .record_bytes = bytes};
    EXPECT_EQ(parse_format("bytes" + std::to_string(bytes)), format);
    EXPECT_EQ(in_words(format), "bytes" + std::to_string(bytes));
  }
  for (const char* name :
       {"", "u63", "bytes", "bytes0", "bytes-1", "bytes+1", "bytes1.0", "bytes65537",
        "bytes99999999999999999999", "Bytes8", "bytes010", "bytes00", "bytes1 … bytes65536"}) {
    EXPECT_EQ(thrown<UsageError>([&] { parse_format(name); }),
              "--type: '" + std::string(name) +
                  "' is not one of u8, u16, u32, u64, i8, i16, i32, i64, f32, f64, text, bytes1 … "
                  "bytes65536");
  }
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
  const auto told = [](const auto& record, const FileKey& key, std::size_t offset) {
    return key_in_words(reinterpret_cast<const std::byte*>(&record),
                        {.key = key, .record_bytes = sizeof(record), .key_offset = offset});
  };
  const unsigned char bytes[9] = {0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  EXPECT_EQ(told(bytes, KeyType::u8, 1), "255");
  EXPECT_EQ(told(bytes, KeyType::i8, 1), "-1");
  EXPECT_EQ(told(bytes, KeyType::u16, 1), "65535");
  EXPECT_EQ(told(bytes, KeyType::i32, 1), "-1");
  EXPECT_EQ(told(bytes, KeyType::u64, 1), "18446744073709551615");
  EXPECT_EQ(told(0.5f, KeyType::f32, 0), "0.5");
  EXPECT_EQ(told(bytes, ByteKey{3}, 0), "0x00ffff");
  EXPECT_EQ(told("..Ada L.", ByteKey{5}, 2), "'Ada L'");
  const std::string characters(40, 'a');
  const char forty_one[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  EXPECT_EQ(told(forty_one, ByteKey{40}, 0), "'" + characters + "'");
  EXPECT_EQ(told(forty_one, ByteKey{41}, 0), "'" + characters + "…'");
}

}  // namespace
}  // namespace postroom::cli
