// `postroom reproduce`: what it writes, that the exact parts are exact, and its mistakes.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/cli/command.h"
#include "tests/cli/scratch_folder.h"

namespace postroom::cli {
namespace {

namespace fs = std::filesystem;

/// One quick run of all papers, for all tests here.
class Reproduced : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<ScratchFolder>();
    ran_ = std::make_unique<Ran>(
        run({"reproduce", "all", "--quick", "--output", (*folder_)("out/papers")}));
  }
  static void TearDownTestSuite() {
    folder_.reset();
    ran_.reset();
  }

  static const Ran& ran() { return *ran_; }
  static std::string path(const std::string& name) { return (*folder_)("out/papers/" + name); }

  static std::vector<fs::path> files(const std::string& extension) {
    std::vector<fs::path> found;
    for (const auto& entry : fs::recursive_directory_iterator(path(""))) {
      if (entry.path().extension() == extension) found.push_back(entry.path());
    }
    std::ranges::sort(found);
    return found;
  }

 private:
  static inline std::unique_ptr<ScratchFolder> folder_;
  static inline std::unique_ptr<Ran> ran_;
};

/// The files that the links and pictures of a page lead to.
std::vector<std::string> links_of(const std::string& page) {
  const std::string text = content_of(page);
  const std::regex link(R"(\]\(([^)]+)\))");
  std::vector<std::string> found;
  for (std::sregex_iterator at(text.begin(), text.end(), link), end; at != end; ++at) {
    found.push_back((*at)[1]);
  }
  return found;
}

std::vector<std::string> lines_of(const std::string& path) {
  std::ifstream file(path);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(line);
  return lines;
}

/// The cells of a line; a quoted one may hold commas.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells(1);
  bool quoted = false;
  for (const char letter : line) {
    if (letter == '"') quoted = !quoted;
    if (letter == ',' && !quoted) {
      cells.emplace_back();
    } else {
      cells.back() += letter;
    }
  }
  return cells;
}

TEST_F(Reproduced, WritesAPageForEachPaper) {
  EXPECT_EQ(ran().exit_code, 0) << ran();
  EXPECT_EQ(ran().err, "");
  EXPECT_EQ(links_of(path("index.md")),
            (std::vector<std::string>{"postal.md", "fat_trees.md", "index_operation.md",
                                      "radix_sort.md"}));
  EXPECT_NE(content_of(path("index.md"))
                .find("\nThe last run, postal, fat_trees, index, radix_sort, was on: "),
            std::string::npos);
}

TEST_F(Reproduced, EveryFileIsShownOnAPageAndEveryLinkLeadsToOne) {
  std::set<std::string> linked;
  for (const fs::path& page : files(".md")) {
    for (const std::string& link : links_of(page)) {
      EXPECT_TRUE(fs::exists(page.parent_path() / link)) << page << " " << link;
      linked.insert(page.parent_path() / link);
    }
  }
  const std::size_t pages = files(".md").size();
  EXPECT_EQ(pages, 5u);
  EXPECT_EQ(linked.size(), pages - 1 + files(".csv").size() + files(".svg").size());
  // Nothing half written, nothing else.
  std::size_t all = 0;
  for (const auto& entry : fs::recursive_directory_iterator(path(""))) {
    all += entry.is_regular_file() ? 1 : 0;
  }
  EXPECT_EQ(all, linked.size() + 1);  // index.md
  EXPECT_EQ(ran().out.substr(0, ran().out.find(' ')), std::to_string(all));
}

/// The parts of a page that begin with a heading, by its words.
std::map<std::string, std::string> sections_of(const std::string& page) {
  std::map<std::string, std::string> sections;
  const std::string mark = "\n## ";
  const std::string text = content_of(page);
  for (auto at = text.find(mark); at != std::string::npos;) {
    const auto begin = at + mark.size();
    const auto end = text.find('\n', begin);
    at = text.find(mark, begin);
    sections[text.substr(begin, end - begin)] = text.substr(end, at - end);
  }
  return sections;
}

TEST_F(Reproduced, EveryExperimentComparesWithItsPaper) {
  // These have nothing of the paper beside them.
  std::set<std::string> without = {"The model", "All steps as one table", "Speed of the model",
                                   "Times of a broadcast"};
  std::size_t compared = 0;
  for (const char* page : {"postal.md", "fat_trees.md", "index_operation.md", "radix_sort.md"}) {
    EXPECT_EQ(content_of(path(page)).find("nan"), std::string::npos) << page;
    for (const auto& [heading, text] : sections_of(path(page))) {
      const bool compares = without.erase(heading) == 0;
      compared += compares ? 1 : 0;
      for (const char* part : {"**The paper.** ", "**Here.** ", "**The difference.** "}) {
        EXPECT_EQ(text.find(part) != std::string::npos, compares)
            << page << ", " << heading << ": " << part;
      }
    }
  }
  EXPECT_TRUE(without.empty()) << *without.begin();
  EXPECT_EQ(compared, 26u);
}

TEST_F(Reproduced, TablesHaveCellsForAllColumns) {
  EXPECT_GE(files(".csv").size(), 30u);
  for (const fs::path& table : files(".csv")) {
    const std::vector<std::string> lines = lines_of(table);
    ASSERT_GE(lines.size(), 2u) << table;
    const std::size_t columns = cells_of(lines[0]).size();
    EXPECT_GE(columns, 2u) << table;
    for (const std::string& line : lines) {
      EXPECT_EQ(cells_of(line).size(), columns) << table << ": " << line;
      for (const std::string& cell : cells_of(line)) EXPECT_NE(cell, "") << table << ": " << line;
    }
  }
}

TEST_F(Reproduced, PicturesAreWholeAndHaveNoPlaceThatIsNone) {
  EXPECT_GE(files(".svg").size(), 25u);
  for (const fs::path& picture : files(".svg")) {
    const std::string svg = content_of(picture);
    EXPECT_EQ(svg.substr(0, 5), "<svg ") << picture;
    EXPECT_EQ(svg.substr(svg.size() - 7), "</svg>\n") << picture;
    for (const char* none : {"\"nan", "\"-nan", "\"inf", "\"-inf", " nan", ",nan", ",inf"}) {
      EXPECT_EQ(svg.find(none), std::string::npos) << picture << none;
    }
  }
}

/// The first `columns` cells of each line.
std::string first_columns(const std::string& path, std::size_t columns) {
  std::string text;
  for (const std::string& line : lines_of(path)) {
    const std::vector<std::string> cells = cells_of(line);
    for (std::size_t i = 0; i < std::min(columns, cells.size()); ++i) text += cells[i] + ",";
    text += '\n';
  }
  return text;
}

TEST_F(Reproduced, ExactTablesAreTheGoldenOnes) {
  const struct {
    const char* ours;
    const char* golden;
    std::size_t columns;
  } tables[] = {{"postal/optimal_times.csv", "postal_broadcast.csv", 6},
                {"postal/combine_rounds.csv", "combine_rounds.csv", 3},
                {"fat_trees/fat_tree_steps.csv", "fat_tree_steps.csv", 9},
                {"index_operation/index_cost.csv", "index_cost.csv", 5},
                // The sixth column of that one says that the bounds are met.
                {"index_operation/concat_cost.csv", "concat_cost.csv", 5}};
  for (const auto& [ours, golden, columns] : tables) {
    EXPECT_EQ(first_columns(path(ours), columns),
              first_columns(std::string("tests/golden/") + golden, columns))
        << ours;
  }
}

TEST_F(Reproduced, PrintedTablesOfThePostalModelComeOut) {
  const std::string text = content_of(path("postal.md"));
  EXPECT_NE(text.find("10 of the 10 printed numbers"), std::string::npos);
  EXPECT_NE(text.find("9.2 units for α from 0.56 to 0.59; 10.8 for α = 0.5"), std::string::npos);
  EXPECT_NE(text.find("every α from 0.6"), std::string::npos);
  EXPECT_NE(text.find("no α is optimal for all n up to 250 and λ = 39/20"), std::string::npos);
}

/// The command in `folder`, whose names it may take as they are.
Ran run_in(const ScratchFolder& folder, const std::string& words) {
  const std::string command = fs::absolute(postroom());
  return shell("cd '" + folder() + "' && '" + command + "' reproduce " + words);
}

TEST(Reproduce, OnePaperByItsLetterBesideAnother) {
  const ScratchFolder folder;
  write_file(folder("postal.md"), "of an earlier run");
  const Ran ran = run_in(folder, "F --quick -o .");
  EXPECT_EQ(ran.exit_code, 0) << ran;
  EXPECT_EQ(folder.names(),
            (std::set<std::string>{"fat_trees", "fat_trees.md", "index.md", "postal.md"}));
  EXPECT_EQ(links_of(folder("index.md")), (std::vector<std::string>{"postal.md", "fat_trees.md"}));
  EXPECT_EQ(content_of(folder("postal.md")), "of an earlier run");
}

TEST(Reproduce, MistakesAreOneLineAndTouchNothing) {
  const ScratchFolder folder;
  write_file(folder("file"), "");
  std::filesystem::create_directories(folder("taken/index.md"));
  const struct {
    const char* words;
    const char* says;
  } lines[] = {
      {"", "PAPER is missing: postal, fat_trees, index, radix_sort, all"},
      {"X", "PAPER: 'X' is not one of postal, fat_trees, index, radix_sort, all"},
      {"postal all", "'all' is one operand too many"},
      {"postal --quik", "'--quik' is not one of its options"},
      {"postal -o", "--output: a value is missing"},
      {"postal -o ''", "--output: '' is not a folder"},
      {"postal -o -", "--output: '-' is not a folder"},
      {"postal --quick -o file", "file: Not a directory"},
      {"postal --quick -o a -o b", "--output: given twice"},
      {"fat_trees --quick -o taken", "taken/index.md"},
  };
  for (const auto& [words, says] : lines) {
    const Ran ran = run_in(folder, words);
    EXPECT_EQ(ran.exit_code, 2) << words << '\n' << ran;
    EXPECT_EQ(ran.error_lines(), 1) << words << '\n' << ran;
    EXPECT_NE(ran.err.find(says), std::string::npos) << words << '\n' << ran;
    EXPECT_EQ(ran.out, "") << words;
  }
  EXPECT_EQ(folder.names(), (std::set<std::string>{"file", "taken"}));
  EXPECT_FALSE(std::filesystem::exists(folder("taken/fat_trees.md")));
}

TEST(Reproduce, ShowsWhichExperimentItMakes) {
  const ScratchFolder folder;
  EXPECT_TRUE(shows_on_terminal({"reproduce", "index", "-o", folder("papers")},
                                "index: Figs. 4, 5, 6 with an"));
}

}  // namespace
}  // namespace postroom::cli
