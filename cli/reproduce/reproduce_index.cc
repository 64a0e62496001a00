#include "cli/reproduce/reproduce_index.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/alltoall.h"
#include "collectives/models/cost.h"
#include "collectives/models/lower_bounds.h"

namespace postroom::cli {
namespace {

constexpr std::array kSizes = {3, 4, 5, 7, 8, 9, 10, 16, 17, 27, 31, 64, 100};

void index_costs(PaperPage& page, const Effort&) {
  TextTable all({"n", "k", "r", "C1", "C2_blocks"});
  for (const int n : {2, 3, 4, 5, 7, 8, 9, 16, 17, 27, 31, 64, 100}) {
    std::vector<int> radices;
    for (const int radix : {2, 3, 4, 8}) {
      if (radix < n) radices.push_back(radix);
    }
    radices.push_back(n);
    for (int ports = 1; ports <= 3; ++ports) {
      for (const int radix : radices) {
        const Cost cost = alltoall_cost(n, 1, Algorithm::bruck(radix, ports));
        all.row({n, ports, radix, cost.rounds, cost.bytes});
      }
    }
  }
  page.text("Rounds C1 and blocks C2 of the index algorithm, for n processors, k ports, radix r:");
  page.table("index_cost", all);

  page.text(
      "Beside the lower bounds of section 2, for 64 processors and blocks of one byte: no "
      "algorithm has fewer rounds, none fewer bytes, and none that takes so many rounds or fewer "
      "has fewer bytes than the last column says.");
  TextTable bounds({"k", "r", "C1", "least C1", "C2", "least C2", "least C2 in so many rounds"});
  int optimal_rounds = 0;
  int optimal_bytes = 0;
  double worst = 1;
  for (const int ports : {1, 2, 3}) {
    for (const int radix : {2, 3, 4, 8, 16, 32, 64}) {
      const Cost cost = alltoall_cost(64, 1, Algorithm::bruck(radix, ports));
      const std::int64_t in_rounds = least_alltoall_bytes_in_rounds(64, 1, ports, cost.rounds);
      bounds.row({ports, radix, cost.rounds, least_rounds(64, ports), cost.bytes,
                  least_bytes(64, 1, ports), in_rounds});
      optimal_rounds += cost.rounds == least_rounds(64, ports) ? 1 : 0;
      optimal_bytes += cost.bytes == least_bytes(64, 1, ports) ? 1 : 0;
      // A smaller radix leaves ports idle.
      if (radix <= ports) continue;
      worst = std::max(worst, static_cast<double>(cost.bytes) / static_cast<double>(in_rounds));
    }
  }
  page.table("index_bounds", bounds);
  page.compare(
      {.paper = "Radix k + 1 has the fewest rounds, radix n the least data; what lies between "
                "trades one for the other, and the bounds say that one cannot have both.",
       .seen = fmt::format(
           "Of {} settings {} have the fewest rounds and {} the least data; with a radix above k "
           "none moves more than {:.2f} times what the bound allows for its rounds.",
           bounds.rows(), optimal_rounds, optimal_bytes, worst),
       .why = "None. The paper states the compound bounds in order of magnitude; here is the "
              "number behind them (`collectives/models/lower_bounds.h`)."});
}

void concatenation(PaperPage& page, const Effort&) {
  TextTable all({"n", "k", "b", "C1", "C2_bytes"});
  int optimal = 0;
  for (const int n : kSizes) {
    for (int ports = 1; ports <= 4 && ports < n - 1; ++ports) {
      for (const int bytes : {1, 2, 3, 8}) {
        const Cost cost = allgather_cost(n, bytes, Algorithm::circulant(ports));
        all.row({n, ports, bytes, cost.rounds, cost.bytes});
        optimal +=
            cost.rounds == least_rounds(n, ports) && cost.bytes == least_bytes(n, bytes, ports) ? 1
                                                                                                : 0;
      }
    }
  }
  page.text(
      "Rounds C1 and bytes C2 of the circulant algorithm, for n processors, k ports, blocks of b "
      "bytes:");
  page.table("concat_cost", all);
  page.text(
      "On 64 processors with one port and blocks of one byte, beside the algorithms that it is "
      "compared with:");
  TextTable others({"algorithm", "C1", "C2"});
  for (const Algorithm& algorithm : {Algorithm::circulant(), Algorithm::gather_broadcast,
                                     Algorithm::recursive_doubling, Algorithm::ring}) {
    const Cost cost = allgather_cost(64, 1, algorithm);
    others.row({to_string(algorithm), cost.rounds, cost.bytes});
  }
  others.row({"lower bounds", least_rounds(64, 1), least_bytes(64, 1, 1)});
  page.table("concat_algorithms", others);
  page.compare(
      {.paper = "The circulant algorithm has the fewest rounds and the least data at the same "
                "time, for any n and k but a few.",
       .seen = fmt::format("{} of {} settings meet both lower bounds.", optimal, all.rows()),
       .why = "The few are those that the paper names: blocks of three bytes or more, three ports "
              "or more, and n within k of the next power of k + 1."});
}

constexpr std::array kExperiments = {
    Experiment{"Index: rounds, data and lower bounds", 1, index_costs},
    Experiment{"Concatenation: rounds, data and lower bounds", 1, concatenation},
    Experiment{"Figs. 4, 5, 6 with an injected start-up cost", 30, reproduce_index_injected},
    Experiment{"Figs. 4, 5, 6 on the wall clock", 10, reproduce_index_on_wall},
};

constexpr Paper kPaper = {
    .letter = "I",
    .name = "index",
    .page = "index_operation",
    .title = "Index and concatenation with several ports",
    .introduction =
        "Bruck, Ho, Kipnis, Upfal and Weathersby, *Efficient Algorithms for All-to-All "
        "Communications in Multiport Message-Passing Systems* ([I] in the comments). Index is "
        "`alltoall` here, concatenation `allgather`. C1 is the number of rounds, C2 the sum over "
        "the rounds of the largest message of the round; in the linear model an algorithm takes T "
        "= C1·β + C2·τ.",
    .experiments = kExperiments,
};

}  // namespace

const Paper& index_paper() { return kPaper; }

}  // namespace postroom::cli
