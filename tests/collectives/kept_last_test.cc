// The last few things that were made.
#include "collectives/parts/kept_last.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>

namespace postroom {
namespace {

TEST(KeptLast, IsMadeOnce) {
  KeptLast<int, std::string> kept;
  int made = 0;
  const auto get = [&](int key) {
    return kept.get(key, [&] {
      ++made;
      return std::to_string(key);
    });
  };
  const auto five = get(5);
  EXPECT_EQ(*five, "5");
  EXPECT_EQ(get(5), five);
  EXPECT_EQ(*get(6), "6");
  EXPECT_EQ(made, 2);
}

TEST(KeptLast, TheOldestIsForgottenAndLivesAsLongAsItIsUsed) {
  KeptLast<int, int> kept;
  const auto first = kept.get(0, [] { return 100; });
  for (int key = 1; key <= static_cast<int>(kept.kMost); ++key) {
    (void)kept.get(key, [&] { return key; });
  }
  EXPECT_EQ(*kept.get(1, [] { return -1; }), 1);
  EXPECT_EQ(*kept.get(0, [] { return 200; }), 200);
  EXPECT_EQ(*first, 100);
}

/// A comparison of slow keys takes until `may_end`.
struct SlowKey {
  std::atomic<bool>* compares;
  const std::atomic<bool>* may_end;
  bool operator==(const SlowKey& other) const {
    if (other.compares == nullptr) return true;
    *other.compares = true;
    while (!*other.may_end) std::this_thread::yield();
    return true;
  }
};

TEST(KeptLast, AChildDoesNotWaitForAThreadOfItsParent) {
  KeptLast<SlowKey, int> kept;
  (void)kept.get({nullptr, nullptr}, [] { return 1; });
  std::atomic<bool> compares{false};
  std::atomic<bool> may_end{false};
  std::thread other([&] { EXPECT_EQ(*kept.get({&compares, &may_end}, [] { return 2; }), 1); });
  while (!compares) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    _exit(*kept.get({nullptr, nullptr}, [] { return 3; }) == 3 ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  may_end = true;
  other.join();
}

// Somebody else has made it meanwhile.
TEST(KeptLast, OneOfTwoThatAreMadeAtOnceIsKept) {
  KeptLast<int, int> kept;
  const auto later = kept.get(1, [&] {
    EXPECT_EQ(*kept.get(1, [] { return 7; }), 7);
    return 8;
  });
  EXPECT_EQ(*later, 7);
}

TEST(KeptLast, WhatThrowsIsNotKept) {
  KeptLast<int, int> kept;
  EXPECT_THROW((void)kept.get(1, []() -> int { throw std::runtime_error("none"); }),
               std::runtime_error);
  EXPECT_EQ(*kept.get(1, [] { return 7; }), 7);
}

}  // namespace
}  // namespace postroom
