#include "pictures/utf8.h"

#include <gtest/gtest.h>

#include <string>

namespace postroom {
namespace {

TEST(Utf8, StaysAsItIs) {
  for (const char* text : {"", "a", "λ ≤ ⌈log₂ p⌉", "\xf0\x9f\x98\x80", "\x7f", "\xed\x9f\xbf",
                           "\xf4\x8f\xbf\xbf", "\xef\xbf\xbd"}) {
    EXPECT_EQ(as_utf8(text), text);
  }
}

TEST(Utf8, WhatIsNoneIsReplacedByteByByte) {
  const std::string other = "\xef\xbf\xbd";
  EXPECT_EQ(as_utf8("caf\xe9!"), "caf" + other + "!");
  EXPECT_EQ(as_utf8("\xe2\x89"), other + other);                          // cut
  EXPECT_EQ(as_utf8("\xc0\xaf"), other + other);                          // too long
  EXPECT_EQ(as_utf8("\xe0\x80\xaf"), other + other + other);              // too long
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), other + other + other);              // half of a pair
  EXPECT_EQ(as_utf8("\xf4\x90\x80\x80"), other + other + other + other);  // beyond U+10FFFF
  EXPECT_EQ(as_utf8("\x80z\xff"), other + "z" + other);
}

}  // namespace
}  // namespace postroom
