#include "benchmarks/messages/ping_pong.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <vector>

#include "numa/pin.h"
#include "numa/placement.h"
#include "numa/topology.h"
#include "runtime/atomics.h"

namespace postroom::benchmarks {
namespace {

constexpr int kBatches = 11;

}  // namespace

void PingPong::wait_for(int number, bool pauses) const {
  while (number_.load(std::memory_order_acquire) != number) {  // (1) pairs with (2)
    if (pauses) pause();
  }
}

void PingPong::put(int number) {
  number_.store(number, std::memory_order_release);  // (2) pairs with (1)
}

void PingPong::ask(int round_trips, bool pauses) {
  for (int i = 0; i < round_trips; ++i) {
    put(++asked_);
    wait_for(++asked_, pauses);
  }
}

void PingPong::answer(int round_trips, bool pauses) {
  for (int i = 0; i < round_trips; ++i) {
    wait_for(++answered_, pauses);
    put(++answered_);
  }
}

double ping_pong_ns(int round_trips) {
  const Topology topology = Topology::this_machine();
  const Placement placement = place(topology, 2);
  PingPong ping_pong;
  std::thread answering([&] {
    pin_this_thread(topology, placement.leaf_of_processor[1]);
    ping_pong.answer(kBatches * round_trips);
  });
  std::vector<double> batches;
  std::thread asking([&] {
    pin_this_thread(topology, placement.leaf_of_processor[0]);
    for (int batch = 0; batch < kBatches; ++batch) {
      const auto start = std::chrono::steady_clock::now();
      ping_pong.ask(round_trips);
      const std::chrono::duration<double, std::nano> taken =
          std::chrono::steady_clock::now() - start;
      batches.push_back(taken.count() / (2.0 * round_trips));
    }
  });
  asking.join();
  answering.join();
  std::ranges::nth_element(batches, batches.begin() + kBatches / 2);
  return batches[kBatches / 2];
}

}  // namespace postroom::benchmarks
