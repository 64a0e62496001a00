#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "cli/bench/bench_statistics.h"
#include "cli/common/robust.h"
#include "cli/common/this_box.h"
#include "cli/reproduce/h_relation.h"
#include "cli/reproduce/reproduce_radix_sort.h"
#include "cli/reproduce/timed_rounds.h"
#include "collectives/algorithm.h"
#include "collectives/route.h"
#include "runtime/machine.h"
#include "runtime/virtual_clock.h"

namespace postroom::cli {
namespace {

/// The two of the paper, and that for shared memory; `turns` needs threads that are shared.
constexpr std::array kRouters{Algorithm::two_transpose, Algorithm::one_phase, Algorithm::direct};

/// As in the paper: two integers, of which one says where it goes.
struct Element {
  std::uint32_t data;
  std::uint32_t target;
};

/// One relation, and how long each router took for it.
struct Case {
  int processors;
  std::size_t n;
  std::size_t times;  ///< h in n/p
  Algorithm router;
  double ms = 0;

  std::size_t each() const { return n / static_cast<std::size_t>(processors); }
  std::size_t h() const { return times * each(); }
};

/// The elements of all processors for one relation.
class RelationElements {
 public:
  explicit RelationElements(const Case& of) : elements_(static_cast<std::size_t>(of.processors)) {
    const auto targets =
        dealt_cyclically(equation_7_targets(of.processors, of.n, of.h()), of.processors);
    expected_.resize(elements_.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      for (const int target : targets[i]) {
        elements_[i].push_back({static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(target)});
        ++expected_[static_cast<std::size_t>(target)];
      }
    }
  }
  const std::vector<Element>& of(const Processor& self) const {
    return elements_[static_cast<std::size_t>(self.id())];
  }
  void check(const Processor& self, const std::vector<Element>& received) const {
    const auto me = static_cast<std::uint32_t>(self.id());
    const bool right =
        received.size() == expected_[me] &&
        std::ranges::all_of(received, [&](const Element& element) { return element.target == me; });
    if (!right) throw std::logic_error(fmt::format("processor {} got wrong elements", me));
  }

 private:
  std::vector<std::vector<Element>> elements_;
  std::vector<std::size_t> expected_;
};

RouteOptions options_of(const Case& of) {
  return {.algorithm = of.router,
          .relation = Relation{.most_sent = of.each(), .most_received = of.h()}};
}

/// Seconds for one route; the result is checked afterwards.
double routed(TimedMachine& machine, const Case& of, const RelationElements& elements) {
  std::vector<std::vector<Element>> received(static_cast<std::size_t>(of.processors));
  const double seconds = machine.seconds([&](Processor& self) {
    received[static_cast<std::size_t>(self.id())] =
        route(self, elements.of(self), &Element::target, options_of(of));
  });
  machine.seconds([](Processor&) {}, 1,
                  [&](Processor& self) {
                    elements.check(self, received[static_cast<std::size_t>(self.id())]);
                  });
  return seconds;
}

/// Measures the cases, which are of one machine; the routers of a relation take turns.
void measure(std::vector<Case>& cases, int rounds) {
  TimedMachine machine(cases[0].processors);
  std::vector<std::unique_ptr<RelationElements>> elements;
  std::vector<Contestant> contestants;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const Case& of = cases[i];
    // The routers of a relation stand side by side.
    const bool same = i > 0 && cases[i - 1].n == of.n && cases[i - 1].times == of.times;
    if (!same) elements.push_back(std::make_unique<RelationElements>(of));
    contestants.push_back([&machine, &of, relation = elements.back().get()] {
      return routed(machine, of, *relation);
    });
  }
  const std::vector<Summary> times = in_turns(contestants, rounds);
  for (std::size_t i = 0; i < cases.size(); ++i) cases[i].ms = times[i].median * 1e3;
}

std::vector<Case> cases_of(int processors, const std::vector<std::size_t>& sizes) {
  std::vector<Case> cases;
  for (const std::size_t n : sizes) {
    for (const std::size_t times : {1, 2, 4, 8}) {
      if (times > static_cast<std::size_t>(processors)) continue;
      for (const Algorithm& router : kRouters) cases.push_back({processors, n, times, router});
    }
  }
  return cases;
}

const Case& find(const std::vector<Case>& cases, int processors, std::size_t n, std::size_t times,
                 const Algorithm& router) {
  return *std::ranges::find_if(cases, [&](const Case& of) {
    return of.processors == processors && of.n == n && of.times == times && of.router == router;
  });
}

/// Time against n on both axes' logarithms.
Chart chart_by_n(const std::string& title) {
  return {.title = title,
          .x_label = "n, elements of 8 bytes",
          .y_label = "milliseconds",
          .x_scale = Chart::Scale::kLog,
          .y_scale = Chart::Scale::kLog};
}

void add_line(Chart& chart, const std::string& name, const std::vector<Case>& cases, int processors,
              std::size_t times, const Algorithm& router) {
  Chart::Line line{.name = name, .marked = true};
  for (const Case& of : cases) {
    if (of.processors == processors && of.times == times && of.router == router) {
      line.points.emplace_back(static_cast<double>(of.n), of.ms);
    }
  }
  chart.lines.push_back(line);
}

}  // namespace

void reproduce_routing(PaperPage& page, const Effort& effort) {
  const std::vector<int> machines = effort.of(std::vector<int>{4, 8, 16}, std::vector<int>{4, 8});
  const std::vector<std::size_t> sizes =
      effort.of(std::vector<std::size_t>{1u << 16, 1u << 18, 1u << 20, 1u << 22},
                std::vector<std::size_t>{1u << 10, 1u << 12});
  std::vector<Case> all;
  for (const int processors : machines) {
    std::vector<Case> cases = cases_of(processors, sizes);
    measure(cases, effort.of(7, 1));
    all.insert(all.end(), cases.begin(), cases.end());
  }
  TextTable table({"p", "n", "h / (n/p)", "router", "ms"});
  for (const Case& of : all) {
    table.row({of.processors, of.n, of.times, to_string(of.router), fmt::format("{:.3f}", of.ms)});
  }
  Chart by_machine = chart_by_n("two_transpose, h = 4 n/p");
  for (const int p : machines) {
    add_line(by_machine, fmt::format("p = {}", p), all, p, 4, Algorithm::two_transpose);
  }
  page.chart("fig2", "Fig. 2: routing with h = 4 n/p against the size, for each p", by_machine);
  const int p = 8;
  Chart by_router = chart_by_n("p = 8, h = 4 n/p");
  for (const Algorithm& router : kRouters) {
    add_line(by_router, to_string(router), all, p, 4, router);
  }
  page.chart("fig3", "Fig. 3: two phases against one", by_router);
  Chart by_h{.title = "two_transpose, p = 8",
             .x_label = "h in n/p",
             .y_label = "milliseconds",
             .x_scale = Chart::Scale::kLog,
             .y_scale = Chart::Scale::kLog};
  for (const std::size_t n : sizes) {
    Chart::Line line{.name = fmt::format("n = {}K", n / 1024), .marked = true};
    for (const std::size_t times : {1, 2, 4, 8}) {
      line.points.emplace_back(static_cast<double>(times),
                               find(all, p, n, times, Algorithm::two_transpose).ms);
    }
    by_h.lines.push_back(line);
  }
  page.chart("fig6", "Fig. 6: routing against h", by_h);
  page.table("routing", table);

  const std::size_t n = sizes.back();
  const auto ms = [&](std::size_t times, const Algorithm& router) {
    return find(all, p, n, times, router).ms;
  };
  std::vector<double> ratios;
  for (const Case& of : all) {
    if (of.router != Algorithm::two_transpose) continue;
    const double other = find(all, of.processors, of.n, of.times, Algorithm::one_phase).ms;
    ratios.push_back(of.ms / other);
  }
  page.compare(
      {.paper = "The time grows with h and falls with p, as long as n is large beside p; two "
                "phases are faster than one.",
       .seen = fmt::format(
           "With {} elements on 8 processors two_transpose takes {:.1f}, {:.1f}, {:.1f} and {:.1f} "
           "ms for h = 1, 2, 4 and 8 n/p, one_phase {:.1f}, {:.1f}, {:.1f} and {:.1f} ms, direct "
           "{:.1f}, {:.1f}, {:.1f} and {:.1f} ms. Over all {} relations two_transpose takes {:.2f} "
           "times as long as one_phase (geometric mean).",
           n, ms(1, Algorithm::two_transpose), ms(2, Algorithm::two_transpose),
           ms(4, Algorithm::two_transpose), ms(8, Algorithm::two_transpose),
           ms(1, Algorithm::one_phase), ms(2, Algorithm::one_phase), ms(4, Algorithm::one_phase),
           ms(8, Algorithm::one_phase), ms(1, Algorithm::direct), ms(2, Algorithm::direct),
           ms(4, Algorithm::direct), ms(8, Algorithm::direct), ratios.size(),
           *geometric_mean(ratios)),
       .why = fmt::format(
           "There are {} cores for up to {} processors, so more processors are not faster. The "
           "paper's one phase separates its steps by global synchronisations; ours lets each pair "
           "go on by itself. Each element is moved twice in one phase, four times in two.",
           cores_of_this_box(), machines.back())});
}

void reproduce_routing_in_model(PaperPage& page, const Effort& effort) {
  // As in Figs. 4 to 6 of [I]: β is 240 bytes' worth of τ.
  const PostalParameters parameters{.lambda = 31, .ports = 1, .unit_bytes = 8};
  const int p = 16;
  page.text(
      "The same routers in virtual time, p = 16, where a message of m bytes takes 30 + ⌈m / 8⌉ "
      "units of time: its start-up is worth 240 bytes. Local work costs nothing.");
  TextTable table({"n/p", "h / (n/p)", "two_transpose", "one_phase", "two_transpose / one_phase"});
  Chart chart{
      .title = "Routing in virtual time, p = 16, h = 4 n/p",
      .x_label = "n/p, elements of 8 bytes",
      .y_label = "units of time",
      .lines = {{.name = "two_transpose", .marked = true}, {.name = "one_phase", .marked = true}},
      .x_scale = Chart::Scale::kLog,
      .y_scale = Chart::Scale::kLog};
  double least = 0;
  double most = 0;
  std::string where_least;
  for (std::size_t each = 16; each <= effort.of<std::size_t>(16384, 64); each *= 4) {
    for (const std::size_t times : {1, 2, 4, 8}) {
      std::vector<double> units;
      for (const Algorithm& router : {Algorithm::two_transpose, Algorithm::one_phase}) {
        const Case of{p, each * p, times, router};
        const RelationElements elements(of);
        const auto clock = std::make_shared<VirtualClock>(parameters);
        Machine machine({.processors = p, .clock = clock});
        machine.run([&](Processor& self) {
          elements.check(self, route(self, elements.of(self), &Element::target, options_of(of)));
        });
        units.push_back(clock->finish().to_double());
      }
      const double ratio = units[0] / units[1];
      table.row({each, times, units[0], units[1], fmt::format("{:.2f}", ratio)});
      if (least == 0 || ratio < least) {
        least = ratio;
        where_least = fmt::format("n/p = {}, h = {} n/p", each, times);
      }
      most = std::max(most, ratio);
      if (times != 4) continue;
      for (std::size_t i = 0; i < 2; ++i) {
        chart.lines[i].points.emplace_back(static_cast<double>(each), units[i]);
      }
    }
  }
  page.chart("fig3_model", "Fig. 3 in virtual time", chart);
  page.table("routing_in_model", table);
  page.compare(
      {.paper = "Two phases are faster than one on all four machines.",
       .seen = fmt::format("two_transpose takes {:.2f} ({}) to {:.2f} times as long as one_phase.",
                           least, where_least, most),
       .why = "For few elements two transposes need fewer start-ups than p - 1 messages and the "
              "exchange of their counts; for many it is the data that counts, and two_transpose "
              "sends everything twice, in blocks as large as the fullest bin may be. What the "
              "paper's machines lost to congestion and to the global synchronisations between the "
              "steps of one phase is not in this model."});
}

}  // namespace postroom::cli
