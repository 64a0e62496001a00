// Whether each operation is at least as fast as what can be put together from the others.
//
// A collective that is slower than its composition from others is not worth calling; such rules for
// implementations of MPI are known as performance guidelines. Checked are, with the algorithms that
// automatic chooses:
//   composition   allreduce(m) <= reduce(m) + broadcast(m) and the like, see kGuidelines in the .cc
//   monotony      op(m) <= op(f m), f being the factor from size to size
//   splitting     op(f m) <= f op(m): one long call is not slower than f short ones
// On a real clock a rule counts as broken from a tenth above; in virtual time exactly.
//
// Cost: a measurement for each operation and size that a rule needs, once.
#pragma once

#include <cstddef>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/bench_run.h"
#include "cli/common/progress.h"

namespace postroom::cli {

struct GuidelineFinding {
  std::string rule;  ///< "allreduce(m) <= reduce(m) + broadcast(m)"
  int processors = 1;
  std::size_t bytes = 0;  ///< m
  double left_ns = 0;
  double right_ns = 0;
  bool broken = false;

  double ratio() const { return left_ns / right_ns; }
};

struct GuidelineReport {
  std::vector<GuidelineFinding> findings;
  std::vector<std::string> notes;
  std::vector<BenchedMachine> machines;
};

/// The rules about the operations in `arguments`.
GuidelineReport check_guidelines(const BenchArguments& arguments, Progress& progress);

/// What is broken, and how many rules were checked.
std::string to_text(const BenchArguments& arguments, const GuidelineReport& report);
/// All that was checked.
nlohmann::ordered_json to_json(const BenchArguments& arguments, const GuidelineReport& report);

}  // namespace postroom::cli
