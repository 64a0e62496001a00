#include "cli/sort/merge_cuts.h"

#include <algorithm>
#include <tuple>

#include "cli/sort/refuse_disorder.h"

namespace postroom::cli {
namespace {

// A piece is so many samples for each run, and may hold one more of each.
constexpr std::uint64_t kSamplesOfRun = 4;
constexpr std::uint64_t kLeastDistance = std::uint64_t{8} << 10;

std::uint64_t record_bytes(const RecordOrder& order) {
  return order.is_text() ? 0 : order.record_bytes();
}

// How far ahead the system is told what will be read: about four pieces.
constexpr std::uint64_t kSamplesAhead = 16;

std::uint64_t distance_for(std::uint64_t piece_bytes, std::size_t runs, const RecordOrder& order) {
  const std::uint64_t apart = piece_bytes / ((kSamplesOfRun + 1) * std::max<std::size_t>(runs, 1));
  // Samples are apart by a record more than the distance, at most.
  const std::uint64_t record = record_bytes(order);
  return std::max<std::uint64_t>(apart > record ? apart - record : 0, 1);
}

}  // namespace

std::size_t MergeCuts::most_runs(std::uint64_t piece_bytes, const RecordOrder& order) {
  const std::uint64_t least = std::max(kLeastDistance, 2 * record_bytes(order));
  return std::max<std::size_t>(piece_bytes / ((kSamplesOfRun + 1) * least), 2);
}

MergeCuts::MergeCuts(std::span<const SortedRun> runs, const RecordOrder& order,
                     std::uint64_t piece_bytes)
    : runs_(runs),
      order_(order),
      distance_(distance_for(piece_bytes, runs.size(), order)),
      rows_(runs.size()),
      tree_(runs.size(), order.last_key()) {
  for (std::size_t run = 0; run < runs.size(); ++run) {
    if (const std::optional<FoundRecord> first = look(run, 0)) tree_.enter(run, first->key);
  }
  tree_.start();
}

/// The next sample of a run, at `place` or after it.
std::optional<FoundRecord> MergeCuts::look(std::size_t run, std::uint64_t place) {
  Row& row = rows_[run];
  const std::uint64_t soon = std::min(place + kSamplesAhead * distance_, runs_[run].bytes());
  for (const std::uint64_t step = kSamplesOfRun * distance_; row.expected < soon;) {
    runs_[run].expect(row.expected, step);
    row.expected += step;
  }
  std::optional<FoundRecord> found = runs_[run].at_or_after(place, order_);
  row.sample = found ? found->place : runs_[run].bytes();
  return found;
}

/// Takes the first of all samples out; returns how far the next one of its run is from it.
std::uint64_t MergeCuts::pass_sample() {
  const std::size_t run = tree_.row();
  const std::uint64_t passed = rows_[run].sample;
  rows_[run].from = passed + 1;
  if (const std::optional<FoundRecord> found = look(run, passed + distance_)) {
    if (found->key < tree_.key()) refuse_disorder(runs_, run, found->place, order_);
    tree_.next(found->key);
  } else {
    tree_.end_row();
  }
  return rows_[run].sample - passed;
}

std::optional<std::vector<std::uint64_t>> MergeCuts::next() {
  if (ended_) return std::nullopt;
  // Counted in bytes, since lines may be longer than the distance.
  const std::uint64_t enough = kSamplesOfRun * runs_.size() * distance_;
  for (std::uint64_t passed = 0; passed < enough && !tree_.empty();) passed += pass_sample();
  ended_ = tree_.empty();
  std::vector<std::uint64_t> places(runs_.size());
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    places[run] = ended_ ? runs_[run].bytes() : place_of_cut(run);
  }
  return places;
}

/// The first record of the run that does not come before the first of all samples.
std::uint64_t MergeCuts::place_of_cut(std::size_t run) const {
  const std::size_t cut_run = tree_.row();
  if (run == cut_run) return rows_[run].sample;
  // It begins in [low, high) or is at `answer`.
  std::uint64_t low = rows_[run].from;
  std::uint64_t answer = rows_[run].sample;
  std::uint64_t high = answer;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::optional<FoundRecord> found = runs_[run].at_or_after(middle, order_);
    if (!found || found->place >= answer) {
      high = middle;
    } else if (std::tie(found->key, run) < std::tie(tree_.key(), cut_run)) {
      low = found->place + 1;
    } else {
      answer = found->place;
      high = middle;
    }
  }
  return answer;
}

}  // namespace postroom::cli
