// The command `postroom`.
//
// Exit codes: 0 done, 1 not in order (`sort -c`), 2 an error, told in one line on standard error.
#include <fcntl.h>
#include <fmt/core.h>
#include <unistd.h>

#include <array>
#include <exception>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "cli/bench/bench_command.h"
#include "cli/bench/measure_command.h"
#include "cli/bench/predict_command.h"
#include "cli/common/command_line.h"
#include "cli/common/failure.h"
#include "cli/common/memory_check.h"
#include "cli/files/output.h"
#include "cli/files/signal_cleanup.h"
#include "cli/info_command.h"
#include "cli/reproduce/reproduce_command.h"
#include "cli/simulate/simulate_command.h"
#include "cli/simulate/table_command.h"
#include "cli/sort/generate_command.h"
#include "cli/sort/sort_command.h"
#include "numa/vectors.h"
#include "runtime/version.h"

namespace postroom::cli {
namespace {

constexpr int kError = 2;

struct Command {
  std::string_view name;
  std::string_view summary;
  int (*run)(std::span<const std::string> words);
};

constexpr std::array kCommands = {
    Command{"sort", "sort a file of numbers, or check that it is sorted", run_sort},
    Command{"generate", "make a file of keys, to try the sort on", run_generate},
    Command{"info", "show the box as Postroom sees it", run_info},
    Command{"measure", "measure what messages take on this box", run_measure},
    Command{"predict", "predict the times of collectives", run_predict},
    Command{"reproduce", "write the papers' tables and figures, made anew", run_reproduce},
    Command{"simulate", "run a collective in virtual time", run_simulate},
    Command{"bench", "measure collectives beside what the model predicts", run_bench_command},
    Command{"table", "print the tables of the postal model", run_table},
};

std::string help() {
  std::string text = "Usage: postroom COMMAND …\n\n";
  for (const Command& command : kCommands) {
    text += fmt::format("  {:<10} {}\n", command.name, command.summary);
  }
  text += fmt::format("  {:<10} {}\n  {:<10} {}\n\n", "help", "show this, or the help of a COMMAND",
                      "--version", "show the version");
  return text + "  postroom sort keys.u64 -o sorted.u64\n";
}

const Command& command_of(const std::string& name) {
  for (const Command& command : kCommands) {
    if (command.name == name) return command;
  }
  std::string names;
  for (const Command& command : kCommands) names += fmt::format("{}, ", command.name);
  throw UsageError(fmt::format("{} is not one of {}help", in_quotes(name), names));
}

int run_command(const Command& command, std::span<const std::string> words) {
  try {
    return command.run(words);
  } catch (const HelpWanted& help) {
    print(help.text);
    return 0;
  }
}

int run_help(std::span<const std::string> words) {
  if (words.size() > 1) {
    throw UsageError(fmt::format("{} is one operand too many", in_quotes(words[1])));
  }
  if (!words.empty() && words[0] != "help") {
    return run_command(command_of(words[0]), std::array<std::string, 1>{"--help"});
  }
  print(help());
  return 0;
}

/// `said_by` begins the line of an error: "postroom" or "postroom sort".
int run(std::span<const std::string> words, std::string& said_by) {
  if (words.empty()) {
    tell(help());
    return kError;
  }
  const std::string& name = words.front();
  if (name == "help" || name == "--help" || name == "-h") return run_help(words.subspan(1));
  if (name == "--version" || name == "-V" || name == "version") {
    if (words.size() > 1) {
      throw UsageError(fmt::format("{} is one operand too many", in_quotes(words[1])));
    }
    print(fmt::format("postroom {}\n", kVersion));
    return 0;
  }
  const Command& command = command_of(name);
  said_by = "postroom " + name;
  if (const auto problem = problem_of_vectors_wanted()) throw UsageError(*problem);
  return run_command(command, words.subspan(1));
}

int fail(const std::string& said_by, std::string_view what) {
  tell(fmt::format("{}: {}\n", said_by, one_line(what)));
  return kError;
}

/// A program started with a standard descriptor closed would give its number to the next file it
/// opens, and then write messages into that. They are kept taken, open the wrong way round, so that
/// using one is an error as before.
void keep_standard_descriptors() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
    if (fcntl(descriptor, F_GETFD) >= 0) continue;
    // The lowest free number is this one, since those below are taken. When it fails, there is
    // nobody to tell.
    [[maybe_unused]] const int taken =
        open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY);
  }
}

int run_and_tell(std::span<const std::string> words) {
  std::string said_by = "postroom";
  try {
    return run(words, said_by);
  } catch (const std::bad_alloc&) {
    return fail(said_by, "the memory does not suffice");
  } catch (const std::exception& error) {
    return fail(said_by, error.what());
  }
}

/// hwloc tells on standard error what it cannot find out; `info` shows what it has found.
void silence_hwloc() {
  setenv("HWLOC_HIDE_ERRORS", "2",
         /*overwrite=*/0);  // NOLINT(concurrency-mt-unsafe): no threads yet
}

}  // namespace
}  // namespace postroom::cli

int main(int count, char** words) {
  postroom::cli::keep_standard_descriptors();
  postroom::cli::spare_addresses();
  postroom::cli::silence_hwloc();
  postroom::cli::install_signal_cleanup();
  return postroom::cli::run_and_tell(std::vector<std::string>(words + 1, words + count));
}
