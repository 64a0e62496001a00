#include "sort/whole_keys.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <utility>

#include "sort/areas.h"
#include "sort/arguments.h"
#include "sort/by_index.h"
#include "sort/by_sign.h"
#include "sort/compiled_sizes.h"
#include "sort/engine/alone.h"
#include "sort/engine/block_sort.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/count_all.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/layout.h"
#include "sort/engine/lease.h"
#include "sort/engine/long_row.h"
#include "sort/engine/one_network.h"
#include "sort/engine/order.h"
#include "sort/engine/progress.h"
#include "sort/engine/sides_sort.h"
#include "sort/engine/steps.h"
#include "sort/engine/strays.h"
#include "sort/engine/team.h"
#include "sort/folded.h"
#include "sort/front.h"
#include "sort/home.h"
#include "sort/keys.h"
#include "sort/numbered.h"
#include "sort/scratch.h"
#include "sort/shares.h"
#include "sort/vectors/network_sort.h"

namespace postroom::sorting {
namespace {

template <class Row>
void write_numbers(const IndexArray& order, std::span<const Row> rows, Range own) {
  with_size(order.bytes, std::index_sequence<1, 2, 4, 8>(), [&]<std::size_t kBytes>() {
    for (std::size_t i = own.begin; i < own.end; ++i) {
      const auto number = static_cast<typename UnsignedOf<kBytes>::Type>(rows[i].number);
      std::memcpy(order.data + i * kBytes, &number, kBytes);
    }
  });
}

template <class Row>
void argsort_in_rows(const IndexArray& order, std::size_t size, const KeyReader& keys,
                     const SortScratch& scratch, const SortOptions& options,
                     const SortConfig* config) {
  const std::span rows(reinterpret_cast<Row*>(scratch.area(0)), size);
  number_in_order(rows, std::span(&keys, 1), {scratch.area(1), scratch.cold_from(1)}, options,
                  config);
  Shares(size, options).run([&](Range own, std::size_t) { write_numbers<Row>(order, rows, own); });
}

// Whether floating-point keys were in order, or in reverse: then they are in order now.
bool settle_floats(std::byte* data, std::size_t size, KeyFormat format, const SortOptions& options,
                   const SortConfig* config) {
  const SortConfig chosen = config != nullptr ? *config : SortConfig{};
  return with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    using Records = Rows<KeyOf::kRecordBytes, KeyOf>;
    const Records home(data, key);
    if (is_for_one<Records>(size, chosen)) return settle_order(home, size);
    return settle_order_of_many(home, size, options, chosen);
  });
}

struct Side {
  Range range;
  KeyFormat format;  // as integers
};

// Moves floating-point keys to both sides of zero. The bits of negative ones order the other way
// round. What is above zero is signed, so that the keys are bits that order as ordered_bits()
// (sort/engine/value_digit.h).
std::array<Side, 2> take_sides_of_zero(std::byte* data, std::size_t size, KeyFormat format,
                                       const SortOptions& options) {
  const std::size_t border =
      partition_by_sign(data, size, format.bytes, format.descending, options);
  return {Side{{0, border}, {format.bytes, false, format.descending, true}},
          Side{{border, size}, {format.bytes, false, !format.descending, false}}};
}

// Whether floating-point keys are folded rather than moved to both sides of zero: few of them;
// those with a long row in order, on both sides of zero; and those that are so nearly in order that
// only the few that stray are to be moved, by one processor.
bool are_for_folding(std::byte* data, std::size_t size, KeyFormat format,
                     const SortOptions& options, const SortConfig* config) {
  const SortConfig chosen = config != nullptr ? *config : SortConfig{};
  return with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    using Records = Rows<KeyOf::kRecordBytes, KeyOf>;
    if (is_for_one<Rows<KeyOf::kRecordBytes, WholeKey<typename KeyOf::Bits, false>>>(size,
                                                                                     chosen)) {
      return true;
    }
    const Records keys(data, key);
    const auto differ = sampled_bits(keys, 0, size, chosen.sample_records);
    if ((differ & kTopBit<typename KeyOf::Bits>) != 0) {
      const Range rest = beside_long_row(keys, size, chosen);
      if (rest.begin < rest.end) return true;
    }
    return seem_nearly_in_order(keys, size, chosen) &&
           Lease(options, size, chosen.alone_records).processors() <= chosen.stray_processors;
  });
}

// Whether floating-point keys are so few that one network takes them; they are in order then.
bool sort_by_float_network(std::byte* data, std::size_t size, KeyFormat format,
                           const SortConfig* config) {
  const SortConfig chosen = config != nullptr ? *config : SortConfig{};
  return with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    using Bits = typename KeyOf::Bits;
    using Integers = Rows<sizeof(Bits), WholeKey<Bits, false>>;
    if constexpr (Integers::kNetworkKeys) {
      if (!fits_one_network<Integers>(size, chosen)) return false;
      sort_floats_by_network(data, size, key.flip);
      return true;
    }
    return false;
  });
}

// So few that they need no scratch.
void sort_few_floats(std::byte* data, std::size_t size, KeyFormat format,
                     const SortConfig* config) {
  constexpr std::size_t kLeastForNetwork = 12;  // eight doubles by one 4.8 ns a key, ranked 3.3
  if (size >= kLeastForNetwork && sort_by_float_network(data, size, format, config)) return;
  with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    sort_very_few(Rows<KeyOf::kRecordBytes, KeyOf>(data, key), size);
  });
}

void sort_floats(std::byte* data, std::size_t size, KeyFormat format, const SortOptions& options,
                 const SortConfig* config) {
  if (needs_no_scratch(size, options, config)) return sort_few_floats(data, size, format, config);
  check_scratch(options.scratch, row_areas(size, format.bytes));
  Progress progress(options.progress);
  const auto sort_integers = [&](Range range, KeyFormat integers) {
    const std::size_t count = range.end - range.begin;
    SortOptions of_range = options;
    if (progress.wanted()) {
      of_range.progress = [&](double fraction) {
        const double done =
            static_cast<double>(range.begin) + fraction * static_cast<double>(count);
        progress.report(done / static_cast<double>(size));
      };
    }
    sort_whole_keys(data + range.begin * format.bytes, count, integers, of_range, config);
  };
  if (!settle_floats(data, size, format, options, config) &&
      !sort_by_float_network(data, size, format, config)) {
    if (are_for_folding(data, size, format, options, config)) {
      const Folded folded(data, size, format.bytes, options);
      sort_integers({0, size}, {format.bytes, false, true, format.descending});
    } else {
      for (const Side& side : take_sides_of_zero(data, size, format, options)) {
        sort_integers(side.range, side.format);
      }
    }
  }
  if (options.progress) options.progress(1);
}

// Sorts around keys; run() calls what it is given for each processor's team. Returns what is left
// to be sorted.
template <class Records, class Run>
std::vector<Range> sort_by(SidesSort<Records>& sides, const Run& run) {
  Failure failure;
  run([&](Team team) {
    Steps steps(team, failure);
    static_cast<void>(sides.sort(steps));
  });
  failure.rethrow();
  return sides.left();
}

// How the counts of so many processors stay small, or within a part of the scratch: 8 and 16 bits
// can be counted always.
template <class Records>
void bound_counts(SortConfig& config, std::size_t in_away, std::size_t processors) {
  constexpr int kLeast = 16;
  const std::size_t counts = in_away * Records::kRecordBytes / (processors * sizeof(std::uint32_t));
  config.count_all_bits = std::min(config.count_all_bits, std::max(kLeast, width_of(counts) - 1));
}

// Whether home[0, size) were keys that differ in few bits; they are in order now.
template <class Records>
bool count_together(const Records& home, std::size_t size, Lease& lease, const SortConfig& config) {
  CountAll<Records> all(home, size, lease.processors(), config);
  Failure failure;
  bool sorted = false;
  lease.run([&](Team team) {
    Steps steps(team, failure);
    const bool done = all.sort(steps);
    if (team.id() == 0) sorted = done;
  });
  failure.rethrow();
  return sorted;
}

template <class Records>
std::vector<Range> sort_home_in_place(Records home, const Records& away, std::size_t size,
                                      std::size_t in_away, const SortOptions& options,
                                      const SortConfig* config) {
  SortConfig chosen = config != nullptr ? *config : SortConfig{};
  const std::vector<Range> all{{0, size}};
  if (is_for_one<Records>(size, chosen)) {
    if (settle_order(home, size)) return {};
    bound_counts<Records>(chosen, in_away, 1);
    if (sort_by_counts<Records>(home, nullptr, size, chosen)) return {};
    if constexpr (Records::kNetworkKeys) {
      if (SidesSort<Records>::suits(in_away, 1, chosen)) {
        SidesSort<Records> sides(home, away, size, in_away, 1, chosen);
        return sort_by(sides, [](const auto& part_of) { part_of(Team()); });
      }
    }
    return all;
  }
  Lease lease(options, size, chosen.alone_records);
  if (config == nullptr) chosen = lease.config();
  if (settle_order_together(home, size, lease, chosen)) return {};
  bound_counts<Records>(chosen, in_away, lease.processors());
  if (count_together(home, size, lease, chosen)) return {};
  if constexpr (Records::kNetworkKeys) {
    const bool sides_suit = SidesSort<Records>::suits(in_away, lease.processors(), chosen);
    const bool sides_first =
        sides_suit && SidesSort<Records>::pays_before_blocks(home, size, chosen);
    if (!sides_first && BlockSort<Records>::pays(home, size, in_away, lease.processors(), chosen)) {
      BlockSort<Records> blocks(home, away, size, in_away, lease.processors(), chosen,
                                options.progress);
      Failure failure;
      lease.run([&](Team team) {
        Steps steps(team, failure);
        blocks.run(steps);
      });
      failure.rethrow();
      return blocks.left();
    }
    if (sides_suit) {
      SidesSort<Records> sides(home, away, size, in_away, lease.processors(), chosen);
      return sort_by(sides, [&](const auto& part_of) { lease.run(part_of); });
    }
  }
  return all;
}

}  // namespace

void sort_whole_keys(std::byte* data, std::size_t size, KeyFormat format,
                     const SortOptions& options, const SortConfig* config) {
  if (!format.is_floating) {
    return with_integer_key_of(format, [&]<class KeyOf>(KeyOf key) {
      sort_rows<KeyOf::kRecordBytes>(data, size, key, options, config);
    });
  }
  check_options(options);
  if (options.algorithm == SortAlgorithm::automatic) {
    return sort_floats(data, size, format, options, config);
  }
  with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    const Moved keys{data, format.bytes};
    sort_by_index({&keys, 1}, size, key_reader(data, format.bytes, key), options, config);
  });
}

std::vector<Range> sort_keys_in_place(std::byte* data, std::size_t size, KeyFormat format,
                                      std::span<std::byte> room, const SortOptions& options,
                                      const SortConfig* config) {
  check_options(options);
  if (format.is_floating) {
    if (settle_floats(data, size, format, options, config)) return {};
    std::vector<Range> left;
    for (const Side& side : take_sides_of_zero(data, size, format, options)) {
      const auto [begin, end] = side.range;
      for (const Range& part : sort_keys_in_place(data + begin * format.bytes, end - begin,
                                                  side.format, room, options, config)) {
        left.push_back({begin + part.begin, begin + part.end});
      }
    }
    return left;
  }
  return with_integer_key_of(format, [&]<class KeyOf>(KeyOf key) {
    using Records = Rows<KeyOf::kRecordBytes, KeyOf>;
    return sort_home_in_place(Records(data, key), Records(room.data(), key), size,
                              room.size() / KeyOf::kRecordBytes, options, config);
  });
}

std::size_t find_whole_fall(const std::byte* data, std::size_t begin, std::size_t end,
                            KeyFormat format) noexcept {
  constexpr std::size_t kAtOnce = 4096;
  return with_key_of(format, [&]<class KeyOf>(KeyOf key) {
    // Only read.
    const Rows<KeyOf::kRecordBytes, KeyOf> keys(const_cast<std::byte*>(data), key);
    std::size_t i = begin;
    while (i < end) {
      const std::size_t stop = std::min(i + kAtOnce, end);
      if (!order_of(keys, i, stop).rising) break;
      i = stop;
    }
    while (i < end && keys.key(i - 1) <= keys.key(i)) ++i;
    return i;
  });
}

void argsort_whole_keys(const IndexArray& order, const std::byte* data, std::size_t size,
                        KeyFormat format, const SortOptions& options, const SortConfig* config) {
  check_options(options);
  const SortScratch scratch(options.scratch, argsort_areas(size, format.bytes));
  const KeyReader keys = with_key_of(
      format, [&]<class KeyOf>(KeyOf key) { return key_reader(data, format.bytes, key); });
  if (fit_narrow_rows(size, format.bytes)) {
    argsort_in_rows<NarrowRow>(order, size, keys, scratch, options, config);
  } else {
    argsort_in_rows<WideRow>(order, size, keys, scratch, options, config);
  }
  if (options.progress) options.progress(1);
}

}  // namespace postroom::sorting
