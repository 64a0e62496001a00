#include "cli/sort/merge_runs.h"

#include <tbb/parallel_pipeline.h>

#include <algorithm>
#include <memory>
#include <span>
#include <stdexcept>
#include <string_view>
#include <utility>

#include "cli/common/failure.h"
#include "cli/files/buffer.h"
#include "cli/files/stored_file.h"
#include "cli/keys/by_format.h"
#include "cli/keys/lines.h"
#include "cli/keys/order_key.h"
#include "cli/keys/text_numbers.h"
#include "cli/sort/merge_cuts.h"
#include "cli/sort/merge_segments.h"
#include "cli/sort/refuse_disorder.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

/// Pieces that are on their way at a time: one for each processor, and those that are read or wait
/// to be written meanwhile.
std::size_t pieces_in_flight(const MergeWishes& wishes) {
  return static_cast<std::size_t>(wishes.processors) + 2;
}

/// Each piece in flight is in memory twice: as it was read, and merged.
std::uint64_t piece_bytes_for(const MergeWishes& wishes) {
  return buffer_bytes_within(wishes.memory_bytes / (2 * pieces_in_flight(wishes)));
}

/// What is enough for so many runs: each read is long then, and the buffers, which the next pieces
/// take over, are small. Memory that nobody has touched takes longer to find than its keys to sort.
std::uint64_t piece_bytes_for(const MergeWishes& wishes, std::size_t runs) {
  constexpr std::uint64_t kReadBytes = std::uint64_t{1} << 20;
  constexpr std::uint64_t kLeastBytes = std::uint64_t{16} << 20;
  return std::min(piece_bytes_for(wishes), std::max(kLeastBytes, kReadBytes * runs));
}

/// A buffer that grows when it has to, but never shrinks.
std::span<std::byte> room_in(Buffer& buffer, std::size_t bytes) {
  if (buffer.size() < bytes) buffer.resize(bytes);
  return buffer.bytes().first(bytes);
}

struct Piece {
  Buffer read;
  Buffer merged;
  std::size_t merged_bytes = 0;
  std::vector<Segment> segments;      // of `read`
  std::vector<std::uint64_t> begins;  // where in their runs
  std::vector<std::uint64_t> ends;
  std::vector<KeyRange> ranges;  // of the segments
  KeyRange merged_range;         // if it is checked
  std::uint64_t records = 0;
  Fingerprint read_fingerprint;
  Fingerprint merged_fingerprint;
};

/// One pass: all runs into one.
class Merge {
 public:
  Merge(std::span<const SortedRun> runs, const RecordOrder& order, const MergeWishes& wishes,
        ByteSink& sink, Progress& progress)
      : runs_(runs),
        order_(order),
        wishes_(wishes),
        sink_(sink),
        progress_(progress),
        cuts_(runs, order, piece_bytes_for(wishes, runs.size())),
        border_(runs.size(), 0),
        pieces_(pieces_in_flight(wishes)),
        last_keys_(runs.size()) {}

  void run() {
    const auto take = [this](tbb::flow_control& control) -> Piece* {
      std::optional<std::vector<std::uint64_t>> ends = cuts_.next();
      if (!ends) {
        control.stop();
        return nullptr;
      }
      // Pieces leave in order, so what was here before has been written.
      Piece* const piece = &pieces_[next_++ % pieces_.size()];
      piece->ends = std::move(*ends);
      piece->begins = std::exchange(border_, piece->ends);
      return piece;
    };
    const auto merge = [this](Piece* piece) {
      read(*piece);
      merge_one(*piece);
      return piece;
    };
    const auto write = [this](Piece* piece) { put(*piece); };
    tbb::parallel_pipeline(
        pieces_.size(),
        tbb::make_filter<void, Piece*>(tbb::filter_mode::serial_in_order, take) &
            tbb::make_filter<Piece*, Piece*>(tbb::filter_mode::parallel, merge) &
            tbb::make_filter<Piece*, void>(tbb::filter_mode::serial_in_order, write));
  }

  const MergeResult& result() const noexcept { return result_; }

 private:
  void read(Piece& piece) const {
    std::uint64_t all = 0;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      // The cuts rise in each run, unless it was changed between them.
      if (piece.ends[run] < piece.begins[run]) refuse_disorder(runs_, run, piece.ends[run], order_);
      all += piece.ends[run] - piece.begins[run] + (order_.is_text() ? 1 : 0);
    }
    const auto room = room_in(piece.read, room_for_segments(all, order_));
    piece.segments.clear();
    std::size_t used = 0;
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      std::size_t bytes = piece.ends[run] - piece.begins[run];
      const auto place = room.subspan(used);
      if (bytes > 0) runs_[run].read(piece.begins[run], place.first(bytes));
      // The last line of a file may have no end.
      if (order_.is_text() && bytes > 0 && place[bytes - 1] != std::byte{'\n'}) {
        place[bytes++] = std::byte{'\n'};
      }
      piece.segments.push_back(place.first(bytes));
      used += bytes;
    }
    piece.merged_bytes = used;
  }

  void merge_one(Piece& piece) const {
    piece.ranges.resize(runs_.size());
    const auto merged = room_in(piece.merged, piece.merged_bytes);
    std::optional<Disorder> disorder;
    try {
      if (wishes_.fingerprint) piece.read_fingerprint = fingerprint_of(piece.segments);
      disorder = merge_segments(piece.segments, order_, merged, piece.ranges, piece.read.bytes());
    } catch (const UsageError& error) {
      throw UsageError(where_no_number(piece) + error.what());
    }
    if (disorder) {
      const std::size_t run = disorder->segment;
      refuse_disorder(runs_, run, piece.begins[run] + disorder->place, order_);
    }
    piece.records = records_in(merged);
    if (wishes_.check) {
      piece.merged_range = checked_range(merged);
      const Segment all = merged;
      piece.merged_fingerprint = fingerprint_of({&all, 1});
    }
  }

  std::uint64_t records_in(std::span<const std::byte> merged) const {
    if (!order_.is_text()) return merged.size() / order_.record_bytes();
    return static_cast<std::uint64_t>(std::ranges::count(merged, std::byte{'\n'}));
  }

  Fingerprint fingerprint_of(std::span<const Segment> segments) const {
    Fingerprint sum;
    for (const Segment& segment : segments) {
      if (!order_.is_text()) {
        sum += fingerprint_of_records(segment, order_.record_bytes());
      } else {
        sum += fingerprint_of_lines(characters(segment), chunk_lines(characters(segment)));
      }
    }
    return sum;
  }

  [[noreturn]] static void refuse_merged() {
    throw std::runtime_error("the verification failed, what was merged is out of order");
  }

  /// The keys of the first and the last record of what was merged, which is in order, as is told by
  /// other means than merging. Of nothing, any.
  KeyRange checked_range(std::span<const std::byte> merged) const {
    return order_.is_text() ? checked_range_of_lines(characters(merged))
                            : checked_range_of_records(merged);
  }

  KeyRange checked_range_of_lines(std::string_view merged) const {
    KeyRange range;
    for (std::size_t place = 0; place < merged.size();) {
      const LineNumber line = number_at(merged, place);
      const OrderKey key{order_.key_of_number(line.number)};
      if (range.last > key) refuse_merged();
      if (place == 0) range.first = key;
      range.last = key;
      place = line.end + 1;
    }
    return range;
  }

  KeyRange checked_range_of_records(std::span<const std::byte> merged) const {
    if (merged.empty()) return {};
    const SortOptions options{.processors = 1, .pin = false, .descending = order_.descending()};
    if (first_disorder(merged, order_.format(), options)) refuse_merged();
    return {order_.key(merged.data()),
            order_.key(merged.data() + merged.size() - order_.record_bytes())};
  }

  /// In which run the line is that is no number, and where: "a.txt: line 3: ".
  std::string where_no_number(const Piece& piece) const {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const std::string_view text = characters(piece.segments[run]);
      std::size_t place = 0;
      try {
        while (place < text.size()) place = number_at(text, place).end + 1;
      } catch (const UsageError&) {
        return runs_[run].line_in_words(piece.begins[run] + place) + ": ";
      }
    }
    return "";
  }

  void put(Piece& piece) {
    for (std::size_t run = 0; run < runs_.size(); ++run) {
      const KeyRange& range = piece.ranges[run];
      if (piece.segments[run].empty()) continue;
      if (range.first < last_keys_[run]) {
        refuse_disorder(runs_, run, piece.begins[run], order_);
      }
      last_keys_[run] = range.last;
    }
    if (wishes_.check && piece.merged_bytes > 0) {
      if (piece.merged_range.first < last_checked_) refuse_merged();
      last_checked_ = piece.merged_range.last;
    }
    sink_.write(piece.merged.bytes().first(piece.merged_bytes));
    progress_.advance(piece.merged_bytes);
    result_.records += piece.records;
    result_.read += piece.read_fingerprint;
    result_.written += piece.merged_fingerprint;
  }

  std::span<const SortedRun> runs_;
  const RecordOrder& order_;
  const MergeWishes& wishes_;
  ByteSink& sink_;
  Progress& progress_;
  MergeCuts cuts_;
  std::vector<std::uint64_t> border_;  // where the next piece begins
  std::vector<Piece> pieces_;
  std::size_t next_ = 0;
  std::vector<OrderKey> last_keys_;  // of each run, in what was written
  OrderKey last_checked_;            // of all, if it is checked
  MergeResult result_;
};

std::uint64_t bytes_of(std::span<const SortedRun> runs) {
  std::uint64_t bytes = 0;
  for (const SortedRun& run : runs) bytes += run.bytes();
  return bytes;
}

/// Merges groups of at most `most` neighbours into runs of `file`.
std::vector<SortedRun> merge_groups(const std::vector<SortedRun>& runs, std::size_t most,
                                    const RecordOrder& order, const MergeWishes& wishes,
                                    SpillFile& file, Progress& progress, MergeResult& result) {
  const std::size_t groups = ceil_divide(runs.size(), most);
  std::vector<SortedRun> merged;
  for (std::size_t group = 0; group < groups; ++group) {
    const std::size_t first = runs.size() * group / groups;
    const std::size_t end = runs.size() * (group + 1) / groups;
    const std::uint64_t begin = file.bytes();
    Merge merge(std::span<const SortedRun>(runs).subspan(first, end - first), order, wishes, file,
                progress);
    merge.run();
    result.read += merge.result().read;
    merged.emplace_back(StoredFile(file.descriptor()), begin, file.bytes() - begin, file.name());
  }
  return merged;
}

}  // namespace

std::size_t merge_passes(std::size_t runs, const RecordOrder& order, const MergeWishes& wishes) {
  const std::size_t most = MergeCuts::most_runs(piece_bytes_for(wishes), order);
  std::size_t passes = 1;
  for (; runs > most; ++passes) runs = ceil_divide(runs, most);
  return passes;
}

std::uint64_t merge_memory_bytes(std::size_t runs, std::uint64_t bytes, const RecordOrder& order,
                                 const MergeWishes& wishes) {
  const std::size_t most = MergeCuts::most_runs(piece_bytes_for(wishes), order);
  const std::uint64_t piece_bytes = piece_bytes_for(wishes, std::min(runs, most));
  return 2 * std::min(bytes, pieces_in_flight(wishes) * piece_bytes);
}

MergeResult merge_runs(std::vector<SortedRun> runs, const RecordOrder& order,
                       const MergeWishes& wishes, ByteSink& sink, Progress& progress,
                       std::unique_ptr<SpillFile> held) {
  const std::size_t most = MergeCuts::most_runs(piece_bytes_for(wishes), order);
  MergeResult result;
  result.passes = merge_passes(runs.size(), order, wishes);
  progress.begin("merging", bytes_of(runs) * result.passes);
  MergeWishes now = wishes;
  now.check = false;
  while (runs.size() > most) {
    auto longer = std::make_unique<SpillFile>(wishes.spill_folder);
    longer->reserve(bytes_of(runs));
    runs = merge_groups(runs, most, order, now, *longer, progress, result);
    held = std::move(longer);
    now.fingerprint = false;  // it has been taken
  }
  now.check = wishes.check;
  Merge last(runs, order, now, sink, progress);
  last.run();
  result.records = last.result().records;
  result.written = last.result().written;
  result.read += last.result().read;
  return result;
}

}  // namespace postroom::cli
