// A table of words and numbers: as aligned text, and as JSON.
//
// The first column is aligned to the left, the others to the right. Widths are counted in code
// points, so λ and ∞ take one column.
//
//   TextTable table({"processors", "time"});
//   table.row({64, "46/5"});
//   table.to_text();   // "processors  time\n64          46/5\n"
//   table.to_json();   // [{"processors": 64, "time": "46/5"}]
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace postroom::cli {

class TextTable {
 public:
  /// Strings, whole numbers, floating-point numbers, or null for a cell that stays empty ("-").
  using Cell = nlohmann::ordered_json;

  explicit TextTable(std::vector<std::string> columns) : columns_(std::move(columns)) {}

  /// As many cells as there are columns; std::logic_error otherwise.
  void row(std::vector<Cell> cells);

  std::string to_text() const;
  /// A list of objects, one for each row.
  nlohmann::ordered_json to_json() const;

 private:
  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace postroom::cli
