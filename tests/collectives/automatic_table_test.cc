// The table of docs/automatic.md is what the code does.
//
// Its rows are: operation | processors ("threads shared, 2 on"; for others "any, 1 to 3", "a core
// each, 4 on", "crowded, 8 on"; "slow pushes, 2 to 2" instead of all others) | from ("512", "4
// KiB", "8 KiB p", "4 KiB / p", "> 16 KiB / c", c being how many a thread carries) | algorithm |
// figures.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collectives/chosen_algorithm.h"
#include "collectives/parts/crowded.h"
#include "numa/rounding.h"
#include "numa/topology.h"
#include "runtime/copy.h"
#include "runtime/machine.h"

namespace postroom {
namespace {

struct Processors {
  int count;
  int carried = 0;  // by a thread; 0: they do not share threads
};

struct Row {
  std::string operation = {};
  std::string cores = {};
  int least = 0;  // processors
  int most = 1 << 20;
  bool above = false;      // from the next byte on
  std::int64_t from = 0;   // bytes
  std::string scale = {};  // "", "p", "/p" or "/c"
  std::string algorithm = {};

  bool is_for(const Processors& processors) const {
    if (processors.count < least || processors.count > most) return false;
    if (processors.carried != 0) return cores == "threads shared";
    if (cores == "slow pushes") return pushes_slowly() && !crowded(processors.count);
    return cores == "any" || cores == (crowded(processors.count) ? "crowded" : "a core each");
  }
  std::int64_t from_bytes(const Processors& processors) const {
    if (scale == "p") return from * processors.count;
    const int parts = scale == "/p" ? processors.count : scale == "/c" ? processors.carried : 1;
    return above ? from / parts + 1 : ceil_divide<std::int64_t>(from, parts);
  }
};

std::vector<std::string> columns_of(const std::string& line) {
  std::vector<std::string> columns;
  std::istringstream stream(line);
  for (std::string column; std::getline(stream, column, '|');) {
    const std::size_t first = column.find_first_not_of(" `");
    const std::size_t last = column.find_last_not_of(" `");
    columns.push_back(first == std::string::npos ? "" : column.substr(first, last - first + 1));
  }
  return columns;
}

std::vector<Row> rows() {
  std::ifstream file("docs/automatic.md");
  std::vector<Row> rows;
  for (std::string line; std::getline(file, line);) {
    const std::vector<std::string> columns = columns_of(line);  // the first one is empty
    if (columns.size() < 6 || columns[1] == "operation" || columns[1].starts_with("---")) continue;
    Row row{.operation = columns[1], .algorithm = columns[4]};
    std::istringstream processors(columns[2]);
    std::string word;
    std::getline(processors, row.cores, ',');
    processors >> row.least >> word;
    if (word == "to") processors >> row.most;
    row.above = columns[3].starts_with('>');
    std::istringstream from(columns[3].substr(row.above ? 1 : 0));
    from >> row.from;
    while (from >> word) {
      if (word == "KiB") {
        row.from *= 1024;
      } else {
        row.scale += word;
      }
    }
    rows.push_back(row);
  }
  return rows;
}

constexpr int kCounts[] = {2, 3, 4, 5, 16, 64, 1000};

/// The rows for `processors` say what `chosen(operation, bytes)` does.
void expect_rows(const Processors& processors,
                 const std::function<Algorithm(const std::string&, std::int64_t)>& chosen) {
  SCOPED_TRACE("p = " + std::to_string(processors.count));
  std::map<std::string, std::map<std::int64_t, std::string>> algorithms;  // by operation, from
  std::set<std::string> slow;  // operations that push slowly
  const std::vector<Row> all = rows();
  for (const Row& row : all) {
    if (row.cores == "slow pushes" && row.is_for(processors)) slow.insert(row.operation);
  }
  for (const Row& row : all) {
    if (!row.is_for(processors)) continue;
    if (slow.contains(row.operation) != (row.cores == "slow pushes")) continue;
    EXPECT_TRUE(algorithms[row.operation].emplace(row.from_bytes(processors), row.algorithm).second)
        << row.operation << ": two rows";
  }
  EXPECT_EQ(algorithms.size(), 8U);
  for (const auto& [operation, by_size] : algorithms) {
    ASSERT_EQ(by_size.begin()->first, 0) << operation;
    for (auto row = by_size.begin(); row != by_size.end(); ++row) {
      const auto next = std::next(row);
      const std::int64_t last = next == by_size.end() ? std::int64_t{1} << 40 : next->first - 1;
      for (const std::int64_t bytes : {row->first, last}) {
        EXPECT_EQ(to_string(chosen(operation, bytes)), row->second)
            << operation << ", " << bytes << " bytes";
      }
    }
  }
}

// On this box, and on others.
TEST(AutomaticTable, IsWhatTheCodeDoes) {
  for (const std::size_t cpus : {0, 2, 4, 64, 2000}) {
    SCOPED_TRACE("with " + std::to_string(cpus) + " CPUs");
    suppose_cpus(cpus);
    for (const int p : kCounts) {
      expect_rows({p}, [&](const std::string& operation, std::int64_t bytes) {
        return chosen_algorithm(operation, p, bytes);
      });
    }
  }
  suppose_cpus(0);
}

// None is so narrow that the other tests pass it by.
TEST(AutomaticTable, EveryRowIsForSomeOfTheseProcessors) {
  std::vector<Row> left = rows();
  for (const std::size_t cpus : {2, 2000}) {
    suppose_cpus(cpus);
    for (const int p : kCounts) {
      std::erase_if(left, [&](const Row& row) {
        return row.is_for({p}) || row.is_for({p, ceil_divide(p, p > 2 ? 2 : 1)});
      });
    }
  }
  suppose_cpus(0);
  for (const Row& row : left) {
    EXPECT_EQ(row.cores, "slow pushes") << row.operation << " from " << row.least;
  }
}

TEST(AutomaticTable, IsWhatTheCodeDoesWhereThreadsAreShared) {
  const auto box = std::make_shared<const Topology>(Topology::synthetic("core:2 pu:1"));
  for (const int p : kCounts) {
    const int threads = p > 2 ? 2 : 1;
    Machine machine({.processors = p, .threads = threads, .pin = false, .topology = box});
    machine.run([&](Processor& self) {
      if (self.id() != p / 2) return;
      expect_rows({p, ceil_divide(p, threads)},
                  [&](const std::string& operation, std::int64_t bytes) {
                    return chosen_algorithm(operation, self, bytes);
                  });
    });
  }
}

TEST(AutomaticTable, HasAllOperations) {
  std::set<std::string> operations;
  for (const Row& row : rows()) operations.insert(row.operation);
  EXPECT_EQ(operations, (std::set<std::string>{"allgather", "allreduce", "alltoall", "broadcast",
                                               "gather", "reduce", "scan", "scatter"}));
}

}  // namespace
}  // namespace postroom
