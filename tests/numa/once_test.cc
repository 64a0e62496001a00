// What is found or made once stays, whoever asks; and a child that was forked off while somebody
// was at it does not wait for him.
#include "numa/once.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <memory>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace postroom {
namespace {

TEST(Once, ANumberIsFoundAtTheFirstUse) {
  static constinit FoundOnce<int> number;
  EXPECT_EQ(number.get([] { return 0; }), 0);
  EXPECT_EQ(number.get([] { return 7; }), 0);
  static constinit FoundOnce<bool> yes;
  EXPECT_TRUE(yes.get([] { return true; }));
  EXPECT_TRUE(yes.get([] { return false; }));
}

TEST(Once, WhatThrowsIsTriedAgain) {
  const auto fails = []() -> int { throw std::runtime_error("not yet"); };
  static constinit FoundOnce<int> number;
  EXPECT_THROW((void)number.get(fails), std::runtime_error);
  EXPECT_EQ(number.get([] { return 3; }), 3);
  static constinit MadeOnce<int> made;
  EXPECT_THROW((void)made.get([]() -> std::unique_ptr<int> { throw std::runtime_error("no"); }),
               std::runtime_error);
  EXPECT_EQ(made.get([] { return std::make_unique<int>(4); }), 4);
}

TEST(Once, AllGetTheSameObject) {
  for (int turn = 0; turn < 100; ++turn) {
    MadeOnce<std::vector<int>> once;
    constexpr int kThreads = 4;
    std::vector<std::vector<int>*> got(kThreads);
    std::atomic<int> ready{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < kThreads; ++t) {
      threads.emplace_back([&, t] {
        ++ready;
        while (ready < kThreads) std::this_thread::yield();
        got[static_cast<std::size_t>(t)] =
            &once.get([] { return std::make_unique<std::vector<int>>(1, 17); });
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(std::set<std::vector<int>*>(got.begin(), got.end()).size(), 1U);
    EXPECT_EQ(got[0]->front(), 17);
    delete got[0];  // that once is gone
  }
}

TEST(Once, AChildForkedOffMeanwhileDoesNotWait) {
  static constinit FoundOnce<int> number;
  static constinit MadeOnce<int> made;
  std::atomic<int> inside{0};
  std::atomic<bool> goes_on{false};
  const auto slowly = [&] {
    ++inside;
    while (!goes_on) std::this_thread::yield();
    return 5;
  };
  std::thread finder([&] { EXPECT_EQ(number.get(slowly), 5); });
  std::thread maker(
      [&] { EXPECT_EQ(made.get([&] { return std::make_unique<int>(slowly()); }), 5); });
  while (inside < 2) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    constexpr unsigned kSeconds = 20;
    alarm(kSeconds);
    const bool right =
        number.get([] { return 6; }) == 6 && made.get([] { return std::make_unique<int>(6); }) == 6;
    _exit(right ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  goes_on = true;
  finder.join();
  maker.join();
}

}  // namespace
}  // namespace postroom
