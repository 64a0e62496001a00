#include "cli/reproduce/reproduce_arguments.h"

#include <fmt/core.h>

#include <optional>
#include <string_view>
#include <utility>

#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/reproduce/reproduce_fat_trees.h"
#include "cli/reproduce/reproduce_index.h"
#include "cli/reproduce/reproduce_postal.h"
#include "cli/reproduce/reproduce_radix_sort.h"

namespace postroom::cli {
namespace {

constexpr const char* kSummary =
    "Writes the tables and figures of the papers, made anew on this box: a page for each paper, "
    "its "
    "tables as CSV, its figures as SVG.";
constexpr const char* kFooter =
    "A PAPER is one of\n"
    "  postal      the postal model: broadcast and global combine\n"
    "  fat_trees   communication in fat trees\n"
    "  index       index (alltoall) and concatenation (allgather) with several ports\n"
    "  radix_sort  h-relations and integer sorting\n"
    "  all         these four\n"
    "or its letter in the comments of the code: P, F, I, H.\n\n"
    "What is exact is the same everywhere; what is measured takes minutes, and wants a quiet "
    "box.\n\n"
    "  postroom reproduce all -o papers\n"
    "  postroom reproduce postal --quick";

struct Words {
  std::optional<std::string> paper, folder;
};

void declare(CommandLine& line, ReproduceArguments& arguments, Words& words) {
  line.operand(words.paper, "PAPER", "see below");
  line.value("-o,--output", words.folder, "FOLDER", "where to write (papers); made if need be");
  line.flag("--quick", arguments.effort.quick,
            "seconds instead of minutes: fewer and smaller measurements");
  line.footer(kFooter);
}

std::vector<const Paper*> papers_of(const std::string& word) {
  if (word == "all") return all_papers();
  std::vector<std::pair<std::string_view, const Paper*>> choices;
  for (const Paper* paper : all_papers()) {
    if (paper->letter == word) return {paper};
    choices.emplace_back(paper->name, paper);
  }
  choices.emplace_back("all", nullptr);  // for the names in the error
  return {named("PAPER", word, choices)};
}

}  // namespace

std::vector<const Paper*> all_papers() {
  return {&postal_paper(), &fat_trees_paper(), &index_paper(), &radix_sort_paper()};
}

ReproduceArguments parse_reproduce(std::span<const std::string> given) {
  CommandLine line("reproduce", kSummary);
  ReproduceArguments arguments;
  Words words;
  declare(line, arguments, words);
  line.parse(given);
  if (!words.paper) {
    throw UsageError("PAPER is missing: postal, fat_trees, index, radix_sort, all");
  }
  arguments.papers = papers_of(*words.paper);
  arguments.folder = words.folder.value_or(arguments.folder);
  if (arguments.folder.empty() || arguments.folder == "-") {
    throw UsageError(fmt::format("--output: {} is not a folder", in_quotes(arguments.folder)));
  }
  return arguments;
}

}  // namespace postroom::cli
