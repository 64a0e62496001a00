// A table in its four shapes.
#include "cli/common/text_table.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>

namespace postroom::cli {
namespace {

TextTable example() {
  TextTable table({"what", "time", "note"});
  table.row({"λ-tree", 9.5, "a, \"b\""});
  table.row({"x|y", 12, {}});
  return table;
}

TEST(TextTable, AsText) {
  EXPECT_EQ(example().to_text(),
            "what    time    note\n"
            "λ-tree   9.5  a, \"b\"\n"
            "x|y       12       -\n");
}

TEST(TextTable, AsCsv) {
  EXPECT_EQ(example().to_csv(),
            "what,time,note\n"
            "λ-tree,9.5,\"a, \"\"b\"\"\"\n"
            "x|y,12,\n");
}

TEST(TextTable, AsMarkdown) {
  EXPECT_EQ(example().to_markdown(),
            "| what | time | note |\n"
            "| --- | --- | --- |\n"
            "| λ-tree | 9.5 | a, \"b\" |\n"
            "| x\\|y | 12 | - |\n");
}

TEST(TextTable, AsJson) {
  EXPECT_EQ(
      example().to_json().dump(),
      R"([{"what":"λ-tree","time":9.5,"note":"a, \"b\""},{"what":"x|y","time":12,"note":null}])");
}

TEST(TextTable, RowsAreAsLongAsTheColumns) {
  TextTable table({"a", "b"});
  EXPECT_THROW(table.row({1}), std::logic_error);
  EXPECT_EQ(table.rows(), 0u);
}

}  // namespace
}  // namespace postroom::cli
