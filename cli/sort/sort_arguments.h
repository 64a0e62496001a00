// The arguments of `postroom sort`, checked as a whole.
//
// All that can be seen from the words alone is checked here, before any file is opened: unknown
// names, numbers out of range, options that contradict each other. Errors: UsageError.
//
//   const SortArguments arguments = parse_sort_arguments({"keys.u64", "-o", "sorted.u64"});
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/keys/data_source.h"
#include "cli/keys/key_format.h"
#include "sort/options.h"

namespace postroom::cli {

struct SortArguments {
  enum class Action {
    kSort,
    kCheck,         ///< -c: say where the order ends
    kCheckQuietly,  ///< -C
    kPlan,          ///< say what sorting would cost
  };

  Action action = Action::kSort;
  std::vector<std::string> inputs = {"-"};  ///< one after the other
  std::optional<DataSource> random;         ///< instead of the inputs
  bool merge = false;                       ///< each input is in order already
  std::string output = "-";
  KeyFormat format;
  bool descending = false;
  int processors = 0;  ///< 0: as many as the box takes by itself
  bool pin = true;
  SortAlgorithm algorithm = SortAlgorithm::automatic;
  /// The memory that may be used: enough for these processors, or for one.
  std::optional<std::uint64_t> buffer_bytes;
  std::optional<std::string> spill_folder;
  bool verify = false;
  std::optional<std::string> json;
  bool quiet = false;
  bool verbose = false;
};

SortArguments parse_sort_arguments(std::span<const std::string> words);

}  // namespace postroom::cli
