// The tables of docs/reference.md name the algorithms that there are.
//
// A row of "Collectives" is: call, with a link to its header | MPI | in the papers | algorithms;
// one of "Algorithms": one name or several | how | source.
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <span>
#include <string>

#include "collectives/algorithm.h"
#include "collectives/allgather.h"
#include "collectives/allgatherv.h"
#include "collectives/allreduce.h"
#include "collectives/alltoall.h"
#include "collectives/alltoallv.h"
#include "collectives/barrier.h"
#include "collectives/broadcast.h"
#include "collectives/gather.h"
#include "collectives/gatherv.h"
#include "collectives/reduce.h"
#include "collectives/reduce_scatter.h"
#include "collectives/route.h"
#include "collectives/scan.h"
#include "collectives/scatter.h"
#include "collectives/scatterv.h"

namespace postroom {
namespace {

using Names = std::set<std::string>;

Names names_of(std::span<const Algorithm> algorithms) {
  Names names;
  for (const Algorithm& algorithm : algorithms) {
    const std::string text = to_string(algorithm);
    names.insert(text.substr(0, text.find('(')));
  }
  return names;
}

/// By the name of their headers.
std::map<std::string, Names> algorithms_of_operations() {
  return {
      {"allgather", names_of(allgather_algorithms())},
      {"allgatherv", names_of(allgatherv_algorithms())},
      {"allreduce", names_of(allreduce_algorithms())},
      {"alltoall", names_of(alltoall_algorithms())},
      {"alltoallv", names_of(alltoallv_algorithms())},
      {"barrier", names_of(barrier_algorithms())},
      {"broadcast", names_of(broadcast_algorithms())},
      {"gather", names_of(gather_algorithms())},
      {"gatherv", names_of(gatherv_algorithms())},
      {"reduce", names_of(reduce_algorithms())},
      {"reduce_scatter", names_of(reduce_scatter_algorithms())},
      {"route", names_of(route_algorithms())},
      {"scan", names_of(scan_algorithms())},
      {"scatter", names_of(scatter_algorithms())},
      {"scatterv", names_of(scatterv_algorithms())},
  };
}

/// What stands between `` in a piece of a line.
Names words_in(const std::string& text) {
  static const std::regex word("`([a-z_]+)`");
  Names words;
  for (std::sregex_iterator i(text.begin(), text.end(), word), end; i != end; ++i) {
    words.insert((*i)[1]);
  }
  return words;
}

struct Reference {
  std::map<std::string, Names> operations;
  Names algorithms;
};

Reference read_reference() {
  std::ifstream file("docs/reference.md");
  const std::regex operation(R"(^\| \[.*\]\(\.\./collectives/([a-z_]+)\.h\) \|.*\|([^|]*)\|$)");
  Reference reference;
  std::string chapter;
  std::smatch found;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with('#')) chapter = line;
    if (chapter == "## Collectives" && std::regex_match(line, found, operation)) {
      reference.operations[found[1]] = words_in(found[2]);
    }
    if (chapter == "### Algorithms" && line.starts_with("| `")) {
      reference.algorithms.merge(words_in(line.substr(0, line.find('|', 1))));
    }
  }
  return reference;
}

TEST(Reference, NamesTheAlgorithmsOfEveryCollective) {
  EXPECT_EQ(read_reference().operations, algorithms_of_operations());
}

TEST(Reference, SaysHowEveryAlgorithmWorks) {
  Names all;
  for (const auto& [operation, names] : algorithms_of_operations()) {
    all.insert(names.begin(), names.end());
  }
  EXPECT_EQ(read_reference().algorithms, all);
}

}  // namespace
}  // namespace postroom
