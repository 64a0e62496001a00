// The routers on the relations of [H], Eq. (7), h = n/p … 8n/p, with n elements of 32 bits on p
// processors; and plain copying in Morton order beside them.
//
//   bazel run -c opt //benchmarks/route            p = 8, n = 2^22
//   bazel run -c opt //benchmarks/route -- 16 1048576
//
// A row is one h and one pattern, ms, the median of nine calls; all competitors on all patterns of
// one h take turns, so that a machine that changes meanwhile changes for all. Each call
// begins with the elements in the order in which they were drawn and ends with them at their
// targets; that every processor got what it should is checked outside of the timed part. The last
// lines say by how much the time of two_transpose differs between the patterns of one h.
#include "collectives/route.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/messages/ping_pong.h"
#include "benchmarks/route/morton.h"
#include "benchmarks/route/patterns.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

using Clock = std::chrono::steady_clock;
using Elements32 = std::vector<std::uint32_t>;
using Medians = std::map<std::string, double>;  // competitor -> ms

constexpr int kRepeats = 9;
constexpr const char* kMorton = "morton_copy";

std::vector<std::string> competitors() {
  std::vector<std::string> names;
  for (const Router router : kRouters) names.emplace_back(name_of(router));
  names.emplace_back(kMorton);
  return names;
}

class Bench {
 public:
  Bench(int p, std::size_t n) : p_(p), n_(n), machine_({.processors = p}), morton_(p) {}

  void run() {
    std::printf("p = %d, n = %zu, ms\n%4s %10s", p_, n_, "h", "pattern");
    for (const std::string& name : competitors()) std::printf(" %14s", name.c_str());
    std::printf("\n");
    std::vector<std::string> spreads;
    for (const std::size_t times : {1, 2, 4, 8}) {
      const std::size_t h = times * n_ / static_cast<std::size_t>(p_);
      if (h > n_) break;
      std::vector<double> of_two_transpose;
      const std::vector<Pattern> patterns = patterns_of(p_, n_, h);
      const std::vector<Medians> medians = measure(patterns, h);
      for (std::size_t i = 0; i < patterns.size(); ++i) {
        const Medians& ms = medians[i];
        std::printf("%2zun/p %10s", times, patterns[i].name.c_str());
        for (const std::string& name : competitors()) std::printf(" %14.2f", ms.at(name));
        std::printf("\n");
        of_two_transpose.push_back(ms.at(std::string(name_of(Router::kTwoTranspose))));
      }
      const auto [least, most] = std::ranges::minmax(of_two_transpose);
      spreads.push_back(std::to_string(times) +
                        "n/p: " + std::to_string(100 * (most - least) / least).substr(0, 4) + " %");
    }
    std::printf("two_transpose, slowest pattern over fastest:");
    for (const std::string& spread : spreads) std::printf("   h = %s", spread.c_str());
    std::printf("\n");
  }

 private:
  std::vector<Medians> measure(const std::vector<Pattern>& patterns, std::size_t h) {
    std::vector<std::map<std::string, std::vector<double>>> times(patterns.size());
    for (int repeat = 0; repeat <= kRepeats; ++repeat) {
      for (const std::string& name : competitors()) {
        for (std::size_t i = 0; i < patterns.size(); ++i) {
          const double ms = call(name, patterns[i], h);
          if (repeat > 0) times[i][name].push_back(ms);
        }
      }
    }
    std::vector<Medians> medians(patterns.size());
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      for (auto& [name, list] : times[i]) {
        std::ranges::nth_element(list, list.begin() + kRepeats / 2);
        medians[i][name] = list[kRepeats / 2];
      }
    }
    return medians;
  }

  double call(const std::string& name, const Pattern& pattern, std::size_t h) {
    double ms = 0;
    machine_.run([&](Processor& self) {
      const std::vector<int>& targets = pattern.targets[static_cast<std::size_t>(self.id())];
      Elements32 elements;
      for (const int target : targets) elements.push_back(static_cast<std::uint32_t>(target));
      self.barrier();
      const Clock::time_point start = Clock::now();
      const Elements32 received = route_by(name, self, elements, targets, h);
      self.barrier();
      if (self.id() == 0) {
        ms = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
      }
      check(self.id(), received, pattern);
    });
    return ms;
  }

  Elements32 route_by(const std::string& name, Processor& self, const Elements32& elements,
                      const std::vector<int>& targets, std::size_t h) {
    if (name == kMorton) return morton_.route(self, elements, targets);
    RouteOptions options{.router = parse_router(name)};
    options.relation = Relation{.most_sent = n_ / static_cast<std::size_t>(p_), .most_received = h};
    return route(self, elements, targets, options);
  }

  static void check(int id, const Elements32& received, const Pattern& pattern) {
    std::size_t expected = 0;
    for (const std::vector<int>& targets : pattern.targets) {
      expected += static_cast<std::size_t>(std::ranges::count(targets, id));
    }
    const auto right =
        static_cast<std::size_t>(std::ranges::count(received, static_cast<std::uint32_t>(id)));
    if (received.size() != expected || right != expected) throw std::runtime_error("wrong result");
  }

  int p_;
  std::size_t n_;
  Machine machine_;
  MortonCopy morton_;
};

}  // namespace
}  // namespace postroom::benchmarks

int main(int argc, char** argv) {
  using namespace postroom::benchmarks;
  try {
    const int p = argc > 1 ? std::stoi(argv[1]) : 8;
    const std::size_t n = argc > 2 ? std::stoull(argv[2]) : std::size_t{1} << 22;
    std::printf("bare ping-pong, one way: %.1f ns\n", ping_pong_ns());
    Bench(p, n).run();
    std::printf("bare ping-pong, one way: %.1f ns\n", ping_pong_ns());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
