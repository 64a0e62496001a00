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

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace postroom::cli {

class TextTable {
 public:
  /// A string, a whole number, a floating-point number, or nothing for a cell that stays empty
  /// ("-").
  class Cell {
   public:
    Cell() = default;
    Cell(std::string words) : value_(std::move(words)) {}
    Cell(std::string_view words) : value_(std::string(words)) {}
    Cell(const char* words) : value_(std::string(words)) {}
    Cell(std::nullptr_t) = delete;
    Cell(bool) = delete;
    Cell(double number) : value_(number) {}
    Cell(std::signed_integral auto number) : value_(std::int64_t{number}) {}
    Cell(std::unsigned_integral auto number) : value_(std::uint64_t{number}) {}

    nlohmann::ordered_json to_json() const;
    /// Numbers as in JSON.
    std::string to_words(const char* nothing) const;

   private:
    std::variant<std::monostate, std::string, double, std::int64_t, std::uint64_t> value_;
  };

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
  /// The names of the columns, then the rows, as words; `nothing` for a cell without any.
  std::vector<std::vector<std::string>> lines(const char* nothing) const;

  std::vector<std::string> columns_;
  std::vector<std::vector<Cell>> rows_;
};

}  // namespace postroom::cli
