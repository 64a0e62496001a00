#include "cli/files/signal_cleanup.h"

#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <climits>
#include <stdexcept>

namespace postroom::cli {
namespace {

constexpr std::array kEndingSignals = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGXCPU};

// A name to remove. `folder` is -1 while the place is free; the release-store (1) publishes the
// name, the acquire-load (2) in the handler reads it.
struct Registered {
  std::atomic<int> folder = -1;
  std::array<char, NAME_MAX + 1> name;
};
std::array<Registered, kMostRemovedOnSignal> registered;
static_assert(std::atomic<int>::is_always_lock_free, "the handler may only use lock-free atomics");

void remove_and_end(int signal_number) {
  for (const Registered& each : registered) {
    const int folder = each.folder.load(std::memory_order_acquire);  // (2)
    if (folder >= 0) unlinkat(folder, each.name.data(), 0);
  }
  // SA_RESETHAND has restored the default action; the raised signal arrives when this returns.
  raise(signal_number);
}

int free_place() {
  for (int place = 0; place < kMostRemovedOnSignal; ++place) {
    // Relaxed: places are taken and freed by one thread at a time.
    if (registered[place].folder.load(std::memory_order_relaxed) < 0) return place;
  }
  throw std::length_error("too many files to remove on a signal");
}

}  // namespace

void install_signal_cleanup() {
  for (const int signal_number : kEndingSignals) {
    struct sigaction old = {};
    sigaction(signal_number, nullptr, &old);
    if (old.sa_handler == SIG_IGN) continue;
    struct sigaction action = {};
    action.sa_handler = remove_and_end;
    action.sa_flags = SA_RESETHAND;
    sigemptyset(&action.sa_mask);
    sigaction(signal_number, &action, nullptr);
  }
  signal(SIGXFSZ, SIG_IGN);
}

RemovedOnSignal::RemovedOnSignal(int folder_descriptor, const std::string& name)
    : place_(free_place()) {
  Registered& mine = registered[place_];
  if (name.size() >= mine.name.size()) throw std::length_error("a file name is too long");
  name.copy(mine.name.data(), name.size());
  mine.name[name.size()] = '\0';
  mine.folder.store(folder_descriptor, std::memory_order_release);  // (1)
}

RemovedOnSignal::~RemovedOnSignal() {
  // (1) Release, so that a later change of the name does not move before it; pairs with (2).
  registered[place_].folder.store(-1, std::memory_order_release);
}

}  // namespace postroom::cli
