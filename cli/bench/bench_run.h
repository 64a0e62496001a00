// A sweep over operations, sizes and algorithms: what each takes, what was predicted, and how good
// the choice of Algorithm::automatic is.
//
// The rows of one operation and one size are a cell. On the wall clock the algorithms of a cell
// take turns, because a box changes within seconds. In virtual time a row is one run, exact; with
// --schedule-seed it is one run, too, since each would draw the same order.
//
//   const BenchResult result = run_bench(parse_bench(words), progress);
//   result.regret;   // 1: automatic was the best everywhere
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "cli/bench/bench_arguments.h"
#include "cli/bench/call_timer.h"
#include "cli/common/progress.h"
#include "cli/common/robust.h"
#include "collectives/models/cost.h"
#include "collectives/models/time_model.h"
#include "runtime/rational.h"

namespace postroom::cli {

struct BenchRow {
  const SimulatedOperation* operation = nullptr;
  int processors = 1;
  std::size_t block_bytes = 0;
  Algorithm algorithm;
  Cost cost = {};
  std::vector<double> samples_ns = {};  ///< in virtual time one, in units
  Summary summary = {};                 ///< of these
  std::optional<Rational> exact = {};   ///< in virtual time
  std::optional<double> predicted_ns = {};
  bool chosen = false;  ///< by Algorithm::automatic
  bool best = false;    ///< of its cell, by the median

  /// What the prediction is above the median, in percent of the median.
  std::optional<double> error_percent() const;
};

/// What the processors ran on.
struct BenchedMachine {
  int processors = 1;
  int threads = 1;
  /// "0-31 on CPU 0, 32-63 on CPU 1"; none in virtual time, and with --schedule-seed.
  std::string pinning;
};

struct BenchResult {
  std::vector<BenchedMachine> machines;  ///< in the order in which they were measured
  std::vector<BenchRow> rows;
  /// The geometric mean over the cells of the time of the chosen algorithm by that of the best.
  std::optional<double> regret;
  /// The median of the errors' absolute values, in percent.
  std::optional<double> prediction_error_percent;
  std::vector<std::string> notes;  ///< what was left out, and what makes the figures doubtful
};

/// Adds those that are not among them.
void add_notes(std::vector<std::string>& notes, const std::vector<std::string>& others);

/// Runs single rows on one machine.
class Bench {
 public:
  /// Keeps a reference.
  explicit Bench(const BenchArguments& arguments);
  ~Bench();

  /// Is told which algorithm is measured next, and how much of the cell is done.
  using OnNext = std::function<void(const Algorithm& algorithm, double done)>;

  /// The rows of one cell; algorithms that do not run with these parameters are left out, and
  /// noted.
  std::vector<BenchRow> cell(
      const SimulatedOperation& operation, std::size_t block_bytes,
      const std::vector<Algorithm>& algorithms,
      const OnNext& on_next = [](const Algorithm&, double) {});
  /// What Algorithm::automatic stands for.
  Algorithm choice(const SimulatedOperation& operation, std::size_t block_bytes) const;
  /// What the machine and the sweep so far have to note.
  std::vector<std::string> notes() const;
  BenchedMachine machine() const;

 private:
  bool start(BenchRow& row);
  void measure_exactly(std::vector<BenchRow>& rows, const OnNext& on_next);
  void measure_exactly(BenchRow& row) const;
  void measure(std::vector<BenchRow>& rows, const OnNext& on_next);
  bool measure(BenchRow& row, int turn, int turns);
  void note(const std::string& text);

  const BenchArguments& arguments_;
  std::unique_ptr<CallTimer> timer_;  // none in virtual time
  std::optional<BoxTree> box_;        // see CallTimer
  TimeModel model_;                   // what predicts
  std::vector<std::string> notes_;
};

BenchResult run_bench(const BenchArguments& arguments, Progress& progress);

}  // namespace postroom::cli
