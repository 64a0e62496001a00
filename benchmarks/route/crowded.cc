// The routers where many processors share few threads.
//
//   bazel run -c opt //benchmarks/route:crowded             two threads, 9 rounds: some minutes
//   bazel run -c opt //benchmarks/route:crowded -- 3 1000   3 rounds, 1,000 processors
//
// A row is a number of processors, how many elements of 32 bits each of them sends, and whether
// they go to any processor, at random, or all to one. Entries are ms, the median over the rounds,
// in which the routers take turns, from when the first processor begins until the last one has its
// elements; a first round does not count. two_transpose is left out where its blocks would take
// more than 2 GiB.
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <map>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/route/own.h"
#include "benchmarks/route/rounds.h"
#include "collectives/algorithm.h"
#include "collectives/route.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

constexpr std::array kCompetitors{Algorithm::two_transpose, Algorithm::one_phase, Algorithm::direct,
                                  Algorithm::turns};

class Bench {
 public:
  Bench(int p, int rounds)
      : rounds_(rounds),
        machine_({.processors = p, .threads = 2}),
        own_(static_cast<std::size_t>(p)) {}

  void run(std::size_t each, bool to_one) {
    const int p = machine_.processors();
    std::mt19937_64 random(2024);
    std::uniform_int_distribution<int> any(0, p - 1);
    std::vector<std::size_t> received(own_.size());
    for (Own& own : own_) {
      own.targets.resize(each);
      for (int& target : own.targets) {
        target = to_one ? p / 2 : any(random);
        ++received[static_cast<std::size_t>(target)];
      }
      own.elements.assign(own.targets.begin(), own.targets.end());  // each says where it goes
    }
    const Relation relation{each, *std::ranges::max_element(received)};
    std::map<Algorithm::Name, std::vector<double>> ms;
    for (int round = 0; round <= rounds_; ++round) {
      for (const Algorithm& router : kCompetitors) {
        if (router == Algorithm::two_transpose && !fits(relation)) continue;
        const double time = call(router, received);
        if (round > 0) ms[router.name].push_back(time);
      }
    }
    std::printf("%5d %7zu %7s", p, each, to_one ? "one" : "any");
    for (const Algorithm& router : kCompetitors) {
      if (ms[router.name].empty()) {
        std::printf(" %13s", "-");
      } else {
        std::printf(" %13.3f", median_of(ms[router.name]));
      }
    }
    std::printf("\n");
    std::fflush(stdout);
  }

 private:
  bool fits(const Relation& relation) const {
    constexpr double kMost = 2.0 * (std::size_t{1} << 30);
    const int p = machine_.processors();
    const auto bytes = [&](std::size_t bound) {
      return static_cast<double>(RouteBlockLayout::of<std::uint32_t>(p, bound).bytes);
    };
    // Two sets of blocks at each processor, of the larger of the two sizes.
    return 2.0 * p * p *
               std::max(bytes(first_bin_bound(relation.most_sent, p)),
                        bytes(second_bin_bound(relation.most_received, p))) <
           kMost;
  }

  double call(const Algorithm& router, const std::vector<std::size_t>& expected) {
    machine_.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      Own& own = own_[id];
      self.barrier();
      own.begin = Clock::now();
      const Elements32 received = route(self, own.elements, own.targets, router);
      own.end = Clock::now();
      self.barrier();  // what follows is not to be in the time of others
      const auto all_mine = std::ranges::count(received, static_cast<std::uint32_t>(id));
      if (received.size() != expected[id] ||
          received.size() != static_cast<std::size_t>(all_mine)) {
        throw std::runtime_error("wrong result");
      }
    });
    return ms_of(own_);
  }

  int rounds_;
  Machine machine_;
  std::vector<Own> own_;  // by processor, each written by its own
};

}  // namespace
}  // namespace postroom::benchmarks

int main(int argc, char** argv) {
  using namespace postroom::benchmarks;
  try {
    constexpr std::size_t kMostElements = 10'000'000;
    const int rounds = argc > 1 ? std::stoi(argv[1]) : 9;
    const int only = argc > 2 ? std::stoi(argv[2]) : 0;
    std::printf("%d rounds, ms\n%5s %7s %7s", rounds, "p", "each", "to");
    for (const postroom::Algorithm& router : kCompetitors) {
      std::printf(" %13s", to_string(router).c_str());
    }
    std::printf("\n");
    for (const int p : {4, 8, 16, 64, 256, 1000}) {
      if (only != 0 && only != p) continue;
      Bench bench(p, rounds);
      for (const std::size_t each : {1, 100, 2000, 100'000}) {
        if (static_cast<std::size_t>(p) * each > kMostElements) continue;
        for (const bool to_one : {false, true}) bench.run(each, to_one);
      }
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
