// Signals remove the registered files and still end the program.
#include "cli/files/signal_cleanup.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <stdexcept>
#include <string>

#include "cli/files/descriptor.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

using Names = std::set<std::string>;

/// How a process that does `work` ends.
int status_of_process(const std::function<void()>& work) {
  const pid_t process = fork();
  if (process == 0) {
    work();
    _exit(0);
  }
  int status = 0;
  waitpid(process, &status, 0);
  return status;
}

class SignalCleanup : public ::testing::Test {
 protected:
  ScratchFolder folder_;
  Descriptor descriptor_{open(folder_().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
};

TEST_F(SignalCleanup, RemovesWhatIsRegisteredAndEndsByTheSignal) {
  for (const int signal_number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU, SIGALRM,
                                  SIGPROF, SIGVTALRM, SIGPOLL, SIGUSR1, SIGUSR2}) {
    for (const char* name : {"one", "two", "other"}) write_file(folder_(name), "");
    const int status = status_of_process([&] {
      install_signal_cleanup();
      const RemovedOnSignal one(descriptor_.get(), "one");
      const RemovedOnSignal two(descriptor_.get(), "two");
      raise(signal_number);
    });
    EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == signal_number) << signal_number;
    EXPECT_EQ(folder_.names(), Names({"other"})) << signal_number;
  }
}

TEST_F(SignalCleanup, LeavesWhatIsNoLongerRegistered) {
  write_file(folder_("one"), "");
  status_of_process([&] {
    install_signal_cleanup();
    { const RemovedOnSignal one(descriptor_.get(), "one"); }
    raise(SIGTERM);
  });
  EXPECT_EQ(folder_.names(), Names({"one"}));
}

TEST_F(SignalCleanup, AnIgnoredSignalStaysIgnored) {
  write_file(folder_("one"), "");
  const int status = status_of_process([&] {
    std::signal(SIGHUP, SIG_IGN);
    install_signal_cleanup();
    const RemovedOnSignal one(descriptor_.get(), "one");
    raise(SIGHUP);
  });
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(folder_.names(), Names({"one"}));
}

TEST_F(SignalCleanup, TooManyAreRefused) {
  const RemovedOnSignal a(descriptor_.get(), "a");
  const RemovedOnSignal b(descriptor_.get(), "b");
  const RemovedOnSignal c(descriptor_.get(), "c");
  {
    const RemovedOnSignal d(descriptor_.get(), "d");
    EXPECT_THROW(RemovedOnSignal(descriptor_.get(), "e"), std::length_error);
  }
  EXPECT_NO_THROW(RemovedOnSignal(descriptor_.get(), "e"));
}

}  // namespace
}  // namespace postroom::cli
