// That what is asked for stays in the program. Results are the same without, so this looks at the
// machine code.
#include "numa/prefetch.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

namespace postroom {
namespace {

[[gnu::noinline]] void ask_to_read(const char* place) { prefetch_to_read(place); }
[[gnu::noinline]] void ask_to_write(const char* place) { prefetch_to_write(place); }

}  // namespace

// They do no more than call a function that does no more than ask.
[[gnu::noinline]] void call_to_read(const char* place) { ask_to_read(place); }
[[gnu::noinline]] void call_to_write(const char* place) { ask_to_write(place); }
[[gnu::noinline]] void call_nothing(const char*) {}

namespace {

// Whether a function does nothing but return. Not of one with a frame of its own, as without -O.
bool is_empty(void (*function)(const char*)) {
  const auto* code = reinterpret_cast<const volatile unsigned char*>(function);
  constexpr std::array<unsigned char, 4> kEntered = {0xf3, 0x0f, 0x1e, 0xfa};  // endbr64
  constexpr unsigned char kReturn = 0xc3;
  if (std::equal(kEntered.begin(), kEntered.end(), code)) code += kEntered.size();
  return *code == kReturn;
}

TEST(Prefetch, StaysWhereTheCallerDoesNothingElse) {
  if (!is_empty(call_nothing)) GTEST_SKIP() << "Functions are never empty here";
  EXPECT_FALSE(is_empty(call_to_read));
  EXPECT_FALSE(is_empty(call_to_write));
}

// Any address may be asked for.
TEST(Prefetch, DoesNoHarm) {
  ask_to_read(nullptr);
  ask_to_write(nullptr);
}

}  // namespace
}  // namespace postroom
