#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/bench/bench_statistics.h"
#include "cli/common/robust.h"
#include "cli/common/this_box.h"
#include "cli/reproduce/reproduce_radix_sort.h"
#include "cli/reproduce/timed_rounds.h"
#include "collectives/algorithm.h"
#include "sort/blocks.h"
#include "sort/datasets.h"
#include "sort/radix_sort.h"

namespace postroom::cli {
namespace {

/// One input, one machine, one router, and how long the sort took.
struct Case {
  int processors;
  std::size_t n;
  Distribution distribution;
  Algorithm router;
  double ms = 0;
};

/// Machines are made once for each number of processors.
class Sorts {
 public:
  /// Seconds for one sort; the result is checked afterwards.
  double seconds(const Case& of) {
    TimedMachine& machine = machine_of(of.processors);
    const BlockDistribution blocks(of.n, of.processors);
    std::vector<std::vector<std::uint32_t>> keys(static_cast<std::size_t>(of.processors));
    const DataSet set{
        .distribution = of.distribution, .elements = of.n, .seed = 1, .dealt_over = of.processors};
    const double seconds = machine.seconds(
        [&](Processor& self) {
          radix_sort(self, blocks, keys[static_cast<std::size_t>(self.id())], {},
                     {.algorithm = of.router});
        },
        1,
        [&](Processor& self) {
          std::vector<std::uint32_t>& own = keys[static_cast<std::size_t>(self.id())];
          own.resize(blocks.size(self.id()));
          fill(own, set, blocks.first(self.id()));
        });
    check(keys);
    return seconds;
  }

 private:
  TimedMachine& machine_of(int processors) {
    std::unique_ptr<TimedMachine>& machine = machines_[processors];
    if (machine == nullptr) machine = std::make_unique<TimedMachine>(processors);
    return *machine;
  }

  static void check(const std::vector<std::vector<std::uint32_t>>& keys) {
    std::uint32_t last = 0;
    for (const std::vector<std::uint32_t>& block : keys) {
      for (const std::uint32_t key : block) {
        if (key < last) throw std::logic_error("radix_sort left keys out of order");
        last = key;
      }
    }
  }

  std::map<int, std::unique_ptr<TimedMachine>> machines_;
};

void measure(std::vector<Case>& cases, int rounds) {
  Sorts sorts;
  std::vector<Contestant> contestants;
  for (const Case& of : cases) contestants.push_back([&sorts, &of] { return sorts.seconds(of); });
  const std::vector<Summary> times = in_turns(contestants, rounds);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].ms = times[i].median * 1e3;
}

TextTable table_of(const std::vector<Case>& cases) {
  TextTable table({"p", "n", "n/p", "input", "router", "ms", "ns a key"});
  for (const Case& of : cases) {
    table.row({of.processors, of.n, of.n / static_cast<std::size_t>(of.processors),
               to_string(of.distribution), to_string(of.router), fmt::format("{:.2f}", of.ms),
               fmt::format("{:.1f}", of.ms * 1e6 / static_cast<double>(of.n))});
  }
  return table;
}

Chart chart_by_n(const std::string& title) {
  return {.title = title,
          .x_label = "n, keys of 32 bits",
          .y_label = "milliseconds",
          .x_scale = Chart::Scale::kLog,
          .y_scale = Chart::Scale::kLog};
}

std::vector<std::size_t> sizes_of(const Effort& effort) {
  return effort.of(std::vector<std::size_t>{1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20,
                                            1u << 21, 1u << 22},
                   std::vector<std::size_t>{1u << 10, 1u << 12});
}

}  // namespace

void reproduce_sort_by_distribution(PaperPage& page, const Effort& effort) {
  constexpr std::array kInputs = {Distribution::R, Distribution::S, Distribution::C,
                                  Distribution::N};
  const int p = 8;
  std::vector<Case> cases;
  for (const std::size_t n : sizes_of(effort)) {
    for (const Distribution input : kInputs) {
      cases.push_back({p, n, input, Algorithm::two_transpose});
    }
  }
  measure(cases, effort.of(7, 1));
  Chart chart = chart_by_n("Radix sort on 8 processors, by input");
  for (const Distribution input : kInputs) {
    Chart::Line line{.name = to_string(input), .marked = true};
    for (const Case& of : cases) {
      if (of.distribution == input) line.points.emplace_back(static_cast<double>(of.n), of.ms);
    }
    chart.lines.push_back(line);
  }
  page.chart("fig4", "Fig. 4: the inputs R, S, C and N", chart);
  page.table("fig4", table_of(cases));
  std::vector<double> ratios;
  std::string largest;
  for (std::size_t i = 0; i < cases.size(); i += kInputs.size()) {
    const auto [least, most] =
        std::ranges::minmax(std::span(cases).subspan(i, kInputs.size()), {}, &Case::ms);
    ratios.push_back(most.ms / least.ms);
    largest = fmt::format("{:.0f} % for n = {}: {:.1f} ms for {}, {:.1f} ms for {}",
                          100 * (ratios.back() - 1), least.n, least.ms,
                          to_string(least.distribution), most.ms, to_string(most.distribution));
  }
  page.compare(
      {.paper = "The time does not depend on the distribution of the keys.",
       .seen = fmt::format("The slowest input takes {:.0f} % longer than the fastest in the mean "
                           "over the sizes; {}.",
                           100 * (*geometric_mean(ratios) - 1), largest),
       .why = "Messages have the same sizes for all inputs, so what differs is the work of each "
              "processor on its own memory, which the paper's machines did between messages that "
              "took longer: keys that are few, or in order, go to places side by side."});
}

void reproduce_sort_by_size(PaperPage& page, const Effort& effort) {
  const std::vector<int> machines =
      effort.of(std::vector<int>{1, 2, 4, 8, 16}, std::vector<int>{1, 2, 4});
  const std::vector<std::size_t> sizes = sizes_of(effort);
  std::vector<Case> cases;
  for (const int p : machines) {
    for (const std::size_t n : sizes) {
      cases.push_back({p, n, Distribution::R, Algorithm::two_transpose});
    }
  }
  measure(cases, effort.of(7, 1));
  Chart chart = chart_by_n("Radix sort of R");
  for (const int p : machines) {
    Chart::Line line{.name = fmt::format("p = {}", p), .marked = true};
    for (const Case& of : cases) {
      if (of.processors == p) line.points.emplace_back(static_cast<double>(of.n), of.ms);
    }
    chart.lines.push_back(line);
  }
  page.chart("fig5", "Fig. 5: time against n, for each p", chart);
  page.table("fig5", table_of(cases));
  std::string seen;
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const Case& last = cases[(i + 1) * sizes.size() - 1];
    const Case& first = cases[i * sizes.size()];
    seen += fmt::format("{}{:.1f} to {:.1f} for p = {}", seen.empty() ? "" : ", ",
                        first.ms * 1e6 / static_cast<double>(first.n),
                        last.ms * 1e6 / static_cast<double>(last.n), machines[i]);
  }
  page.compare({.paper = "The time is linear in n and falls with p.",
                .seen = fmt::format("Nanoseconds a key, for {} and for {} keys: {}.", sizes.front(),
                                    sizes.back(), seen),
                .why = fmt::format("This box has {} cores: with more processors they take turns. "
                                   "With few keys the R counts of each pass weigh more, for each "
                                   "processor; with many the lists no longer stay in the caches.",
                                   cores_of_this_box())});
}

void reproduce_sort_by_router(PaperPage& page, const Effort& effort) {
  const std::vector<std::size_t> blocks = effort.of(
      std::vector<std::size_t>{4096, 65536, 262144, 524288}, std::vector<std::size_t>{256, 1024});
  // As many processors as in the paper, and as many as there are cores.
  std::vector<int> machines = {effort.of(16, 4)};
  if (cores_of_this_box() > 1 && cores_of_this_box() != machines[0]) {
    machines.push_back(cores_of_this_box());
  }
  const int rounds = effort.of(5, 1);
  std::string seen;
  for (const int p : machines) {
    std::vector<Case> cases;
    for (const Distribution input : {Distribution::R, Distribution::C, Distribution::N}) {
      for (const std::size_t each : blocks) {
        for (const Algorithm& router :
             {Algorithm::one_phase, Algorithm::two_transpose, Algorithm::direct}) {
          cases.push_back({p, each * static_cast<std::size_t>(p), input, router});
        }
      }
    }
    measure(cases, rounds);
    TextTable table({"input", "n/p", "one phase [AIS], s", "two phases [BHJ], s", "direct, s",
                     "two phases / one"});
    std::vector<double> ratios;
    for (std::size_t i = 0; i < cases.size(); i += 3) {
      const auto seconds = [&](std::size_t k) {
        return fmt::format("{:.4f}", cases[i + k].ms / 1e3);
      };
      const double ratio = cases[i + 1].ms / cases[i].ms;
      table.row({fmt::format("[{}]", to_string(cases[i].distribution)),
                 fmt::format("{}K", static_cast<double>(cases[i].n) / p / 1024), seconds(0),
                 seconds(1), seconds(2), fmt::format("{:.2f}", ratio)});
      ratios.push_back(ratio);
    }
    page.text(fmt::format("{} processors on {} cores:", p, cores_of_this_box()));
    page.table(p == machines[0] ? "table1" : "table1_cores", table);
    seen += fmt::format(
        "{}on {} processors two phases take {:.2f} times as long as one (geometric mean)",
        seen.empty() ? "" : ", ", p, *geometric_mean(ratios));
  }
  page.compare(
      {.paper = "Over two phases the sort is four to ten times as fast as over one for 4K keys a "
                "processor, and 0.87 to 1.3 times as fast for 512K: 0.107 s against 0.474 s and "
                "4.03 s against 4.13 s for [R] on 16 processors of an SP-2.",
       .seen = "Medians of " + std::to_string(rounds) + " rounds: " + seen + ".",
       .why =
           "As with routing alone: the paper's one phase separates its steps by global "
           "synchronisations, ours lets each pair go on by itself. Messages are read in place by "
           "whoever they are for; two phases copy every key more often."});
}

}  // namespace postroom::cli
