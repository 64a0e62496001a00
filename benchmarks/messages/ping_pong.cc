#include "benchmarks/messages/ping_pong.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <thread>
#include <vector>

#include "numa/cacheline.h"
#include "numa/pin.h"
#include "numa/placement.h"
#include "numa/topology.h"

namespace postroom::benchmarks {
namespace {

constexpr int kBatches = 11;

struct alignas(kNoSharing) Line {
  std::atomic<int> number{0};
};

void wait_for(const Line& line, int number) {
  while (line.number.load(std::memory_order_acquire) != number) {  // (1) pairs with (2)
  }
}

void put(Line& line, int number) {
  line.number.store(number, std::memory_order_release);  // (2) pairs with (1)
}

}  // namespace

double ping_pong_ns(int round_trips) {
  const Topology topology = Topology::this_machine();
  const Placement placement = place(topology, 2);
  Line line;
  const int last = 2 * kBatches * round_trips;
  std::thread answering([&] {
    pin_this_thread(topology, placement.leaf_of_processor[1]);
    for (int number = 1; number < last; number += 2) {
      wait_for(line, number);
      put(line, number + 1);
    }
  });
  std::vector<double> batches;
  std::thread asking([&] {
    pin_this_thread(topology, placement.leaf_of_processor[0]);
    int number = 0;
    for (int batch = 0; batch < kBatches; ++batch) {
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < round_trips; ++i) {
        put(line, ++number);
        wait_for(line, ++number);
      }
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
