#include "cli/sort/run_former.h"

#include <tbb/parallel_pipeline.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "cli/files/stored_file.h"
#include "cli/keys/by_format.h"
#include "cli/keys/chunk_reader.h"
#include "cli/keys/loaded_keys.h"
#include "sort/scratch.h"

namespace postroom::cli {
namespace {

/// Chunks that are on their way at a time; with one processor nothing happens at once.
std::size_t chunks_for(int processors) { return processors == 1 ? 1 : 2; }

/// How large chunks may be, where `memory` bytes are there for so many of them.
ChunkLimits limits_for(const KeyFormat& format, std::uint64_t memory, std::size_t chunks) {
  const auto parts = static_cast<double>(chunks + 1);
  const auto all = static_cast<double>(memory);
  if (format.text) {
    // The text of the chunks and what is carried from one to the next; 16 bytes for each line of
    // the chunks and for sorting one of them.
    return {static_cast<std::size_t>(0.3 * all / parts),
            static_cast<std::size_t>(0.7 * all / parts / sizeof(NumberedLine))};
  }
  constexpr std::size_t kMany = std::size_t{1} << 24;
  const auto scratch = static_cast<double>(scratch_bytes(kMany, format)) /
                       static_cast<double>(kMany * format.record_bytes);
  const double each = scratch + static_cast<double>(chunks);
  return {buffer_bytes_within(static_cast<std::size_t>(all / each))};
}

class RunFormer {
 public:
  RunFormer(Inputs& inputs, Buffer pending, const RunWishes& wishes, SpillFile& file,
            Progress& progress)
      : wishes_(wishes),
        file_(file),
        progress_(progress),
        reader_(inputs, wishes.format, without_first_run(std::move(pending))) {}

  FormedRuns form() {
    if (const std::size_t pending = reader_.pending_bytes(); pending > 0) {
      const std::uint64_t left = wishes_.memory_bytes - std::min(wishes_.memory_bytes / 2, pending);
      run(1, left, [this] { return reader_.pending_bytes() == 0; });
    }
    run(chunks_for(wishes_.processors), wishes_.memory_bytes, [] { return false; });
    return std::move(formed_);
  }

 private:
  struct Place {
    Chunk chunk;
    LoadedKeys keys;
  };

  /// Where `pending` is more than a chunk may be it becomes a run where it lies, or else is
  /// returned. Text is no more than half of the memory.
  Buffer without_first_run(Buffer pending) {
    const KeyFormat& format = wishes_.format;
    if (format.text || pending.size() <= wishes_.memory_bytes / 2 ||
        pending.size() % format.record_bytes != 0) {
      return pending;
    }
    Stopwatch nobodys;
    LoadedKeys keys = load_records(std::move(pending), format, wishes_.verify, nobodys);
    const std::uint64_t left =
        wishes_.memory_bytes - std::min(wishes_.memory_bytes, keys.records.size());
    sort_records_within(left, keys.records.bytes(), keys.layout, wishes_.options);
    free_kept_scratch();  // what comes next takes all of the memory
    store(keys);
    return {};
  }

  template <class Enough>
  void run(std::size_t chunks, std::uint64_t memory, const Enough& enough) {
    const ChunkLimits limits = limits_for(wishes_.format, memory, chunks);
    std::vector<Place> places(chunks);
    std::size_t next = 0;
    const auto read = [&](tbb::flow_control& control) -> Place* {
      // Chunks leave in order, so what was here before has been stored.
      Place* const place = &places[next++ % chunks];
      if (!enough() && reader_.next(place->chunk, limits, progress_)) return place;
      control.stop();
      return nullptr;
    };
    const auto sort = [this](Place* place) {
      sort_one(*place);
      return place;
    };
    const auto store = [this](Place* place) { store_one(*place); };
    tbb::parallel_pipeline(
        chunks, tbb::make_filter<void, Place*>(tbb::filter_mode::serial_in_order, read) &
                    tbb::make_filter<Place*, Place*>(tbb::filter_mode::serial_in_order, sort) &
                    tbb::make_filter<Place*, void>(tbb::filter_mode::serial_in_order, store));
    scratch_ = Buffer();
  }

  void sort_one(Place& place) {
    constexpr auto kUnlimited = std::numeric_limits<std::uint64_t>::max();
    Stopwatch nobodys;
    LoadedKeys& keys = place.keys;
    keys =
        wishes_.format.text
            ? *load_lines(place.chunk.bytes, place.chunk.lines, kUnlimited, wishes_.verify, nobodys)
            : load_records(std::move(place.chunk.bytes), wishes_.format, wishes_.verify, nobodys);
    formed_.signs.add(keys.signs);
    refuse_mixed(formed_.signs, place.chunk.lines.names);
    SortOptions options = wishes_.options;
    const std::size_t scratch = scratch_bytes(keys.count(), keys.layout, options);
    if (scratch_.size() < scratch) {
      scratch_ = Buffer();  // first: both together would be too much
      scratch_.resize(scratch);
      scratch_.touch();
    }
    options.scratch = scratch_.bytes();
    sort_records(keys.records.bytes(), keys.layout, options);
  }

  void store_one(Place& place) {
    store(place.keys);
    if (!wishes_.format.text) place.chunk.bytes = std::move(place.keys.records);
    place.keys = LoadedKeys();
  }

  void store(const LoadedKeys& keys) {
    const std::uint64_t begin = file_.bytes();
    // While it waits, this thread is to help with nothing else: a sort would hold up the storing.
    tbb::this_task_arena::isolate([&] { store_keys(keys, file_, progress_); });
    formed_.runs.emplace_back(StoredFile(file_.descriptor()), begin, file_.bytes() - begin,
                              file_.name());
    formed_.records += keys.count();
    if (keys.fingerprint) formed_.fingerprint += *keys.fingerprint;
  }

  const RunWishes& wishes_;
  SpillFile& file_;
  Progress& progress_;
  Buffer scratch_;
  FormedRuns formed_;
  ChunkReader reader_;
};

}  // namespace

std::uint64_t run_bytes_for(const RunWishes& wishes) {
  return limits_for(wishes.format, wishes.memory_bytes, chunks_for(wishes.processors)).bytes;
}

FormedRuns form_runs(Inputs& inputs, Buffer pending, const RunWishes& wishes, SpillFile& file,
                     Progress& progress) {
  return RunFormer(inputs, std::move(pending), wishes, file, progress).form();
}

}  // namespace postroom::cli
