// The routers on the relations of [H], Eq. (7), h = n/p … 8n/p, with n elements of 32 bits on p
// processors; and plain copying in Morton order beside them.
//
//   bazel run -c opt //benchmarks/route                p = 8, n = 2^22, 31 rounds: about a minute
//   bazel run -c opt //benchmarks/route -- 2 1048576 15
//
// A row is one h and one pattern, ms, the median over the rounds (rounds.h). Every call finds its
// input at the same addresses, just written by the processor that has it, whatever the pattern, and
// ends with all elements at their targets; that every processor got what it should, in order, is
// checked outside of the timed part. The last lines say by how much the time differs between the
// patterns of one h, slowest over fastest, by their ratios within the rounds. The first pattern
// takes part twice: what differs between the two is what the measurement itself is worth.
#include "collectives/route.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "benchmarks/messages/ping_pong.h"
#include "benchmarks/route/morton.h"
#include "benchmarks/route/own.h"
#include "benchmarks/route/patterns.h"
#include "benchmarks/route/rounds.h"
#include "collectives/algorithm.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

/// Those that do not need processors that share threads.
constexpr std::array kRouters{Algorithm::two_transpose, Algorithm::one_phase, Algorithm::direct};

/// The routers, and then what copies in Morton order.
std::vector<std::string> competitors() {
  std::vector<std::string> names;
  for (const Algorithm& router : kRouters) names.push_back(to_string(router));
  names.emplace_back("morton_copy");
  return names;
}

double slowest_over_fastest_percent(std::span<const double> ratios) {
  const auto [least, most] = std::ranges::minmax(ratios);
  return 100 * (most / least - 1);
}

class Bench {
 public:
  Bench(int p, std::size_t n, int rounds)
      : each_(n / static_cast<std::size_t>(p)),
        rounds_(rounds),
        machine_({.processors = p}),
        morton_(p),
        own_(static_cast<std::size_t>(p)) {}

  void run() {
    const int p = machine_.processors();
    std::printf("p = %d, n/p = %zu, %d rounds, ms\n%4s %14s", p, each_, rounds_, "h", "pattern");
    for (const std::string& name : names_) std::printf(" %14s", name.c_str());
    std::printf("\n");
    for (std::size_t times = 1; times <= std::min<std::size_t>(8, own_.size()); times *= 2) {
      run(times);
    }
    std::printf("slowest pattern over fastest\n%s", spreads_.c_str());
  }

 private:
  void run(std::size_t times) {
    std::vector<Pattern> patterns = patterns_of(machine_.processors(), each_, times * each_);
    const std::size_t different = patterns.size();
    patterns.push_back(patterns[0]);
    patterns.back().name += " again";
    const std::vector<OfPatterns> medians = in_rounds(
        names_.size(), patterns.size(), rounds_, [&](std::size_t competitor, std::size_t i) {
          return call(competitor, patterns[i], times * each_);
        });
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      std::printf("%2zun/p %14s", times, patterns[i].name.c_str());
      for (const OfPatterns& of : medians) std::printf(" %14.2f", of.ms[i]);
      std::printf("\n");
    }
    std::fflush(stdout);
    const auto add_line = [&](const std::string& what, const auto& percent) {
      char number[32];
      std::snprintf(number, sizeof(number), "%2zun/p %14s", times, what.c_str());
      spreads_ += number;
      for (const OfPatterns& of : medians) {
        std::snprintf(number, sizeof(number), " %12.1f %%", percent(of.ratios));
        spreads_ += number;
      }
      spreads_ += "\n";
    };
    add_line("all", [&](std::span<const double> ratios) {
      return slowest_over_fastest_percent(ratios.first(different));
    });
    add_line("one twice", [&](std::span<const double> ratios) {
      const double both[] = {ratios.front(), ratios.back()};
      return slowest_over_fastest_percent(both);
    });
  }

  double call(std::size_t competitor, const Pattern& pattern, std::size_t h) {
    machine_.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      Own& own = own_[id];
      own.targets = pattern.targets[id];
      own.elements.resize(each_);
      std::iota(own.elements.begin(), own.elements.end(), static_cast<std::uint32_t>(id * each_));
      self.barrier();
      own.begin = Clock::now();
      const Elements32 received = route_by(competitor, self, own, h);
      own.end = Clock::now();
      self.barrier();  // what others check is not to be in the time of this one
      check(self.id(), received, pattern);
    });
    return ms_of(own_);
  }

  Elements32 route_by(std::size_t competitor, Processor& self, const Own& own, std::size_t h) {
    if (competitor == kRouters.size()) return morton_.route(self, own.elements, own.targets);
    const RouteOptions options{.algorithm = kRouters[competitor],
                               .relation = Relation{.most_sent = each_, .most_received = h}};
    return route(self, own.elements, own.targets, options);
  }

  /// Elements are numbered by source and in the order of sending.
  void check(int id, const Elements32& received, const Pattern& pattern) const {
    const bool right = received.size() == pattern.received[static_cast<std::size_t>(id)] &&
                       std::ranges::is_sorted(received, std::ranges::less_equal()) &&
                       std::ranges::all_of(received, [&](std::uint32_t element) {
                         return pattern.targets[element / each_][element % each_] == id;
                       });
    if (!right) throw std::runtime_error("wrong result: " + pattern.name);
  }

  std::size_t each_;
  int rounds_;
  Machine machine_;
  MortonCopy morton_;
  std::vector<Own> own_;  // by processor, each written by its own
  std::vector<std::string> names_ = competitors();
  std::string spreads_;
};

}  // namespace
}  // namespace postroom::benchmarks

int main(int argc, char** argv) {
  using namespace postroom::benchmarks;
  try {
    const int p = argc > 1 ? std::stoi(argv[1]) : 8;
    const std::size_t n = argc > 2 ? std::stoull(argv[2]) : std::size_t{1} << 22;
    const int rounds = argc > 3 ? std::stoi(argv[3]) : 31;
    if (p < 1 || !std::has_single_bit(static_cast<unsigned>(p)) || n < std::size_t(p) ||
        rounds < 1) {
      throw std::invalid_argument("p is a power of two, n at least p, rounds at least 1");
    }
    std::printf("bare ping-pong, one way: %.1f ns\n", ping_pong_ns());
    Bench(p, n, rounds).run();
    std::printf("bare ping-pong, one way: %.1f ns\n", ping_pong_ns());
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
