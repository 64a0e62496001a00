// Where the time of a sort goes: its three phases one by one, beside a copy of the array.
//
//   bazel run -c opt --config=native //benchmarks/sort:phases -- 100000000
//
// The phases are those of sort/engine.h on uniform keys, made from the engine's own pieces with a
// barrier between them: count the digits, place the records by them, finish the buckets. `sort` is
// the whole front door on the same keys, with the scratch handed in. Nanoseconds an element,
// medians of the rounds, for one processor and for as many as the box gives; and from the phases of
// one, what more processors would take (docs/sort.md).
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
#include <numeric>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/sort/cells.h"
#include "numa/memory.h"
#include "runtime/machine.h"
#include "sort/config.h"
#include "sort/count.h"
#include "sort/digit.h"
#include "sort/finish.h"
#include "sort/keys.h"
#include "sort/layout.h"
#include "sort/place.h"
#include "sort/sort.h"
#include "sort/team.h"

namespace postroom::benchmarks {
namespace {

using sorting::Range;

constexpr int kRounds = 5;
constexpr std::array kPhases{"copy", "count", "place", "finish", "sort"};
// How often a phase moves the records between a cache and the memory. A line that is written has
// been read first.
constexpr std::array kMoves{3, 1, 3, 3};

template <class Element>
struct KeyOf {
  using Bits = typename Element::Key;
  static constexpr bool kWholeRecord = false;

  Bits operator()(const std::byte* record) const {
    return reinterpret_cast<const Element*>(record)->key;
  }
};

template <class Element>
auto rows_of(std::span<Element> elements) {
  std::byte* const data = std::as_writable_bytes(elements).data();
  if constexpr (IsPair<Element>) {
    return sorting::Rows<sizeof(Element), KeyOf<Element>>(data, {});
  } else {
    return sorting::Rows<sizeof(Element), sorting::WholeKeyOf<Element>>(data, {});
  }
}

// The phases on the processors of one machine.
template <class Element>
class Phases {
 public:
  /// So many elements behind `away` are used as well: the scratch begins on a line.
  static constexpr std::size_t kSpare = 64;

  Phases(Machine& machine, std::span<Element> home, std::span<Element> away)
      : machine_(machine),
        config_(config_for(machine.topology())),
        home_(home),
        away_(away),
        home_rows_(rows_of(home)),
        away_rows_(rows_of(away)),
        processors_(static_cast<std::size_t>(machine.processors())),
        digit_(top_digit(split_bits_for(home.size(), config_))),
        rows_(processors_, std::vector<std::size_t>(digit_.values())) {}

  /// Nanoseconds an element of each phase, in the order of kPhases.
  std::array<double, kPhases.size()> round() {
    fill_cell(home_, Distribution::kUniform, 0);
    const double copy = timed([&](Range own, std::size_t) {
      std::copy(home_.begin() + own.begin, home_.begin() + own.end, away_.begin() + own.begin);
    });
    const double count = timed([&](Range own, std::size_t id) {
      std::ranges::fill(rows_[id], 0);
      count_digit(home_rows_, own.begin, own.end, digit_, rows_[id].data());
    });
    find_places();
    const double place = timed([&](Range own, std::size_t id) {
      sorting::place<sorting::Prefetch::kYes>(home_rows_, own.begin, own.end, digit_, away_rows_,
                                              rows_[id].data());
    });
    std::atomic<std::size_t> claimed = 0;
    const double finish = timed([&](Range, std::size_t) {
      sorting::Finisher finisher(home_rows_, away_rows_, home_.size(), config_);
      // Relaxed: only the number counts.
      const auto next = [&] { return claimed.fetch_add(1, std::memory_order_relaxed); };
      for (std::size_t b = next(); b + 1 < bounds_.size(); b = next()) {
        if (bounds_[b] < bounds_[b + 1]) finisher.finish({bounds_[b], bounds_[b + 1], true});
      }
    });
    if (!std::is_sorted(home_.begin(), home_.end())) std::abort();
    return {copy, count, place, finish, sort_all()};
  }

 private:
  using KeyBits = typename decltype(rows_of(std::span<Element>()))::Bits;

  static sorting::Digit top_digit(int bits) {
    return {static_cast<int>(sizeof(KeyBits)) * 8 - bits, bits};
  }

  double ns(std::chrono::duration<double> taken) const {
    return taken.count() * 1e9 / static_cast<double>(home_.size());
  }

  // The work of all processors, each on its share.
  double timed(const std::function<void(Range, std::size_t)>& work) {
    double result = 0;
    machine_.run([&](Processor& self) {
      const auto id = static_cast<std::size_t>(self.id());
      self.barrier();
      const auto start = std::chrono::steady_clock::now();
      work(sorting::share_of({0, home_.size()}, id, processors_), id);
      self.barrier();
      if (id == 0) result = ns(std::chrono::steady_clock::now() - start);
    });
    return result;
  }

  void find_places() {
    bounds_.assign(1, 0);
    std::size_t place = 0;
    for (std::size_t d = 0; d < digit_.values(); ++d) {
      for (auto& row : rows_) place += std::exchange(row[d], place);
      bounds_.push_back(place);
    }
  }

  double sort_all() {
    fill_cell(home_, Distribution::kUniform, 0);
    const SortOptions options{.scratch = std::as_writable_bytes(scratch()), .machine = &machine_};
    const auto start = std::chrono::steady_clock::now();
    if constexpr (IsPair<Element>) {
      sort(home_, &Element::key, options);
    } else {
      sort(home_, options);
    }
    return ns(std::chrono::steady_clock::now() - start);
  }

  std::span<Element> scratch() const { return {away_.data(), away_.size() + kSpare}; }

  Machine& machine_;
  SortConfig config_;
  std::span<Element> home_;
  std::span<Element> away_;
  decltype(rows_of(std::span<Element>())) home_rows_;
  decltype(rows_of(std::span<Element>())) away_rows_;
  std::size_t processors_;
  sorting::Digit digit_;
  std::vector<std::vector<std::size_t>> rows_;  // a row of counts, then of places, a processor
  std::vector<std::size_t> bounds_;             // of the buckets
};

// The medians of the rounds.
struct Profile {
  int processors = 0;
  std::array<double, kPhases.size()> ns{};

  double copy() const { return ns[0]; }
  double sort() const { return ns[kPhases.size() - 1]; }
  double sum() const { return std::accumulate(ns.begin() + 1, ns.end() - 1, 0.0); }
};

template <class Element>
Profile profile(std::size_t size, int processors) {
  Machine machine({.processors = processors});
  // As the sort's own scratch: in huge pages.
  PlacedBuffer away((size + Phases<Element>::kSpare) * sizeof(Element));
  touch_pages(away.memory());
  Phases<Element> phases(machine, array_of<Element>(size), away.as<Element>().first(size));
  std::array<std::vector<double>, kPhases.size()> times;
  for (int round = 0; round < kRounds; ++round) {
    const auto one = phases.round();
    for (std::size_t i = 0; i < one.size(); ++i) times[i].push_back(one[i]);
  }
  Profile result{machine.processors(), {}};
  for (std::size_t i = 0; i < times.size(); ++i) {
    std::ranges::sort(times[i]);
    result.ns[i] = times[i][kRounds / 2];
  }
  return result;
}

// What the phases take on so many processors of a box where a copy takes `copy`: each phase as long
// as its part of the work of one processor, or as moving its bytes, whichever is longer.
double predicted(const Profile& one, int processors, double copy) {
  double sum = 0;
  for (std::size_t i = 1; i + 1 < kPhases.size(); ++i) {
    sum += std::max(one.ns[i] / processors, copy * kMoves[i] / kMoves[0]);
  }
  return sum;
}

template <class Element>
void print(std::size_t size) {
  const Profile one = profile<Element>(size, 1);
  const Profile all = profile<Element>(size, 0);
  for (const Profile& measured : {one, all}) {
    fmt::print("{:<9}{:>4}", name_of_type<Element>(), measured.processors);
    for (std::size_t i = 0; i + 1 < kPhases.size(); ++i) fmt::print("{:>8.2f}", measured.ns[i]);
    fmt::print("{:>8.2f}{:>8.2f}{:>11.1f}\n", measured.sum(), measured.sort(),
               measured.sort() / measured.copy());
  }
  for (const int processors : {all.processors, 16, 64}) {
    fmt::print(
        "{:<9}{:>4}  predicted: {:.2f} with the memory of this box, {:.2f} with one that "
        "grows with the processors\n",
        name_of_type<Element>(), processors, predicted(one, processors, all.copy()),
        predicted(one, processors, one.copy() / processors));
  }
  std::fflush(stdout);
}

}  // namespace
}  // namespace postroom::benchmarks

int main(int count, char** arguments) {
  using namespace postroom::benchmarks;
  const std::size_t size = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 100'000'000;
  fmt::print("# ns an element, {} uniform keys, medians of {} rounds\n", size, kRounds);
  fmt::print("type        p    copy   count   place  finish     sum    sort  sort/copy\n");
  print<std::uint32_t>(size);
  print<std::uint64_t>(size);
  print<Pair<std::uint32_t>>(size);
  print<Pair<std::uint64_t>>(size);
}
