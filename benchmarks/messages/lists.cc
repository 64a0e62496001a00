// What it takes one core to copy a list that the other one has just written: the least that any
// collective of two processors takes for it.
//
//   bazel run -c opt --config=native //benchmarks/messages:lists
//
// In each round both processors write a list of their own; then, at the same moment, a copy is
// timed, and what came is checked. Figures are GB/s, of the median of the rounds. `one reads`: the
// other one does nothing meanwhile. `both read`: each the other's list, the later one counts.
// `demoted`: one reads what the other has demoted before (numa/demote.h). `demoting`: the other
// one demotes while it is read. `own`: what the core itself has written. The ways are those of
// runtime/copy.h; `own` and what is demoted go by the library's.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <vector>

#include "benchmarks/messages/ping_pong.h"
#include "numa/cacheline.h"
#include "numa/demote.h"
#include "runtime/copy.h"
#include "runtime/machine.h"

namespace postroom::benchmarks {
namespace {

enum class Who { kOneReads, kBothRead, kDemoted, kDemoting, kOwn };

struct Case {
  const char* name;
  Who who;
  Copying copying;
};
constexpr std::array kCases{
    Case{"one reads: library", Who::kOneReads, Copying::kLibrary},
    Case{"lines", Who::kOneReads, Copying::kLines},
    Case{"rep movsb", Who::kOneReads, Copying::kMoves},
    Case{"both read: library", Who::kBothRead, Copying::kLibrary},
    Case{"lines", Who::kBothRead, Copying::kLines},
    Case{"rep movsb", Who::kBothRead, Copying::kMoves},
    Case{"demoted", Who::kDemoted, Copying::kLibrary},
    Case{"demoting", Who::kDemoting, Copying::kLibrary},
    Case{"own", Who::kOwn, Copying::kLibrary},
};

constexpr int kRounds = 201;

struct alignas(kNoSharing) Side {
  std::vector<std::byte> list;
  std::vector<std::byte> copy;
  std::int64_t done_ns = 0;
};

class Lists {
 public:
  explicit Lists(std::size_t bytes) : bytes_(bytes) {
    for (Side& side : sides_) {
      side.list.resize(bytes);
      side.copy.resize(bytes);
    }
  }

  double gb_per_s(Machine& machine, const Case& one) {
    std::vector<std::int64_t> times;
    machine.run([&](Processor& self) {
      for (int round = 0; round < kRounds; ++round) {
        const std::int64_t taken = time_round(self, one, round);
        if (self.id() == 0) times.push_back(taken);
      }
    });
    std::ranges::nth_element(times, times.begin() + kRounds / 2);
    return static_cast<double>(bytes_) / static_cast<double>(times[kRounds / 2]);
  }

 private:
  std::int64_t time_round(Processor& self, const Case& one, int round) {
    Side& mine = sides_[static_cast<std::size_t>(self.id())];
    const Side& others = sides_[static_cast<std::size_t>(1 - self.id())];
    const auto value = static_cast<std::byte>(round + self.id());
    std::fill(mine.list.begin(), mine.list.end(), value);
    if (one.who == Who::kDemoted) demote_lines(mine.list.data(), bytes_);
    self.barrier();
    self.barrier();  // nobody has slept in this one
    const std::int64_t begin = (self.now() / kMomentNs + 2) * kMomentNs;
    while (self.now() < begin) {
    }
    const std::vector<std::byte>& from = one.who == Who::kOwn ? mine.list : others.list;
    const bool reads = self.id() == 0 || one.who == Who::kBothRead || one.who == Who::kOwn;
    if (reads) {
      copy_memory_by(one.copying, mine.copy.data(), from.data(), bytes_);
    } else if (one.who == Who::kDemoting) {
      demote_lines(mine.list.data(), bytes_);
    }
    mine.done_ns = reads ? self.now() - begin : 0;
    self.barrier();
    const auto expected =
        static_cast<std::byte>(round + (one.who == Who::kOwn ? self.id() : 1 - self.id()));
    if (reads && std::ranges::any_of(mine.copy, [&](std::byte b) { return b != expected; })) {
      std::fprintf(stderr, "a wrong copy\n");
      std::exit(1);
    }
    return std::max(sides_[0].done_ns, sides_[1].done_ns);
  }

  static constexpr std::int64_t kMomentNs = 10'000;

  std::size_t bytes_;
  std::array<Side, 2> sides_;
};

void run() {
  Machine machine({.processors = 2, .threads = 2});
  std::printf("bare ping-pong, one way: %.1f ns\n\n%9s", ping_pong_ns(), "bytes");
  for (const Case& one : kCases) std::printf("  %s", one.name);
  std::printf("   GB/s\n");
  for (std::size_t bytes = 1 << 10; bytes <= 4 << 20; bytes *= 2) {
    Lists lists(bytes);
    std::printf("%9zu", bytes);
    for (const Case& one : kCases) {
      const auto width = static_cast<int>(std::strlen(one.name)) + 2;
      std::printf("%*.1f", width, lists.gb_per_s(machine, one));
      std::fflush(stdout);
    }
    std::printf("\n");
  }
}

}  // namespace
}  // namespace postroom::benchmarks

int main() {
  try {
    postroom::benchmarks::run();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
