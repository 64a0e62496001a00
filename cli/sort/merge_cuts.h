// Where runs are cut so that pieces of bounded size can be merged by themselves.
//
// A sample is taken of each run at equal distances. Samples are records and have an order (by key;
// among equal keys the earlier run, then the earlier place, which is what makes merging stable), so
// each of them tells which records of every run come before it. Of all samples in order, every so
// many of them is a cut; what lies between two cuts is one piece of every run, and all of them
// together hold at most piece_bytes. This holds for any keys, equal ones too; only lines that are
// longer than the distance come on top, two for each run.
//
// Samples are read as the cuts come to them, so only the next one of each run is kept, and the
// system is told what will be read soon.
//
// Cost: a read of a few bytes for each sample; for each cut and run a binary search in the file
// between two samples. Memory: some 100 to 200 bytes a run, and up to four times the key of bytes.
// Errors: UsageError when the samples show that a run is not in order.
//
//   MergeCuts cuts(runs, order, 4 << 20);
//   std::vector<std::uint64_t> begins(runs.size(), 0);
//   while (const auto ends = cuts.next()) …  // merge from begins to *ends, which begin the next
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "cli/keys/order_key.h"
#include "cli/keys/record_order.h"
#include "cli/sort/sorted_run.h"
#include "sort/loser_tree.h"

namespace postroom::cli {

class MergeCuts {
 public:
  /// The runs and the order must outlive it.
  MergeCuts(std::span<const SortedRun> runs, const RecordOrder& order, std::uint64_t piece_bytes);

  /// Where in each run the next piece ends; nothing after the last.
  std::optional<std::vector<std::uint64_t>> next();

  /// How many runs can be merged at once so that the distance of samples is sensible.
  static std::size_t most_runs(std::uint64_t piece_bytes, const RecordOrder& order);

 private:
  /// How far a run has been looked at.
  struct Row {
    std::uint64_t from = 0;      // behind the last sample that was passed
    std::uint64_t sample = 0;    // where the next one is; the end of the run without one
    std::uint64_t expected = 0;  // up to where the system knows that it will be read
  };

  std::optional<FoundRecord> look(std::size_t run, std::uint64_t place);
  std::uint64_t pass_sample();
  std::uint64_t place_of_cut(std::size_t run) const;

  std::span<const SortedRun> runs_;
  const RecordOrder& order_;
  std::uint64_t distance_;
  std::vector<Row> rows_;
  sorting::LoserTree<OrderKey> tree_;  // of the next samples
  bool ended_ = false;
};

}  // namespace postroom::cli
