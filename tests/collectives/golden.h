// The tables of exact numbers in tests/golden.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

namespace postroom {

/// The rows below the names of the columns, cell by cell.
inline std::vector<std::vector<std::string>> golden_rows(const std::string& name) {
  std::ifstream file("tests/golden/" + name);
  EXPECT_TRUE(file) << name;
  std::vector<std::vector<std::string>> rows;
  std::string line;
  std::getline(file, line);  // the names of the columns
  while (std::getline(file, line)) {
    std::istringstream cells(line);
    std::vector<std::string>& row = rows.emplace_back();
    for (std::string cell; std::getline(cells, cell, ',');) row.push_back(cell);
  }
  EXPECT_GT(rows.size(), 100u) << name;
  return rows;
}

}  // namespace postroom
