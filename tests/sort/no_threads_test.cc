// Where the system starts no more threads: who asked for them is told before anything is touched,
// and all else goes on with those that are there.
#include <dlfcn.h>
#include <gtest/gtest.h>
#include <pthread.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <string>
#include <system_error>
#include <vector>

#include "runtime/machine.h"
#include "sort/options.h"
#include "sort/sort.h"

namespace {

std::atomic<int> threads_left{1000};

}  // namespace

// In the place of that of the C library.
extern "C" int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                              void* (*start)(void*), void* argument) {
  using Create = int (*)(pthread_t*, const pthread_attr_t*, void* (*)(void*), void*);
  static const auto create = reinterpret_cast<Create>(dlsym(RTLD_NEXT, "pthread_create"));
  if (threads_left.fetch_sub(1) <= 0) return EAGAIN;
  return create(thread, attributes, start, argument);
}

namespace postroom {
namespace {

std::vector<std::uint32_t> falling(std::size_t size) {
  std::vector<std::uint32_t> keys(size);
  for (std::size_t i = 0; i < size; ++i) keys[i] = static_cast<std::uint32_t>((i * 48271) % size);
  return keys;
}

TEST(NoThreads, ASortThatAsksForThemTouchesNothing) {
  const auto before = falling(300'000);
  auto keys = before;
  threads_left = 0;
  EXPECT_THROW(postroom::sort(keys, {.processors = 5, .pin = false}), std::system_error);
  EXPECT_TRUE(keys == before);
  EXPECT_THROW((void)argsort(keys, {.processors = 5, .pin = false}), std::system_error);
  EXPECT_TRUE(keys == before);
}

TEST(NoThreads, ASortThatDoesNotAskForThemIsDone) {
  threads_left = 0;
  auto keys = falling(3'000'000);
  sort(keys);
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST(NoThreads, ThenThereAreSomeAgain) {
  threads_left = 1000;
  auto keys = falling(300'000);
  postroom::sort(keys, {.processors = 5, .pin = false});
  EXPECT_TRUE(std::ranges::is_sorted(keys));
}

TEST(NoThreads, AMachineSaysHowManyItWanted) {
  threads_left = 1;
  try {
    Machine({.processors = 4, .threads = 4});
    ADD_FAILURE() << "four threads were started";
  } catch (const std::system_error& error) {
    EXPECT_EQ(error.code().value(), EAGAIN);
    EXPECT_NE(std::string(error.what()).find("cannot start thread 2 of 3"), std::string::npos)
        << error.what();
  }
  threads_left = 1000;
  int sum = 0;
  Machine({.processors = 4, .threads = 4}).run([&](Processor& self) {
    if (self.id() == 0) sum = 4;
    self.barrier();
  });
  EXPECT_EQ(sum, 4);
}

}  // namespace
}  // namespace postroom
