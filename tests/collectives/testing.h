// What the tests of the collectives share: the grid, machines that are made once, and data that
// tells where each element came from.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "collectives/algorithm.h"
#include "runtime/machine.h"
#include "runtime/processor.h"
#include "tests/thrown.h"

namespace postroom {

/// How many processors: one, primes, powers of two and their neighbours.
inline constexpr int kCounts[] = {1, 2, 3, 4, 5, 7, 8, 13, 16, 33};
/// How many elements in a block: none, one, a prime, powers of two and their neighbours; fewer of
/// them on many processors. Some fit into a mailbox, some do not.
inline std::vector<std::size_t> sizes_for(int processors) {
  if (processors > 8) return {0, 1, 5, 31, 65};
  return {0, 1, 3, 4, 5, 31, 63, 65, 257};
}

/// A machine of so many processors, made when first asked for and kept.
Machine& machine_of(int processors);
/// The same with a thread for each processor, however few the cores are.
Machine& threaded_machine_of(int processors);
/// The same on one thread, which all processors share.
Machine& one_thread_machine_of(int processors);
/// The same with a trace, on a box of one node whatever this machine is, so that what a trace
/// counts is the same everywhere.
Machine& tracing_machine_of(int processors);

/// Calls test(machine) for each of kCounts, and for some of them once more with a thread for each
/// processor, or on one thread.
inline void for_each_machine(const std::function<void(Machine&)>& test) {
  for (const int processors : kCounts) {
    SCOPED_TRACE("p = " + std::to_string(processors));
    test(machine_of(processors));
    if (processors == 4 || processors == 7) test(threaded_machine_of(processors));
    if (processors == 3 || processors == 8) test(one_thread_machine_of(processors));
  }
}

/// The same for Algorithm::automatic and each of `algorithms`.
inline void for_each_machine(std::span<const Algorithm> algorithms,
                             const std::function<void(Machine&, Algorithm)>& test) {
  for_each_machine([&](Machine& machine) {
    test(machine, Algorithm::automatic);
    for (const Algorithm algorithm : algorithms) test(machine, algorithm);
  });
}

/// An element that is like no other: the `index`-th that `source` has for `target`.
inline std::int64_t element(int source, int target, std::size_t index) {
  return (source + 1) * 1'000'000'000LL + target * 1'000'000LL + static_cast<std::int64_t>(index);
}
inline std::vector<std::int64_t> elements(int source, int target, std::size_t count) {
  std::vector<std::int64_t> list(count);
  for (std::size_t i = 0; i < count; ++i) list[i] = element(source, target, i);
  return list;
}
/// The blocks of all sources, each as elements(source, 0, count).
inline std::vector<std::int64_t> elements_of_all(int processors, std::size_t count) {
  std::vector<std::int64_t> list;
  for (int source = 0; source < processors; ++source) {
    for (std::size_t i = 0; i < count; ++i) list.push_back(element(source, 0, i));
  }
  return list;
}
/// A list that no collective leaves behind.
inline std::vector<std::int64_t> unset(std::size_t count) {
  return std::vector<std::int64_t>(count, -1);
}

/// Calls `call`, by `algorithm`. Returns whether it was made: what is for processors that share
/// threads may be refused by others, and with lists that are too large for it.
bool runs(const Algorithm& algorithm, const std::function<void()>& call);

/// Expects that `call` is refused because it is not by all processors of a machine that share
/// threads and keep no record.
void expect_shared_threads_needed(const std::function<void()>& call);

/// A word of up to 47 letters; joining is associative and does not commute.
struct Word {
  std::uint8_t length = 0;
  char letters[47] = {};

  friend bool operator==(const Word&, const Word&) = default;
};
Word word(char letter);
Word join(const Word& a, const Word& b);
/// The i-th element of the list of processor `source`; differs between neighbours.
Word word_of(int source, std::size_t index);
std::vector<Word> words_of(int source, std::size_t count);
/// What joining the lists of the processors first … last-1 gives.
std::vector<Word> joined(int first, int last, std::size_t count);
void PrintTo(const Word& word, std::ostream* out);

}  // namespace postroom
