// What standard error is told.
#include "cli/common/failure.h"

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>

namespace postroom::cli {
namespace {

/// How a process ends whose standard error nobody reads, after `act`.
template <class Act>
int status_without_reader(const Act& act) {
  const pid_t child = fork();
  if (child == 0) {
    std::array<int, 2> ends{};
    if (pipe(ends.data()) != 0) _exit(9);
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    close(ends[1]);
    std::signal(SIGPIPE, SIG_DFL);
    act();
    _exit(0);
  }
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return status;
}

TEST(Tell, GoesOnWhereNobodyReads) {
  EXPECT_EQ(status_without_reader([] { tell("a line\n"); }), 0);
  const int killed = status_without_reader([] {
    if (write(STDERR_FILENO, "a", 1) != 1) _exit(8);
  });
  EXPECT_TRUE(WIFSIGNALED(killed));
}

TEST(Tell, LeavesASignalThatWasThereBefore) {
  EXPECT_EQ(status_without_reader([] {
              sigset_t pipe;
              sigset_t pending;
              sigemptyset(&pipe);
              sigaddset(&pipe, SIGPIPE);
              sigprocmask(SIG_BLOCK, &pipe, nullptr);
              raise(SIGPIPE);
              tell("a line\n");
              sigpending(&pending);
              if (sigismember(&pending, SIGPIPE) != 1) _exit(7);
            }),
            0);
}

}  // namespace
}  // namespace postroom::cli
