// One page of what `reproduce` writes: FOLDER/NAME.md, with its tables and pictures in
// FOLDER/NAME/.
//
// Every table is a CSV file and, unless it is long, stands on the page too; every picture is an SVG
// file. Each file is written whole or not at all (cli/files/output.h), the page last. Errors:
// std::system_error that names the file.
//
//   PaperPage page("papers", "postal", "The postal model");
//   page.heading("Table 1");
//   page.table("gamma", growth_table(lambdas).table);
//   page.compare({.paper = "2.000, 1.618, …", .seen = "the same", .why = "They do not."});
//   page.finish();
#pragma once

#include <string>
#include <string_view>

#include "cli/common/chart.h"
#include "cli/common/text_table.h"

namespace postroom::cli {

/// What stands below each experiment.
struct Comparison {
  std::string paper;  ///< what the paper says
  std::string seen;   ///< what we see
  std::string why;    ///< why they differ
};

class PaperPage {
 public:
  /// Makes the folders.
  PaperPage(std::string folder, std::string name, std::string_view title);

  void heading(std::string_view words);
  /// A paragraph, or whatever Markdown there is between two blank lines.
  void text(std::string_view words);
  void compare(const Comparison& comparison);

  /// NAME/`file`.csv; on the page unless it has more than kMostRows rows, where a link stands.
  void table(const std::string& file, const TextTable& table);
  /// NAME/`file`.svg, with `words` below it.
  void picture(const std::string& file, std::string_view words, const std::string& svg);
  /// The chart as a picture, titled by itself.
  void chart(const std::string& file, std::string_view words, const Chart& chart);

  /// Writes the page itself.
  void finish();
  /// How many files were written.
  int files() const { return files_; }

  static constexpr std::size_t kMostRows = 40;

 private:
  void write(const std::string& path, const std::string& content);

  std::string folder_;
  std::string name_;
  std::string page_;
  int files_ = 0;
};

}  // namespace postroom::cli
