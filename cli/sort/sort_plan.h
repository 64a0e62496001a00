// What a sort will cost, before it is done: steps, bytes moved, expected time.
//
// The bytes are counted: what each step reads and writes in memory or to files. The time is theirs
// at the speed of a copy, which is measured on the spot, times what the step was seen to take
// beyond a copy on one box (the figures of cli/sort/sort_plan.cc); so it is right within a factor
// of about two. Files are taken to be in the system's cache; a disk may be slower.
//
//   SortPlan plan = plan_sort({.name = "keys.u64", .records = 100'000'000, .input_bytes = …});
//   plan.copy_bytes_per_second = measure_copy_speed(std::uint64_t{128} << 20);
//   print(to_text(plan));
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/keys/key_format.h"
#include "sort/options.h"

namespace postroom::cli {

struct PlanStep {
  std::string name;
  int passes = 1;           ///< how often it goes over all records
  std::uint64_t bytes = 0;  ///< read and written, all passes together
  double slowness = 1;      ///< times what a copy of as many bytes takes
};

/// How it is done in runs: because the memory does not suffice, or because the inputs are runs.
struct PlannedRuns {
  std::size_t runs = 0;
  std::size_t passes = 1;  ///< of merging
  std::string folder;
  bool formed = true;              ///< they are made first, in the folder
  std::uint64_t memory_bytes = 0;  ///< that forming or merging them takes
};

struct PlanQuestion {
  std::string name;  ///< of what is sorted
  std::uint64_t records = 0;
  bool made = false;  ///< nothing is read
  std::uint64_t input_bytes = 0;
  KeyFormat format;
  SortAlgorithm algorithm = SortAlgorithm::automatic;
  int processors = 1;
  bool verify = false;
  bool keeps_text = false;               ///< of another spelling: lines stay what they are
  bool in_pieces = false;                ///< from file to file (cli/sort/copied_sort.h)
  std::optional<PlannedRuns> in_runs{};  ///< nothing: all in memory
};

struct SortPlan {
  PlanQuestion question;
  std::vector<PlanStep> steps;
  std::uint64_t memory_bytes = 0;
  std::uint64_t spilled_bytes = 0;  ///< in the folder, at the same time
  std::uint64_t available_memory_bytes = 0;
  double copy_bytes_per_second = 0;

  double expected_seconds(const PlanStep& step) const;
};

/// The memory for all of it, where that is not done in runs or in pieces.
std::uint64_t memory_in_one_go(const PlanQuestion& question);

/// Counts the steps; measures nothing but the available memory.
SortPlan plan_sort(const PlanQuestion& question);

/// Bytes read and written a second when all threads copy, from a measurement of some 0.1 s that
/// takes so much memory at most (2 MiB at least, 128 at most).
double measure_copy_speed(std::uint64_t most_bytes);

/// How many lines a text of `bytes` bytes has that goes on as it begins in `beginning`.
std::uint64_t guess_lines(std::string_view beginning, std::uint64_t bytes);

std::string to_text(const SortPlan& plan);
std::string to_json(const SortPlan& plan);

}  // namespace postroom::cli
