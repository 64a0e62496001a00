// A root whose thread the system does not let run, although it could go on: the watch over
// deadlocks must not take it for one that waits.
#include <gtest/gtest.h>
#include <pthread.h>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <thread>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/gather.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

using List = std::vector<std::uint64_t>;

// Keeps the thread that gets the signal from running until it is let go.
std::atomic<bool> is_held{false};
void hold(int) {
  while (is_held) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

// The root sleeps until all of the other thread have put in theirs, but goes on by a message for a
// receive that it has started, too. However late its thread comes to look, that is no deadlock.
TEST(HeldRoot, GoesOnByAReceiveThatItHasStarted) {
  struct sigaction action {};
  struct sigaction before {};
  action.sa_handler = hold;
  action.sa_flags = SA_RESTART;
  ASSERT_EQ(sigaction(SIGUSR1, &action, &before), 0);
  Machine machine({.processors = 4, .threads = 2});
  std::atomic<pthread_t> of_root{};
  machine.run([&](Processor& self) {
    const List list(500, 3);  // a loan
    List received(list.size());
    Pending receiving;
    std::thread letting_go;
    if (self.id() == 0) {
      receiving = self.start_receive(3, received);
      of_root = pthread_self();
    } else if (self.id() == 3) {
      std::this_thread::sleep_for(std::chrono::milliseconds(50));  // the root sleeps
      is_held = true;
      pthread_kill(of_root, SIGUSR1);
      letting_go = std::thread([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(100));
        is_held = false;
      });
      struct Join {
        std::thread& thread;
        ~Join() { thread.join(); }
      } const join{letting_go};
      self.send(0, list);
    }
    (void)gather(self, 0, self.id(), Algorithm::slots);
    receiving.wait();
    if (self.id() == 0) {
      EXPECT_EQ(received, list);
    }
  });
  ASSERT_EQ(sigaction(SIGUSR1, &before, nullptr), 0);
}

}  // namespace
}  // namespace postroom
