// Where runs are cut so that pieces of bounded size can be merged by themselves.
//
// A sample is taken of each run at equal distances. Samples are records and have an order (by key;
// among equal keys the earlier run, then the earlier place, which is what makes merging stable), so
// each of them tells which records of every run come before it. All samples in order, every so many
// of them is a cut; what lies between two cuts is one piece of every run, and all of them together
// hold at most piece_bytes. This holds for any keys, equal ones too.
//
// Cost: a read of a few bytes for each sample; for each cut and run a binary search in the file
// between two samples. Memory: 24 bytes a sample. Errors: UsageError when the samples show that a
// run is not in order.
//
//   const MergeCuts cuts(runs, order, 4 << 20);
//   for (std::size_t piece = 0; piece < cuts.pieces(); ++piece)
//     merge from cuts.places(piece) to cuts.places(piece + 1)
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "cli/keys/record_order.h"
#include "cli/sort/sorted_run.h"

namespace postroom::cli {

class MergeCuts {
 public:
  /// The runs and the order must outlive it.
  MergeCuts(std::span<const SortedRun> runs, const RecordOrder& order, std::uint64_t piece_bytes);

  std::size_t pieces() const noexcept { return cuts_.size() + 1; }
  /// Where in each run that piece begins; for pieces() the ends of the runs.
  std::vector<std::uint64_t> places(std::size_t piece) const;
  /// The same, not after it and at most a sample's distance before it, without reading anything.
  std::vector<std::uint64_t> places_before(std::size_t piece) const;

  /// How many runs can be merged at once so that the distance of samples is sensible.
  static std::size_t most_runs(std::uint64_t piece_bytes, const RecordOrder& order);

 private:
  struct Sample {
    std::uint64_t key;
    std::uint64_t place;
    std::size_t run;
  };

  std::vector<Sample> samples_of(std::size_t run, std::uint64_t distance) const;
  bool comes_before(const Sample& record, const Sample& cut) const;
  std::uint64_t place_of(const Sample& cut, std::size_t run) const;
  std::size_t samples_before(const Sample& cut, std::size_t run) const;

  std::span<const SortedRun> runs_;
  const RecordOrder& order_;
  std::vector<std::vector<Sample>> samples_;  // of each run
  std::vector<Sample> cuts_;
};

}  // namespace postroom::cli
