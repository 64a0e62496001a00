#include "cli/reproduce/timed_rounds.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace postroom::cli {

std::vector<Summary> in_turns(const std::vector<Contestant>& contestants, int rounds) {
  std::vector<std::vector<double>> times(contestants.size());
  for (int round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < contestants.size(); ++i) {
      const double time = contestants[i]();
      if (round > 0) times[i].push_back(time);
    }
  }
  std::vector<Summary> summaries;
  for (std::vector<double>& list : times) summaries.push_back(summarize(std::move(list)));
  return summaries;
}

TimedMachine::TimedMachine(int processors, std::shared_ptr<Clock> clock)
    : machine_({.processors = processors, .clock = std::move(clock)}),
      stamps_(static_cast<std::size_t>(processors)) {}

double TimedMachine::seconds(const Program& program, int repeats, const Program& prepare) {
  machine_.run([&](Processor& self) {
    Stamps& mine = stamps_[static_cast<std::size_t>(self.id())];
    if (prepare) prepare(self);
    self.barrier();
    mine.begin = self.now();
    for (int i = 0; i < repeats; ++i) program(self);
    mine.end = self.now();
  });
  // Both clocks of real time tick in nanoseconds.
  const Time begin = std::ranges::min(stamps_, {}, &Stamps::begin).begin;
  const Time end = std::ranges::max(stamps_, {}, &Stamps::end).end;
  return static_cast<double>(end - begin) * 1e-9 / repeats;
}

}  // namespace postroom::cli
