#include "cli/files/signal_cleanup.h"

#include <fmt/core.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <deque>
#include <random>
#include <stdexcept>

namespace postroom::cli {
namespace {

// Those that end a program, and may be sent or come of what was asked for; not those of its own
// mistakes.
constexpr std::array kEndingSignals = {SIGINT,  SIGTERM, SIGHUP,    SIGQUIT, SIGPIPE, SIGXCPU,
                                       SIGALRM, SIGPROF, SIGVTALRM, SIGPOLL, SIGUSR1, SIGUSR2};

struct Named {
  int folder;
  std::string name;
};

// What there is to remove; null: a free place.
std::array<std::atomic<const Named*>, kMostRemovedOnSignal> registered;
static_assert(std::atomic<const Named*>::is_always_lock_free,
              "the handler may only use lock-free atomics");

// All that were ever registered, few: neither changed nor freed, since a handler on another thread
// may still read one that has been taken out of its place.
std::deque<Named>& all_named() {
  static auto& all = *new std::deque<Named>;
  return all;
}

void remove_and_end(int signal_number) {
  for (const std::atomic<const Named*>& each : registered) {
    const Named* const named = each.load(std::memory_order_acquire);  // (2) pairs with (1)
    if (named != nullptr) unlinkat(named->folder, named->name.c_str(), 0);
  }
  // SA_RESETHAND has restored the default action; the raised signal arrives when this returns.
  raise(signal_number);
}

int free_place() {
  for (int place = 0; place < kMostRemovedOnSignal; ++place) {
    // Relaxed: places are taken and freed by one thread at a time.
    if (registered[place].load(std::memory_order_relaxed) == nullptr) return place;
  }
  throw std::length_error("too many files to remove on a signal");
}

}  // namespace

std::string new_hidden_name() {
  std::random_device random;
  return fmt::format(".postroom-{:08x}{:08x}", random(), random());
}

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
  const Named& named = all_named().emplace_back(Named{folder_descriptor, name});
  registered[place_].store(&named, std::memory_order_release);  // (1) publishes the name, to (2)
}

RemovedOnSignal::~RemovedOnSignal() {
  // Relaxed: who reads it late removes what is not there.
  registered[place_].store(nullptr, std::memory_order_relaxed);
}

}  // namespace postroom::cli
