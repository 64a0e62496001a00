#include "cli/reproduce/reproduce_command.h"

#include <fmt/core.h>

#include <filesystem>

#include "cli/common/progress.h"
#include "cli/common/stopwatch.h"
#include "cli/common/this_box.h"
#include "cli/common/units.h"
#include "cli/files/output.h"
#include "cli/reproduce/paper_page.h"
#include "cli/reproduce/reproduce_arguments.h"

namespace postroom::cli {
namespace {

std::uint64_t seconds_of(const std::vector<const Paper*>& papers) {
  int seconds = 0;
  for (const Paper* paper : papers) {
    for (const Experiment& experiment : paper->experiments) seconds += experiment.seconds;
  }
  return static_cast<std::uint64_t>(seconds);
}

/// Returns how many files it wrote.
int write_page(const Paper& paper, const ReproduceArguments& arguments, Progress& progress) {
  PaperPage page(arguments.folder, std::string(paper.page), paper.title);
  page.text(paper.introduction);
  page.text(fmt::format("This page is what `postroom reproduce {}{}` writes, here on {}.",
                        paper.name, arguments.effort.quick ? " --quick" : "", this_box_in_words()));
  for (const Experiment& experiment : paper.experiments) {
    page.heading(experiment.title);
    progress.name(fmt::format("{}: {}", paper.name, experiment.title));
    experiment.run(page, arguments.effort);
    progress.advance(static_cast<std::uint64_t>(experiment.seconds));
  }
  page.finish();
  return page.files();
}

std::filesystem::path index_in(const ReproduceArguments& arguments) {
  return std::filesystem::path(arguments.folder) / "index.md";
}

/// Opens what will be written and makes the folders, so that what is in the way is found out before
/// anything is measured.
void check_targets(const ReproduceArguments& arguments) {
  make_folder(arguments.folder);
  const Output index(index_in(arguments).string());
  for (const Paper* paper : arguments.papers) {
    const std::filesystem::path page = std::filesystem::path(arguments.folder) / paper->page;
    const Output opened(page.string() + ".md");
    make_folder(page.string());
  }
}

std::string names_of(const std::vector<const Paper*>& papers) {
  std::string names;
  for (const Paper* paper : papers) names += (names.empty() ? "" : ", ") + std::string(paper->name);
  return names;
}

/// A line for each paper whose page is there, whether of this run or of one before.
std::string index_of(const ReproduceArguments& arguments) {
  std::string text =
      "# The papers, made anew\n\n"
      "Every table and figure of the four papers that can be had on one box, written by `postroom "
      "reproduce`: what each paper says, what we see, and why they differ.\n\n"
      "| paper | page |\n|---|---|\n";
  for (const Paper* paper : all_papers()) {
    const std::string page = std::string(paper->page) + ".md";
    if (!std::filesystem::exists(std::filesystem::path(arguments.folder) / page)) continue;
    text += fmt::format("| [{}] | [{}]({}) |\n", paper->letter, paper->title, page);
  }
  text += fmt::format("\nThe last run, {}, was on: {}.", names_of(arguments.papers),
                      this_box_in_words());
  if (arguments.effort.quick) {
    text += " With `--quick`: what is measured comes from few and small rounds.";
  }
  text += " On which box each was written its page says.\n";
  return text +
         "\nTimes on the wall clock, and how far real times are from the model's, hold for one "
         "box "
         "and one run; everything else is the same on every box. Where more processors than cores "
         "take part, that is said.\n";
}

}  // namespace

int run_reproduce(std::span<const std::string> words) {
  const ReproduceArguments arguments = parse_reproduce(words);
  check_targets(arguments);
  Stopwatch watch;
  Progress progress(true);
  progress.begin("reproduce", seconds_of(arguments.papers));
  int files = 1;
  for (const Paper* paper : arguments.papers) files += write_page(*paper, arguments, progress);
  const std::filesystem::path index = index_in(arguments);
  Output(index.string()).write_and_finish(index_of(arguments));
  progress.finish();
  watch.lap("all");
  print(fmt::format("{} files in {}; begin with {}\n", files,
                    readable_seconds(watch.total_seconds()), index.string()));
  return 0;
}

}  // namespace postroom::cli
