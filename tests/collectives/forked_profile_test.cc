// A process that is forked off while its parent reads the profile reads it by itself.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <string>
#include <thread>

#include "collectives/choice.h"
#include "collectives/models/profile.h"

namespace postroom {
namespace {

// The profile is a pipe, which takes as long to read as somebody holds the other end.
TEST(ForkedProfile, AChildDoesNotWaitForAThreadOfItsParent) {
  const std::string pipe = testing::TempDir() + "/forked_profile_test.pipe";
  unlink(pipe.c_str());
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  setenv("POSTROOM_PROFILE", pipe.c_str(), 1);
  std::thread reader([] { EXPECT_FALSE(box_was_measured()); });
  int end = -1;
  while ((end = open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0) std::this_thread::yield();
  const pid_t child = fork();
  if (child == 0) {
    alarm(10);
    setenv("POSTROOM_PROFILE", "/dev/null/none", 1);  // there is no such file
    _exit(!box_was_measured() && box_profile() == built_in_profile() ? 0 : 1);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  close(end);
  reader.join();
  EXPECT_NE(box_profile().note, "");  // nothing was written
}

}  // namespace
}  // namespace postroom
