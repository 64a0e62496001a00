// Where the time of a sort goes: its phases one by one, beside a copy of the array.
//
//   bazel run -c opt --config=native //benchmarks/sort:phases -- 100000000
//
// Keys alone are sorted by the steps of sort/engine/block_sort.h: prepare and split, exchange,
// gather, finish. The phases of pairs are those of sort/engine/bucket_sort.h, made from its pieces:
// count the digits, place the records by them, finish the buckets. All on uniform keys, with a
// barrier between them. `sort` is the whole front door on the same keys, with the scratch handed
// in. Nanoseconds an element, medians of the rounds, for one processor and for as many as the box
// gives; and from the phases of these, what more processors would take (docs/sort_figures.md).
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

#include "benchmarks/sort/cells.h"
#include "benchmarks/sort/phase_model.h"
#include "numa/memory.h"
#include "runtime/machine.h"
#include "sort/engine/block_sort.h"
#include "sort/engine/config.h"
#include "sort/engine/count.h"
#include "sort/engine/digit.h"
#include "sort/engine/failure.h"
#include "sort/engine/finish.h"
#include "sort/engine/layout.h"
#include "sort/engine/place.h"
#include "sort/engine/steps.h"
#include "sort/engine/team.h"
#include "sort/keys.h"
#include "sort/sort.h"

namespace postroom::benchmarks {
namespace {

using sorting::Range;
using sorting::Steps;

constexpr int kRounds = 5;

constexpr std::array kBlockPhases{Phase{"split", 2}, Phase{"exchange", 0, 2}, Phase{"gather", 2},
                                  Phase{"finish", 2}};
constexpr std::array kBucketPhases{Phase{"count", 1}, Phase{"place", 3}, Phase{"finish", 3}};

// What the sort itself sees.
template <class Element>
auto rows_of(std::span<std::byte> memory) {
  if constexpr (IsPair<Element>) {
    using Member = typename Element::Key Element::*;
    static Member key = &Element::key;  // no constant, as sort() has been handed it
    using KeyOf = sorting::ProjectedKey<Element, Member>;
    return sorting::Rows<sizeof(Element), KeyOf>(memory.data(), {key, 0});
  } else {
    return sorting::Rows<sizeof(Element), sorting::WholeKeyOf<Element>>(memory.data(), {});
  }
}

// The array, scratch for as much, and the processors that everything is timed with.
template <class Element>
class Bench {
 public:
  using Records = decltype(rows_of<Element>({}));

  Bench(std::size_t size, int processors)
      : machine_({.processors = processors}),
        config_(sorting::config_for(machine_.topology())),
        home_(array_of<Element>(size)),
        scratch_((size + kSpare) * sizeof(Element)) {
    touch_pages(scratch_.memory());
  }

  std::size_t size() const noexcept { return home_.size(); }
  std::size_t processors() const noexcept {
    return static_cast<std::size_t>(machine_.processors());
  }
  const sorting::SortConfig& config() const noexcept { return config_; }
  Records home() const { return rows_of<Element>(std::as_writable_bytes(home_)); }
  Records away() const { return rows_of<Element>(scratch_.memory()); }

  void fill() { fill_cell(home_, Distribution::uniform, 0); }
  bool is_sorted() const { return std::is_sorted(home_.begin(), home_.end()); }

  /// Nanoseconds an element that the work of all processors takes.
  double timed(const std::function<void(Steps&)>& work) {
    sorting::Failure failure;
    double taken = 0;
    machine_.run([&](Processor& self) {
      Steps steps(sorting::Team(self), failure);
      self.barrier();
      const auto start = std::chrono::steady_clock::now();
      work(steps);
      self.barrier();
      if (self.id() == 0) taken = ns_since(start);
    });
    failure.rethrow();
    return taken;
  }

  double copy() {
    return timed([&](Steps& steps) {
      const Range own = steps.share(0, size());
      std::copy(home_.begin() + own.begin, home_.begin() + own.end,
                scratch_.template as<Element>().begin() + own.begin);
    });
  }

  double sort() {
    const SortOptions options{.scratch = scratch_.memory(), .machine = &machine_};
    const auto start = std::chrono::steady_clock::now();
    if constexpr (IsPair<Element>) {
      postroom::sort(home_, &Element::key, options);
    } else {
      postroom::sort(home_, options);
    }
    return ns_since(start);
  }

 private:
  // So many elements more: the sort's scratch begins on a line.
  static constexpr std::size_t kSpare = 64;

  double ns_since(std::chrono::steady_clock::time_point start) const {
    const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
    return taken.count() * 1e9 / static_cast<double>(size());
  }

  Machine machine_;
  sorting::SortConfig config_;
  std::span<Element> home_;
  PlacedBuffer scratch_;  // as the sort's own: in huge pages
};

template <class Key>
using Blocks = sorting::BlockSort<typename Bench<Key>::Records>;

// In the order of kBlockPhases.
template <class Key>
std::vector<double> time_phases(Bench<Key>& bench) {
  const std::function<void(double)> no_progress;
  Blocks<Key> sort(bench.home(), bench.away(), bench.size(), bench.size(), bench.processors(),
                   bench.config(), no_progress);
  return {bench.timed([&](Steps& steps) {
            if (sort.prepare(steps)) sort.split(steps);
          }),
          bench.timed([&](Steps& steps) { sort.exchange(steps); }),
          bench.timed([&](Steps& steps) { sort.gather(steps); }),
          bench.timed([&](Steps& steps) { sort.finish(steps); })};
}

// In the order of kBucketPhases.
template <IsPair Element>
std::vector<double> time_phases(Bench<Element>& bench) {
  const auto home = bench.home();
  const auto away = bench.away();
  const int bits = sorting::split_bits_for(bench.size(), bench.config());
  const sorting::Digit digit{static_cast<int>(sizeof(typename Element::Key)) * 8 - bits, bits};
  // A row of counts, then of places, for each processor.
  std::vector rows(bench.processors(), std::vector<std::size_t>(digit.values()));
  const double count = bench.timed([&](Steps& steps) {
    const Range own = steps.share(0, bench.size());
    sorting::count_digit(home, own.begin, own.end, digit, rows[steps.id()].data());
  });
  std::vector<std::size_t> bounds(1);  // of the buckets
  for (std::size_t place = 0, d = 0; d < digit.values(); ++d) {
    for (auto& row : rows) place += std::exchange(row[d], place);
    bounds.push_back(place);
  }
  const double place = bench.timed([&](Steps& steps) {
    const Range own = steps.share(0, bench.size());
    sorting::place<sorting::Prefetch::kNext>(home, own.begin, own.end, digit, away,
                                             rows[steps.id()].data());
  });
  std::atomic<std::size_t> claimed = 0;
  const double finish = bench.timed([&](Steps&) {
    sorting::Finisher finisher(home, away, bench.size(), bench.config());
    // Relaxed: only the number counts.
    const auto next = [&] { return claimed.fetch_add(1, std::memory_order_relaxed); };
    for (std::size_t b = next(); b + 1 < bounds.size(); b = next()) {
      if (bounds[b] < bounds[b + 1]) finisher.finish({bounds[b], bounds[b + 1], true});
    }
  });
  return {count, place, finish};
}

template <class Element>
Profile profile(Bench<Element>& bench) {
  std::vector<std::vector<double>> rounds;
  for (int round = 0; round < kRounds; ++round) {
    bench.fill();
    std::vector<double>& ns = rounds.emplace_back(1, bench.copy());
    std::ranges::copy(time_phases(bench), std::back_inserter(ns));
    if (!bench.is_sorted()) std::abort();
    bench.fill();
    ns.push_back(bench.sort());
  }
  Profile medians{static_cast<int>(bench.processors()), rounds[0]};
  for (std::size_t i = 0; i < medians.ns.size(); ++i) {
    std::ranges::sort(rounds, {}, [i](const auto& ns) { return ns[i]; });
    medians.ns[i] = rounds[kRounds / 2][i];
  }
  return medians;
}

void print(const char* type, std::span<const Phase> phases, const Profile& one,
           const Profile& all) {
  for (const Profile& measured : {one, all}) {
    fmt::print("{:<9}{:>4}{:>8.2f}", type, measured.processors, measured.copy());
    for (const double ns : measured.phases()) fmt::print("{:>10.2f}", ns);
    fmt::print("{:>8.2f}{:>8.2f}{:>11.1f}\n", measured.sum(), measured.sort(),
               measured.sort() / measured.copy());
  }
  for (const int processors : {all.processors, 16, 64}) {
    fmt::print(
        "{:<9}{:>4}  predicted: {:.2f} with the memory of this box, {:.2f} with one that "
        "grows with the processors\n",
        type, processors, predicted(phases, one, all, processors, all.copy()),
        predicted(phases, one, all, processors, one.copy() / processors));
  }
  std::fflush(stdout);
}

template <class Key>
bool goes_by_blocks(Bench<Key>& bench) {
  bench.fill();
  return Blocks<Key>::pays(bench.home(), bench.size(), bench.size(), bench.processors(),
                           bench.config());
}

template <class Element>
void measure(std::size_t size, std::span<const Phase> phases) {
  const char* const type = name_of_type<Element>();
  std::vector<Profile> profiles;
  for (const int processors : {1, 0}) {
    Bench<Element> bench(size, processors);
    if constexpr (!IsPair<Element>) {
      if (!goes_by_blocks(bench)) {
        return fmt::print("{:<9} is sorted in another way: too few, or no vectors for networks\n",
                          type);
      }
    }
    profiles.push_back(profile(bench));
  }
  print(type, phases, profiles[0], profiles[1]);
}

void print_head(std::span<const Phase> phases) {
  fmt::print("type        p    copy");
  for (const Phase& phase : phases) fmt::print("{:>10}", phase.name);
  fmt::print("     sum    sort  sort/copy\n");
}

}  // namespace
}  // namespace postroom::benchmarks

int main(int count, char** arguments) {
  using namespace postroom::benchmarks;
  const std::size_t size = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100'000'000;
  fmt::print("# ns an element, {} uniform keys, medians of {} rounds\n", size, kRounds);
  print_head(kBlockPhases);
  measure<std::uint32_t>(size, kBlockPhases);
  measure<std::uint64_t>(size, kBlockPhases);
  print_head(kBucketPhases);
  measure<Pair<std::uint32_t>>(size, kBucketPhases);
  measure<Pair<std::uint64_t>>(size, kBucketPhases);
}
