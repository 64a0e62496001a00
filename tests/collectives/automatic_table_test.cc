// The table of docs/automatic.md is what the code does.
//
// Its rows are: operation | processors ("any, 1 to 3", "a core each, 4 on", "by turns, 8 on") |
// from ("512", "4 KiB", "8 KiB p", "4 KiB / p") | algorithm | figures.
#include <gtest/gtest.h>

#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "collectives/chosen_algorithm.h"
#include "collectives/crowded.h"

namespace postroom {
namespace {

struct Row {
  std::string operation = {};
  std::string cores = {};
  int least = 0;  // processors
  int most = 1 << 20;
  std::int64_t from = 0;   // bytes
  std::string scale = {};  // "", "p" or "/p"
  std::string algorithm = {};

  bool is_for(int processors) const {
    const char* const here = crowded(processors) ? "by turns" : "a core each";
    return processors >= least && processors <= most && (cores == "any" || cores == here);
  }
  std::int64_t from_bytes(int processors) const {
    if (scale == "p") return from * processors;
    if (scale == "/p") return (from + processors - 1) / processors;
    return from;
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
    std::istringstream from(columns[3]);
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

TEST(AutomaticTable, IsWhatTheCodeDoes) {
  const std::vector<Row> table = rows();
  for (const int p : {2, 3, 4, 5, 16, 64, 1000}) {
    std::map<std::string, std::map<std::int64_t, std::string>> algorithms;  // by operation, from
    for (const Row& row : table) {
      if (!row.is_for(p)) continue;
      EXPECT_TRUE(algorithms[row.operation].emplace(row.from_bytes(p), row.algorithm).second)
          << row.operation << ", p = " << p << ": two rows";
    }
    EXPECT_EQ(algorithms.size(), 8U) << "p = " << p;
    for (const auto& [operation, by_size] : algorithms) {
      ASSERT_EQ(by_size.begin()->first, 0) << operation << ", p = " << p;
      for (auto row = by_size.begin(); row != by_size.end(); ++row) {
        const auto next = std::next(row);
        const std::int64_t last = next == by_size.end() ? std::int64_t{1} << 40 : next->first - 1;
        for (const std::int64_t bytes : {row->first, last}) {
          EXPECT_EQ(to_string(chosen_algorithm(operation, p, bytes)), row->second)
              << operation << ", p = " << p << ", " << bytes << " bytes";
        }
      }
    }
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
