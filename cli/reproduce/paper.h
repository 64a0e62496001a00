// A paper as a list of experiments, each of which writes its part of the paper's page.
//
//   const Paper& paper = postal_paper();
//   for (const Experiment& experiment : paper.experiments) experiment.run(page, {.quick = true});
#pragma once

#include <span>
#include <string_view>

#include "cli/reproduce/paper_page.h"

namespace postroom::cli {

/// How much work an experiment may do.
struct Effort {
  /// Seconds instead of minutes: small machines, few rounds. What is exact stays complete.
  bool quick = false;

  /// `normal`, or `quick_one`.
  template <class T>
  T of(T normal, T quick_one) const {
    return quick ? quick_one : normal;
  }
};

struct Experiment {
  std::string_view title;
  int seconds;  ///< about how long it takes on two cores, at least 1: for the progress bar
  void (*run)(PaperPage& page, const Effort& effort);
};

struct Paper {
  std::string_view letter;  ///< as in the comments of the code: P for [P]
  std::string_view name;    ///< on the command line
  std::string_view page;    ///< the page, without .md
  std::string_view title;
  std::string_view introduction;
  std::span<const Experiment> experiments;
};

}  // namespace postroom::cli
