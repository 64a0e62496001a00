#include "runtime/mailbox_room.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "runtime/errors.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

constexpr std::uint64_t kStep = MailboxRoom::kPairsPerLook;
constexpr std::uint64_t kStepBytes = kStep * MailboxRoom::kBytesOfPair;

int looks = 0;
std::uint64_t available = 0;
std::uint64_t look() {
  ++looks;
  return available;
}

void take(MailboxRoom& room, std::uint64_t pairs) {
  for (std::uint64_t i = 0; i < pairs; ++i) room.take();
}

TEST(MailboxRoom, LooksNowAndThen) {
  looks = 0;
  available = 10 * kStepBytes;
  MailboxRoom room(look);
  take(room, 3 * kStep - 1);
  EXPECT_EQ(looks, 2);
  take(room, 1);
  EXPECT_EQ(looks, 3);
}

TEST(MailboxRoom, RefusesWhereTheNextDoNotFit) {
  constexpr std::uint64_t kLoanBytes = kStep * MailboxRoom::kBytesOfLoan;
  available = kStepBytes + kLoanBytes;
  MailboxRoom room(look);
  take(room, kStep);
  available = kStepBytes + 2 * kLoanBytes - 1;
  take(room, kStep - 1);
  try {
    room.take();
    FAIL() << "there is no room";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(),
                 "no memory for more pairs of processors: 8192 pairs talk and take 10 MiB, 8 MiB "
                 "are available");
  }
  available *= 10;  // what is freed meanwhile changes nothing: the machine stops
  EXPECT_THROW(room.take(), std::runtime_error);
  room.clear();
  take(room, kStep - 1);
  EXPECT_NO_THROW(room.take());
}

/// What the system gives this process from here on, beside what it has.
void limit_addresses(std::uint64_t bytes) {
  std::uint64_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE)) + bytes;
  setrlimit(RLIMIT_AS, &limit);
}

// Where the system would otherwise end the process.
[[noreturn]] void talk_with_all_in_little_memory() {
  Machine machine({.processors = 1500, .threads = 1});
  machine.run([](Processor& self) { self.barrier(); });
  limit_addresses(std::uint64_t{256} << 20);
  try {
    machine.run([](Processor& self) {
      for (int i = 0; i < self.count(); ++i) self.send(i, self.id());
      for (int i = 0; i < self.count(); ++i) (void)self.receive<int>(i);
    });
  } catch (const ProcessorError& error) {
    std::fprintf(stderr, "%s\n", error.what());
  }
  int sum = 0;
  machine.run([&](Processor& self) {
    if (self.id() == 1) self.send(0, 5);
    if (self.id() == 0) sum = self.receive<int>(1);
  });
  std::exit(sum);
}

TEST(MailboxRoomDeathTest, AMachineTellsHowManyPairsThereAre) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "a sanitizer takes most addresses for itself";
#endif
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(talk_with_all_in_little_memory(), testing::ExitedWithCode(5),
              "processor [0-9]+: no memory for more pairs of processors: [0-9]+ pairs talk");
}

}  // namespace
}  // namespace postroom
