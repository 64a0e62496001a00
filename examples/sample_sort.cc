// A sort of one's own out of collectives: each processor has some numbers, and afterwards the least
// of all are on processor 0, the next ones on processor 1, and so on. How even the shares are is
// checked against what is known of this sort.
//
//   bazel run //examples:sample_sort
//
// Source: Shi and Schaeffer, "Parallel Sorting by Regular Sampling" (1992).
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <iostream>
#include <limits>
#include <numeric>
#include <random>
#include <span>
#include <stdexcept>
#include <vector>

#include "collectives/allgather.h"
#include "collectives/allreduce.h"
#include "collectives/alltoallv.h"
#include "collectives/scan.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "sort/merge.h"
#include "sort/sort.h"

using namespace postroom;

using Number = std::uint64_t;

/// How many of `sorted` go to each of p processors. What p² samples of all show to be fair is.
std::vector<std::size_t> fair_counts(Processor& self, const std::vector<Number>& sorted) {
  const auto p = static_cast<std::size_t>(self.count());
  std::vector<Number> own_samples(p);
  for (std::size_t i = 0; i < p; ++i) own_samples[i] = sorted[sorted.size() * i / p];
  std::vector<Number> samples(p * p);
  allgather(self, own_samples, samples);
  sort(samples);
  std::vector<std::size_t> counts(p);
  auto begin = sorted.begin();
  for (std::size_t i = 0; i < p; ++i) {
    const auto end =
        i + 1 < p ? std::lower_bound(begin, sorted.end(), samples[(i + 1) * p]) : sorted.end();
    counts[i] = static_cast<std::size_t>(end - begin);
    begin = end;
  }
  return counts;
}

/// Of `mine`, at least p numbers on each of p processors.
std::vector<Number> sample_sort(Processor& self, std::vector<Number> mine) {
  sort(mine);
  const auto [received, row_sizes] = alltoallv(self, mine, fair_counts(self, mine));

  std::vector<std::span<const Number>> rows;  // one from each processor, in order
  std::span<const Number> rest = received;
  for (const std::size_t size : row_sizes) {
    rows.push_back(rest.first(size));
    rest = rest.subspan(size);
  }
  std::vector<Number> sorted(received.size());
  merge(rows, sorted);
  return sorted;
}

int main() try {
  constexpr int kProcessors = 16;
  constexpr std::size_t kEach = 50'000;
  std::size_t largest = 0;
  Machine machine({.processors = kProcessors});  // where there are fewer cores, they take turns
  machine.run([&](Processor& self) {
    std::mt19937_64 random(static_cast<Number>(self.id()));
    std::vector<Number> numbers(kEach);
    for (Number& number : numbers) number = random();
    const Number sum = allreduce(self, std::reduce(numbers.begin(), numbers.end()), std::plus<>());

    const std::vector<Number> sorted = sample_sort(self, numbers);

    constexpr Number kNone = 0;  // below all: where there is nobody, or nothing
    const Number last = sorted.empty() ? kNone : sorted.back();
    const Number before = exscan(self, last, Maximum(), kNone);
    if (!std::is_sorted(sorted.begin(), sorted.end()) ||
        (!sorted.empty() && sorted.front() < before)) {
      throw std::logic_error("the numbers are not in order");
    }
    if (allreduce(self, std::reduce(sorted.begin(), sorted.end()), std::plus<>()) != sum) {
      throw std::logic_error("they are other numbers");
    }
    const Number most = allreduce(self, Number{sorted.size()}, Maximum());
    if (self.id() == 0) largest = most;
  });
  if (largest > 2 * kEach) throw std::logic_error("a share is more than twice a fair one");
  std::cout << kProcessors << " processors, " << kEach << " numbers each: in order, and nobody has "
            << "more than " << largest << '\n';
} catch (const std::exception& error) {
  std::cerr << "sample_sort: " << error.what() << '\n';
  return 2;
}
