// The arguments of `postroom predict`, checked.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "cli/simulate/simulated_operation.h"
#include "collectives/algorithm.h"
#include "collectives/models/time_model.h"

namespace postroom::cli {

struct PredictArguments {
  const SimulatedOperation* operation = nullptr;
  int processors = 8;
  TimeModel model;
  std::string model_in_words;
  bool on_this_box = false;         ///< what the profile says, not a model that was asked for
  bool is_guess = false;            ///< more processors than the profile has room for
  std::vector<std::int64_t> sizes;  ///< at least one, growing
  std::int64_t last_size = 0;       ///< of a sweep, also where no step ends there
  std::vector<Algorithm> only;      ///< empty: all
  bool all_variants = false;
  std::optional<std::string> profile;  ///< the file that was read
  std::optional<std::string> json;
};

/// Throws UsageError, std::invalid_argument for an algorithm that there is not, std::runtime_error
/// for a profile that cannot be read.
PredictArguments parse_predict(std::span<const std::string> words);

}  // namespace postroom::cli
