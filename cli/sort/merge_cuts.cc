#include "cli/sort/merge_cuts.h"

#include <tbb/parallel_for.h>

#include <algorithm>
#include <tuple>

#include "cli/sort/refuse_disorder.h"

namespace postroom::cli {
namespace {

// A piece is so many samples for each run, and may hold one more of each.
constexpr std::uint64_t kSamplesOfRun = 4;
constexpr std::uint64_t kLeastDistance = std::uint64_t{8} << 10;

std::uint64_t distance_for(std::uint64_t piece_bytes, std::size_t runs) {
  return piece_bytes / ((kSamplesOfRun + 1) * std::max<std::size_t>(runs, 1));
}

}  // namespace

std::size_t MergeCuts::most_runs(std::uint64_t piece_bytes, const RecordOrder& order) {
  // Samples are apart by a record more than the distance, at most.
  const std::uint64_t record = order.is_text() ? 0 : order.record_bytes();
  const std::uint64_t least = std::max(kLeastDistance, 2 * record);
  return std::max<std::size_t>(piece_bytes / ((kSamplesOfRun + 1) * least), 2);
}

MergeCuts::MergeCuts(std::span<const SortedRun> runs, const RecordOrder& order,
                     std::uint64_t piece_bytes)
    : runs_(runs), order_(order), samples_(runs.size()) {
  const std::uint64_t record = order.is_text() ? 0 : order.record_bytes();
  const std::uint64_t apart = distance_for(piece_bytes, runs.size());
  const std::uint64_t distance = std::max<std::uint64_t>(apart > record ? apart - record : 0, 1);
  tbb::parallel_for(std::size_t{0}, runs.size(),
                    [&](std::size_t run) { samples_[run] = samples_of(run, distance); });
  std::vector<Sample> all;
  for (const auto& each : samples_) all.insert(all.end(), each.begin(), each.end());
  std::ranges::sort(all, {}, [](const Sample& s) { return std::tuple(s.key, s.run, s.place); });
  const std::size_t step = kSamplesOfRun * std::max<std::size_t>(runs.size(), 1);
  for (std::size_t i = step; i < all.size(); i += step) cuts_.push_back(all[i]);
}

std::vector<MergeCuts::Sample> MergeCuts::samples_of(std::size_t run,
                                                     std::uint64_t distance) const {
  std::vector<Sample> samples;
  for (std::uint64_t place = 0;;) {
    const std::optional<FoundRecord> found = runs_[run].at_or_after(place, order_);
    if (!found) return samples;
    if (!samples.empty() && found->key < samples.back().key) {
      refuse_disorder(runs_, run, found->place, order_);
    }
    samples.push_back({found->key, found->place, run});
    place = found->place + distance;
  }
}

bool MergeCuts::comes_before(const Sample& record, const Sample& cut) const {
  return std::tie(record.key, record.run, record.place) < std::tie(cut.key, cut.run, cut.place);
}

std::size_t MergeCuts::samples_before(const Sample& cut, std::size_t run) const {
  const auto& samples = samples_[run];
  const auto first_after = std::ranges::partition_point(
      samples, [&](const Sample& sample) { return comes_before(sample, cut); });
  return static_cast<std::size_t>(first_after - samples.begin());
}

std::uint64_t MergeCuts::place_of(const Sample& cut, std::size_t run) const {
  if (run == cut.run) return cut.place;
  const auto& samples = samples_[run];
  const std::size_t before = samples_before(cut, run);
  if (before == 0) return 0;
  // The first record that does not come before the cut begins in [low, high) or is at `answer`.
  std::uint64_t low = samples[before - 1].place + 1;
  std::uint64_t answer = before < samples.size() ? samples[before].place : runs_[run].bytes();
  std::uint64_t high = answer;
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    const std::optional<FoundRecord> found = runs_[run].at_or_after(middle, order_);
    if (!found || found->place >= answer) {
      high = middle;
    } else if (comes_before({found->key, found->place, run}, cut)) {
      low = found->place + 1;
    } else {
      answer = found->place;
      high = middle;
    }
  }
  return answer;
}

std::vector<std::uint64_t> MergeCuts::places(std::size_t piece) const {
  std::vector<std::uint64_t> places(runs_.size(), 0);
  if (piece == 0) return places;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    places[run] = piece == pieces() ? runs_[run].bytes() : place_of(cuts_[piece - 1], run);
  }
  return places;
}

std::vector<std::uint64_t> MergeCuts::places_before(std::size_t piece) const {
  std::vector<std::uint64_t> places(runs_.size(), 0);
  if (piece == 0) return places;
  for (std::size_t run = 0; run < runs_.size(); ++run) {
    if (piece >= pieces()) {
      places[run] = runs_[run].bytes();
    } else if (const std::size_t before = samples_before(cuts_[piece - 1], run); before > 0) {
      places[run] = samples_[run][before - 1].place;
    }
  }
  return places;
}

}  // namespace postroom::cli
