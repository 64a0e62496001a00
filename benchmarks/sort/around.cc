// What stands around the sort, beside what a user of the standard library would write instead, on
// one core and on all: merging, selecting, keys once, orders, several arrays, and elements that the
// engine does not move itself. Rows are named WHAT/N/WHO.
//
//   bazel run -c opt --config=native //benchmarks/sort:around
//   … -- --benchmark_filter='merge.*/1000000/'
//
// With OMP_WAIT_POLICY=passive: else threads of libgomp spin beside the rows that follow theirs.
//
// The counter ns_per_element is what to compare. Each call gets input that it has not seen, made
// and checked outside of the timed part.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <execution>
#include <memory>
#include <numeric>
#include <parallel/algorithm>
#include <random>
#include <span>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "sort/any_sort.h"
#include "sort/datasets.h"
#include "sort/is_sorted.h"
#include "sort/merge.h"
#include "sort/select.h"
#include "sort/sort.h"
#include "sort/sort_into.h"
#include "sort/unique.h"

namespace postroom::benchmarks {
namespace {

constexpr auto kPar = std::execution::par;
const SortOptions kOne{.processors = 1};
const SortOptions kAll{};

/// Registers WHAT/N/WHO for some numbers of elements. `make(n, seed)` gives an input, `work(input)`
/// is timed, `is_right(input)` says whether it did what it should.
template <class Make, class Work, class IsRight>
void add(const std::string& what, const std::string& who, Make make, Work work, IsRight is_right) {
  for (const std::size_t n : {std::size_t{10'000}, std::size_t{1'000'000}}) {
    const auto run = [=](benchmark::State& state) {
      double seconds = 0;
      std::uint64_t seed = 0;
      for (auto _ : state) {
        auto input = make(n, ++seed);
        const auto start = std::chrono::steady_clock::now();
        work(input);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
        state.SetIterationTime(taken.count());
        seconds += taken.count();
        if (!is_right(input)) return state.SkipWithError("wrong result");
      }
      state.counters["ns_per_element"] =
          seconds * 1e9 / (static_cast<double>(n) * static_cast<double>(state.iterations()));
    };
    benchmark::RegisterBenchmark((what + "/" + std::to_string(n) + "/" + who).c_str(), run)
        ->UseManualTime()
        ->Iterations(static_cast<std::int64_t>(std::max<std::size_t>(3'000'000 / n, 1)))
        ->Unit(benchmark::kMicrosecond);
  }
}

using Keys = std::vector<std::uint64_t>;

Keys uniform(std::size_t n, std::uint64_t seed) {
  Keys keys(n);
  fill(keys, Distribution::uniform, seed);
  return keys;
}

const auto kInOrder = [](const auto& input) { return std::ranges::is_sorted(input); };

// --- Rows in order.

struct Rows {
  std::vector<Keys> rows;
  Keys target;
};

template <std::size_t kRows>
Rows make_rows(std::size_t n, std::uint64_t seed) {
  Rows made{std::vector<Keys>(kRows), Keys(n)};
  for (std::size_t row = 0; row < kRows; ++row) {
    made.rows[row] = uniform(n / kRows, seed * kRows + row);
    std::ranges::sort(made.rows[row]);
  }
  made.target.resize(n / kRows * kRows);
  return made;
}

const auto kTargetInOrder = [](const Rows& rows) { return kInOrder(rows.target); };

template <std::size_t kRows>
void add_merges(const std::string& what) {
  const auto add_one = [&](const std::string& who, auto work) {
    add(what, who, make_rows<kRows>, work, kTargetInOrder);
  };
  add_one("postroom", [](Rows& r) { merge(r.rows, r.target, kAll); });
  add_one("postroom_one", [](Rows& r) { merge(r.rows, r.target, kOne); });
  const auto multiway = [](Rows& r, auto tag) {
    std::vector<std::pair<Keys::iterator, Keys::iterator>> ends;
    for (Keys& row : r.rows) ends.emplace_back(row.begin(), row.end());
    __gnu_parallel::stable_multiway_merge(ends.begin(), ends.end(), r.target.begin(),
                                          static_cast<std::ptrdiff_t>(r.target.size()),
                                          std::less<std::uint64_t>(), tag);
  };
  add_one("gnu", [=](Rows& r) { multiway(r, __gnu_parallel::parallel_tag()); });
  add_one("gnu_one", [=](Rows& r) { multiway(r, __gnu_parallel::sequential_tag()); });
  if constexpr (kRows == 2) {
    add_one("std", [](Rows& r) { std::ranges::merge(r.rows[0], r.rows[1], r.target.begin()); });
    add_one("std_par", [](Rows& r) {
      std::merge(kPar, r.rows[0].begin(), r.rows[0].end(), r.rows[1].begin(), r.rows[1].end(),
                 r.target.begin());
    });
  }
}

// --- Some of the order.

void add_selections() {
  const auto is_parted = [](const Keys& keys) {
    const auto nth = keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
    return std::all_of(keys.begin(), nth, [&](auto key) { return key <= *nth; }) &&
           std::all_of(nth, keys.end(), [&](auto key) { return key >= *nth; });
  };
  const auto add_nth = [&](const std::string& who, auto work) {
    add("nth_element", who, uniform, work, is_parted);
  };
  const auto middle = [](Keys& keys) {
    return keys.begin() + static_cast<std::ptrdiff_t>(keys.size() / 2);
  };
  add_nth("postroom", [](Keys& keys) { nth_element(keys, keys.size() / 2, kAll); });
  add_nth("postroom_one", [](Keys& keys) { nth_element(keys, keys.size() / 2, kOne); });
  add_nth("std", [=](Keys& keys) { std::nth_element(keys.begin(), middle(keys), keys.end()); });
  add_nth("std_par",
          [=](Keys& keys) { std::nth_element(kPar, keys.begin(), middle(keys), keys.end()); });
  add_nth("gnu",
          [=](Keys& keys) { __gnu_parallel::nth_element(keys.begin(), middle(keys), keys.end()); });

  struct Top {
    Keys keys;
    Keys top;
  };
  const auto make = [](std::size_t n, std::uint64_t seed) { return Top{uniform(n, seed), {}}; };
  for (const std::size_t part : {1000, 10}) {
    const auto add_top = [&](const std::string& who, auto work) {
      const auto is_top = [](const Top& top) { return kInOrder(top.top); };
      add("top_" + std::to_string(part) + "th", who, make, work, is_top);
    };
    add_top("postroom", [=](Top& t) { t.top = top_k(t.keys, t.keys.size() / part, kAll); });
    add_top("postroom_one", [=](Top& t) { t.top = top_k(t.keys, t.keys.size() / part, kOne); });
    add_top("std", [=](Top& t) {
      t.top.resize(t.keys.size() / part);
      std::ranges::partial_sort_copy(t.keys, t.top);
    });
    add_top("std_nth", [=](Top& t) {
      t.top = t.keys;
      const auto last = t.top.begin() + static_cast<std::ptrdiff_t>(t.keys.size() / part);
      std::nth_element(t.top.begin(), last, t.top.end());
      std::sort(t.top.begin(), last);
      t.top.erase(last, t.top.end());
    });
  }

  const auto make_sorted = [](std::size_t n, std::uint64_t seed) {
    Keys keys = uniform(n, seed);
    std::ranges::sort(keys);
    return std::pair(std::move(keys), false);
  };
  using Checked = std::pair<Keys, bool>;
  const auto add_check = [&](const std::string& who, auto work) {
    add("is_sorted", who, make_sorted, work, [](const Checked& c) { return c.second; });
  };
  add_check("postroom", [](Checked& c) { c.second = postroom::is_sorted(c.first, kAll); });
  add_check("postroom_one", [](Checked& c) { c.second = postroom::is_sorted(c.first, kOne); });
  add_check("std", [](Checked& c) { c.second = std::ranges::is_sorted(c.first); });
  add_check("std_par",
            [](Checked& c) { c.second = std::is_sorted(kPar, c.first.begin(), c.first.end()); });
}

// --- Each key once.

void add_unique() {
  for (const Distribution distribution : {Distribution::uniform, Distribution::zipf}) {
    const auto make = [=](std::size_t n, std::uint64_t seed) {
      Keys keys(n);
      fill(keys, distribution, seed);
      return keys;
    };
    const auto add_one = [&](const std::string& who, auto work) {
      add("sort_unique_" + to_string(distribution), who, make, work, kInOrder);
    };
    const auto erase = [](Keys& keys, auto rest) { keys.erase(rest.begin(), rest.end()); };
    add_one("postroom", [=](Keys& keys) { erase(keys, sort_unique(keys, kAll)); });
    add_one("postroom_one", [=](Keys& keys) { erase(keys, sort_unique(keys, kOne)); });
    add_one("std", [=](Keys& keys) {
      std::ranges::sort(keys);
      erase(keys, std::ranges::unique(keys));
    });
    add_one("std_par", [](Keys& keys) {
      std::sort(kPar, keys.begin(), keys.end());
      keys.erase(std::unique(kPar, keys.begin(), keys.end()), keys.end());
    });
    struct Counted {
      Keys keys;
      std::vector<KeyCount<std::uint64_t>> counts;
    };
    const auto add_counts = [&](const std::string& who, auto work) {
      add(
          "unique_counts_" + to_string(distribution), who,
          [=](std::size_t n, std::uint64_t seed) {
            return Counted{make(n, seed), {}};
          },
          work,
          [](const Counted& c) {
            return std::ranges::is_sorted(c.counts, {}, &KeyCount<std::uint64_t>::key);
          });
    };
    add_counts("postroom", [](Counted& c) { c.counts = unique_counts(c.keys, kAll); });
    add_counts("postroom_one", [](Counted& c) { c.counts = unique_counts(c.keys, kOne); });
    const auto counts_by_std = [](Counted& c, auto sort_keys) {
      Keys keys = c.keys;
      sort_keys(keys);
      for (auto at = keys.begin(); at != keys.end();) {
        const auto next = std::find_if(at, keys.end(), [&](auto key) { return key != *at; });
        c.counts.push_back({*at, static_cast<std::size_t>(next - at)});
        at = next;
      }
    };
    add_counts("std", [=](Counted& c) { counts_by_std(c, std::ranges::sort); });
    add_counts("std_par", [=](Counted& c) {
      counts_by_std(c, [](Keys& keys) { std::sort(kPar, keys.begin(), keys.end()); });
    });
  }
}

// --- Orders, several arrays.

void add_orders() {
  struct Ordered {
    Keys keys;
    std::vector<std::uint32_t> small;
    std::vector<std::size_t> order;
  };
  const auto make = [](std::size_t n, std::uint64_t seed) {
    return Ordered{uniform(n, seed), {}, {}};
  };
  const auto add_order = [&](const std::string& who, auto work) {
    add("argsort", who, make, work, [](const Ordered& o) {
      const auto by = [&](std::size_t i) { return o.keys[i]; };
      return o.order.empty() ? std::ranges::is_sorted(o.small, {}, by)
                             : std::ranges::is_sorted(o.order, {}, by);
    });
  };
  const auto by_std = [](Ordered& o, auto sort_by) {
    o.order.resize(o.keys.size());
    std::iota(o.order.begin(), o.order.end(), std::size_t{0});
    sort_by(o.order, [&](std::size_t a, std::size_t b) { return o.keys[a] < o.keys[b]; });
  };
  add_order("postroom", [](Ordered& o) { o.order = argsort(o.keys, kAll); });
  add_order("postroom_one", [](Ordered& o) { o.order = argsort(o.keys, kOne); });
  add_order("postroom_32", [](Ordered& o) { o.small = argsort<std::uint32_t>(o.keys, kAll); });
  add_order("postroom_32_one", [](Ordered& o) { o.small = argsort<std::uint32_t>(o.keys, kOne); });
  add_order("std", [=](Ordered& o) {
    by_std(o, [](auto& order, auto less) { std::stable_sort(order.begin(), order.end(), less); });
  });
  add_order("std_par", [=](Ordered& o) {
    by_std(o, [](auto& order, auto less) {
      std::stable_sort(kPar, order.begin(), order.end(), less);
    });
  });

  struct Arrays {
    Keys keys;
    std::vector<float> prices;
    std::vector<std::uint32_t> ages;
  };
  const auto make_arrays = [](std::size_t n, std::uint64_t seed) {
    return Arrays{uniform(n, seed), std::vector<float>(n, 1), std::vector<std::uint32_t>(n, 2)};
  };
  const auto add_arrays = [&](const std::string& who, auto work) {
    add("sort_by_key_2", who, make_arrays, work, [](const Arrays& a) { return kInOrder(a.keys); });
  };
  const auto arrays_by_std = [](Arrays& a, auto sort_by) {
    struct Row {
      std::uint64_t key;
      float price;
      std::uint32_t age;
    };
    std::vector<Row> rows(a.keys.size());
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = {a.keys[i], a.prices[i], a.ages[i]};
    sort_by(rows, [](const Row& x, const Row& y) { return x.key < y.key; });
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::tie(a.keys[i], a.prices[i], a.ages[i]) =
          std::tie(rows[i].key, rows[i].price, rows[i].age);
    }
  };
  add_arrays("postroom", [](Arrays& a) { sort_by_key(a.keys, std::tie(a.prices, a.ages), kAll); });
  add_arrays("postroom_one",
             [](Arrays& a) { sort_by_key(a.keys, std::tie(a.prices, a.ages), kOne); });
  add_arrays("std", [=](Arrays& a) {
    arrays_by_std(a,
                  [](auto& rows, auto less) { std::stable_sort(rows.begin(), rows.end(), less); });
  });
  add_arrays("std_par", [=](Arrays& a) {
    arrays_by_std(
        a, [](auto& rows, auto less) { std::stable_sort(kPar, rows.begin(), rows.end(), less); });
  });

  struct Copied {
    Keys keys;
    Keys sorted;
  };
  const auto make_copied = [](std::size_t n, std::uint64_t seed) {
    return Copied{uniform(n, seed), Keys(n)};
  };
  const auto add_into = [&](const std::string& who, auto work) {
    add("sort_into", who, make_copied, work, [](const Copied& c) { return kInOrder(c.sorted); });
  };
  add_into("postroom", [](Copied& c) { sort_into(c.keys, c.sorted, kAll); });
  add_into("postroom_one", [](Copied& c) { sort_into(c.keys, c.sorted, kOne); });
  add_into("std_par", [](Copied& c) {
    std::copy(kPar, c.keys.begin(), c.keys.end(), c.sorted.begin());
    std::sort(kPar, c.sorted.begin(), c.sorted.end());
  });
}

// --- Elements that the engine does not move itself.

/// Elements in the order of key(element).
template <class Make, class Key>
void add_elements(const std::string& what, Make make, Key key) {
  const auto is_right = [=](const auto& elements) {
    return std::ranges::is_sorted(elements, {}, key);
  };
  const auto add_one = [&](const std::string& who, auto work) {
    add(what, who, make, work, is_right);
  };
  const auto less = [=](const auto& a, const auto& b) { return key(a) < key(b); };
  add_one("postroom", [=](auto& elements) { sort(elements, key, kAll); });
  add_one("postroom_one", [=](auto& elements) { sort(elements, key, kOne); });
  add_one("std", [=](auto& elements) { std::stable_sort(elements.begin(), elements.end(), less); });
  add_one("std_par",
          [=](auto& elements) { std::stable_sort(kPar, elements.begin(), elements.end(), less); });
}

template <std::size_t kBytes>
struct Record {
  std::uint64_t key;
  std::array<std::byte, kBytes - sizeof(std::uint64_t)> rest;
};

template <std::size_t kBytes>
void add_records() {
  const auto make = [](std::size_t n, std::uint64_t seed) {
    std::vector<Record<kBytes>> records(n);
    std::mt19937_64 random(seed);
    for (auto& record : records) record.key = random();
    return records;
  };
  add_elements("records_of_" + std::to_string(kBytes), make,
               [](const Record<kBytes>& record) { return record.key; });
}

void add_all_elements() {
  add_records<32>();
  add_records<64>();
  add_records<128>();
  add_records<256>();
  const auto words = [](std::size_t n, std::uint64_t seed) {
    std::vector<std::string> made(n);
    std::mt19937_64 random(seed);
    for (std::string& word : made) {
      word.resize(4 + random() % 12);
      for (char& letter : word) letter = static_cast<char>('a' + random() % 26);
    }
    return made;
  };
  // The standard library's compares strings, which is as good: none is longer than its prefix.
  const auto by_prefix = [](const std::string& word) { return StringPrefix<16>(word); };
  add_elements("strings", words, by_prefix);
  const auto pointers = [](std::size_t n, std::uint64_t seed) {
    std::vector<std::unique_ptr<std::uint64_t>> made(n);
    std::mt19937_64 random(seed);
    for (auto& each : made) each = std::make_unique<std::uint64_t>(random());
    return made;
  };
  add_elements("unique_ptr", pointers,
               [](const std::unique_ptr<std::uint64_t>& each) { return *each; });
  using Pair = std::pair<std::uint64_t, std::uint64_t>;
  const auto pairs = [](std::size_t n, std::uint64_t seed) {
    std::vector<Pair> made(n);
    std::mt19937_64 random(seed);
    for (Pair& pair : made) pair = {random() % n, random()};
    return made;
  };
  add_elements("pairs_by_both", pairs, [](const Pair& pair) { return pair; });
  using Wide = sorting::Unsigned128;
  const auto wide = [](std::size_t n, std::uint64_t seed) {
    std::vector<Wide> made(n);
    std::mt19937_64 random(seed);
    for (auto& key : made) key = static_cast<Wide>(random()) << 64 | random();
    return made;
  };
  add_elements("128_bits", wide, [](Wide key) { return key; });
  const auto deque = [](std::size_t n, std::uint64_t seed) {
    const Keys keys = uniform(n, seed);
    return std::deque<std::uint64_t>(keys.begin(), keys.end());
  };
  add_elements("deque", deque, [](std::uint64_t key) { return key; });
}

// Threads are started once for a program, ours and oneTBB's.
void start_threads() {
  Keys keys = uniform(1'000'000, 1);
  sort(keys, kAll);
  keys = uniform(1'000'000, 2);
  std::sort(kPar, keys.begin(), keys.end());
}

const bool kAdded = [] {
  start_threads();
  add_merges<2>("merge_2_rows");
  add_merges<16>("merge_16_rows");
  add_selections();
  add_unique();
  add_orders();
  add_all_elements();
  return true;
}();

}  // namespace
}  // namespace postroom::benchmarks
