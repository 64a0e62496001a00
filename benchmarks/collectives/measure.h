// How a cell is timed, the same for all competitors.
//
// As many processors as cores: before each call every processor rewrites its data, all pass two
// barriers, each with the competitor's own (who slept in the first one is awake in the second), and
// then wait for one moment on the clock that they share; the time of the call is from that moment
// until the last processor is through. Calls that did not begin at the same moment everywhere do
// not count; of the others the median does. (Nobody gains from leaving the barrier first, a root
// does not run ahead of the others, and no barrier is in the time.)
//
// More processors than cores: spinning until a moment would keep the others from running. There,
// after a barrier, some calls follow each other, rewriting included; the time is from when the
// first processor has left that barrier until the last is through, divided by the number of calls.
// No barrier is at the end of it, so a slow one burdens nobody's calls.
//
// Every result is compared with what it must be, outside of the timed part (with more processors
// than cores: that of the last call).
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sstream>
#include <string>
#include <vector>

#include "benchmarks/collectives/cells.h"
#include "benchmarks/collectives/turns.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace postroom::benchmarks {

/// A clock that all cores share; reading it takes 10 to 30 ns. Without the fences a CPU would read
/// it while the load that ends a wait is still under way, and a call seem to end before the news
/// was there.
inline std::int64_t ticks() {
#if defined(__x86_64__)
  _mm_lfence();
  const auto now = static_cast<std::int64_t>(__rdtsc());
  _mm_lfence();
  return now;
#else
  return std::chrono::steady_clock::now().time_since_epoch().count();
#endif
}

inline double measured_ticks_per_ns() {
  using Clock = std::chrono::steady_clock;
  const auto start = Clock::now();
  const std::int64_t first = ticks();
  while (Clock::now() - start < std::chrono::milliseconds(20)) {
  }
  const std::int64_t last = ticks();
  const std::chrono::duration<double, std::nano> taken = Clock::now() - start;
  return static_cast<double>(last - first) / taken.count();
}

/// Measured once in a process.
inline double ticks_per_ns() {
  static const double value = measured_ticks_per_ns();
  return value;
}

/// What to measure, from the command line: --operations=bcast,reduce --bytes=8,4096 --shared
/// --ring-bytes=67108864; or --turns=PIPES --turn-seconds=5: what its pipe says (turns.h)
struct Selection {
  std::vector<std::string> operations;  // empty: all
  std::vector<std::size_t> bytes;       // empty: all
  bool shared_cores = false;            // more processors than cores
  std::size_t ring_bytes = 0;           // of lists that take turns
  std::string turns;                    // the name of the pipes
  unsigned turn_seconds = 5;

  static std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> parts;
    std::istringstream stream(text);
    for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
    return parts;
  }
  /// Takes `argument` if it is one of the above.
  bool take(const std::string& argument) {
    const auto value_of = [&](const std::string& name) {
      return argument.starts_with(name) ? argument.substr(name.size()) : std::string();
    };
    if (const std::string list = value_of("--operations="); !list.empty()) {
      operations = split(list);
    } else if (const std::string sizes = value_of("--bytes="); !sizes.empty()) {
      for (const std::string& size : split(sizes)) bytes.push_back(std::stoull(size));
    } else if (const std::string ring = value_of("--ring-bytes="); !ring.empty()) {
      ring_bytes = std::stoull(ring);
    } else if (const std::string pipes = value_of("--turns="); !pipes.empty()) {
      turns = pipes;
    } else if (const std::string seconds = value_of("--turn-seconds="); !seconds.empty()) {
      turn_seconds = static_cast<unsigned>(std::stoul(seconds));
    } else if (argument == "--shared") {
      shared_cores = true;
    } else {
      return false;
    }
    return true;
  }
  bool has(std::string_view operation) const {
    return operations.empty() || std::ranges::find(operations, operation) != operations.end();
  }
  std::vector<std::size_t> sizes() const {
    if (!bytes.empty()) return bytes;
    return {std::begin(kBlockBytes), std::end(kBlockBytes)};
  }
};

class Measurement {
 public:
  Measurement(Peer& peer, const Selection& selection)
      : peer_(peer), selection_(selection), ticks_per_ns_(ticks_per_ns()) {
    peer_.barrier();  // on a shared core, the others have yet to measure their clock
  }

  /// What is selected. Prints a line for each cell on processor 0:
  /// operation bytes median-ns tenth-ns ninetieth-ns.
  void run() {
    for (const auto& [operation, name] : kOperations) {
      if (!selection_.has(name)) continue;
      if (!has_sizes(operation)) {
        measure(operation, name, 0);
        continue;
      }
      for (const std::size_t bytes : selection_.sizes()) measure(operation, name, bytes);
    }
  }

  /// One turn: a quarter of the calls, and one line from processor 0 whatever happens.
  void take(const Turns::Turn& turn) {
    for (const auto& [operation, name] : kOperations) {
      if (name == turn.operation) return measure(operation, name, turn.bytes);
    }
    if (peer_.id() == 0) std::printf("%s is no operation\n", turn.operation.c_str());
    std::fflush(stdout);
  }

 private:
  // Some microseconds of ticks, for calls that take long some hundreds: nearly always, all leave
  // the barrier in the same one.
  static std::int64_t moment_for(std::size_t bytes) { return bytes < 65536 ? 1 << 14 : 1 << 18; }

  // How many calls are measured; on shared cores in so many parts, for so long at most.
  int calls_for(std::size_t bytes) const {
    const int calls = bytes <= 4096 ? 1001 : bytes <= 65536 ? 401 : bytes <= (1 << 20) ? 41 : 7;
    return takes_turns() ? calls / 4 + 2 : calls;
  }
  int repeats() const { return takes_turns() ? 4 : 10; }
  double most_ticks() const { return (takes_turns() ? 3e7 : 1.2e8) * ticks_per_ns_; }
  bool takes_turns() const { return !selection_.turns.empty(); }

  void measure(Operation operation, std::string_view name, std::size_t bytes) {
    Cell cell(peer_, operation, bytes / sizeof(std::int64_t), selection_.ring_bytes);
    const int calls = calls_for(bytes);
    std::vector<double> times = selection_.shared_cores
                                    ? back_to_back(cell, calls)
                                    : one_by_one(cell, calls, moment_for(bytes));
    if (peer_.id() != 0) return;
    if (times.empty()) {
      std::printf("no call of %s began at the same moment everywhere\n", name.data());
      std::fflush(stdout);
      return;
    }
    std::ranges::sort(times);
    const auto at = [&](double part) {
      const auto index = static_cast<std::size_t>(part * static_cast<double>(times.size() - 1));
      return times[index] / ticks_per_ns_ / cell.ways();
    };
    std::printf("%s %zu %.1f %.1f %.1f\n", name.data(), bytes, at(0.5), at(0.1), at(0.9));
    std::fflush(stdout);
  }

  void check(const Cell& cell, int iteration) const {
    if (cell.right(iteration)) return;
    std::fprintf(stderr, "wrong result on processor %d\n", peer_.id());
    std::exit(1);
  }

  std::vector<double> one_by_one(Cell& cell, int calls, std::int64_t moment) {
    const int warm_up = calls / 10 + 2;
    std::vector<std::int64_t> moments;  // begin and end of each call
    for (int i = 0; i < calls + warm_up; ++i) {
      cell.refresh(i);
      peer_.barrier();
      peer_.barrier();  // nobody has slept in this one, so all leave it at nearly the same time
      const std::int64_t begin = (ticks() / moment + 2) * moment;
      while (ticks() < begin) {
      }
      cell.call();
      const std::int64_t end = ticks();
      if (i >= warm_up) {
        moments.push_back(begin);
        moments.push_back(end);
      }
      check(cell, i);
    }
    return from_begin_to_last_end(moments);
  }

  std::vector<double> from_begin_to_last_end(const std::vector<std::int64_t>& mine) {
    const auto p = static_cast<std::size_t>(peer_.count());
    std::vector<std::int64_t> all(peer_.id() == 0 ? mine.size() * p : 0);
    peer_.gather(mine, all);
    std::vector<double> times;
    if (peer_.id() != 0) return times;
    for (std::size_t call = 0; call < mine.size(); call += 2) {
      bool together = true;
      std::int64_t end = 0;
      for (std::size_t q = 0; q < p; ++q) {
        together = together && all[q * mine.size() + call] == mine[call];
        end = std::max(end, all[q * mine.size() + call + 1]);
      }
      if (together) times.push_back(static_cast<double>(end - mine[call]));
    }
    return times;
  }

  std::vector<double> back_to_back(Cell& cell, int calls) {
    std::vector<double> times;
    double spent = 0;
    for (int repeat = 0; repeat < repeats(); ++repeat) {
      const int now = repeat == 0 ? 3 : calls / 10 + 1;  // first: a look
      peer_.barrier();
      const std::int64_t begin = ticks();
      for (int i = 0; i < now; ++i) {
        cell.refresh(i);
        cell.call();
      }
      const double taken = from_first_begin_to_last_end(begin, ticks());
      check(cell, now - 1);
      times.push_back(taken / now);
      spent += taken;
      // Everybody must come to the same end, so processor 0 says when.
      std::int64_t enough =
          spent > most_ticks() || times.back() * (calls / 10.0) > most_ticks() ? 1 : 0;
      peer_.broadcast({&enough, 1});
      if (enough != 0) break;
    }
    if (times.size() > 1) times.erase(times.begin());
    return times;
  }

  /// On processor 0; elsewhere 0.
  double from_first_begin_to_last_end(std::int64_t begin, std::int64_t end) {
    const auto p = static_cast<std::size_t>(peer_.count());
    const std::int64_t mine[] = {begin, end};
    std::vector<std::int64_t> all(peer_.id() == 0 ? 2 * p : 0);
    peer_.gather(mine, all);
    for (std::size_t i = 0; i < all.size(); i += 2) {
      begin = std::min(begin, all[i]);
      end = std::max(end, all[i + 1]);
    }
    return peer_.id() == 0 ? static_cast<double>(end - begin) : 0;
  }

  Peer& peer_;
  const Selection& selection_;
  double ticks_per_ns_;
};

}  // namespace postroom::benchmarks
