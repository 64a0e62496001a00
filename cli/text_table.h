// A table of words and numbers: as aligned text, as JSON, as CSV, as Markdown.
//
// The first column is aligned to the left, the others to the right. Widths are counted in code
// points, so λ and ∞ take one column.
//
//   TextTable table({"processors", "time"});
//   table.row({64, "46/5"});
//   table.to_text();   // "processors  time\n64          46/5\n"
//   table.to_json();   // [{"processors": 64, "time": "46/5"}]
#pragma once

#include <cstddef>
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
  /// A line of names, then one for each row; words with a comma or quotes are quoted, an empty cell
  /// is empty.
  std::string to_csv() const;
  /// A table of a Markdown page. '|' in words is escaped.
  std::string to_markdown() const;

  std::size_t rows() const { return rows_.size(); }

 private:
  /// The names of the columns, then the rows, as words.
  std::vector<std::vector<std::string>> lines() const;

  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace postroom::cli
