// Whole reads and writes through a pipe that does not block, as another program may have left it.
#include "cli/files/descriptor.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <array>
#include <span>
#include <string>
#include <thread>

namespace postroom::cli {
namespace {

class NonBlockingPipe : public ::testing::Test {
 protected:
  void SetUp() override {
    std::array<int, 2> ends;
    ASSERT_EQ(pipe2(ends.data(), O_NONBLOCK | O_CLOEXEC), 0);
    reading_ = Descriptor(ends[0]);
    writing_ = Descriptor(ends[1]);
  }

  int waiting_bytes() const {
    int bytes = 0;
    ioctl(reading_.get(), FIONREAD, &bytes);
    return bytes;
  }

  Descriptor reading_;
  Descriptor writing_;
};

TEST_F(NonBlockingPipe, ReadingWaitsForWhatComes) {
  const std::string sent = "some words, letter by letter";
  std::jthread writer([&] {
    for (const char letter : sent) {
      while (waiting_bytes() > 0) std::this_thread::yield();
      EXPECT_EQ(write(writing_.get(), &letter, 1), 1);
    }
    writing_ = Descriptor();
  });
  std::string got(sent.size() + 1, ' ');
  got.resize(read_full(reading_.get(), std::as_writable_bytes(std::span(got)), "a pipe"));
  EXPECT_EQ(got, sent);
}

TEST_F(NonBlockingPipe, WritingWaitsForRoom) {
  const std::string sent(std::size_t{1} << 20, 'x');  // more than a pipe holds
  std::string got(sent.size(), ' ');
  std::jthread reader([&] {
    while (waiting_bytes() == 0) std::this_thread::yield();
    read_full(reading_.get(), std::as_writable_bytes(std::span(got)), "a pipe");
  });
  write_all(writing_.get(), std::as_bytes(std::span(sent)), "a pipe");
  reader.join();
  EXPECT_EQ(got, sent);
}

}  // namespace
}  // namespace postroom::cli
