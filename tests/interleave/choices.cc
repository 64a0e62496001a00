#include "tests/interleave/choices.h"

#include <algorithm>
#include <array>
#include <climits>
#include <stdexcept>

namespace postroom::interleave {
namespace {

constexpr std::string_view kDigits = "0123456789abcdefghijklmnopqrstuvwxyz";

}  // namespace

RandomChoices::RandomChoices(std::uint64_t first_seed, int executions)
    : next_seed_(first_seed), left_(executions) {}

bool RandomChoices::next() {
  if (left_ == 0) return false;
  --left_;
  state_ = next_seed_++;
  // Some errors need many switches, others long stretches of one thread; so do stale loads.
  constexpr std::array<unsigned, 4> kOdds = {2, 4, 12, 50};
  preempt_one_in_ = kOdds[draw() % kOdds.size()];
  stale_one_in_ = kOdds[draw() % kOdds.size()];
  return true;
}

// SplitMix64 (Steele, Lea and Flood, OOPSLA 2014): any seed is good, the next one is unrelated.
std::uint64_t RandomChoices::draw() {
  std::uint64_t z = state_ += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}

int RandomChoices::thread(int ready, int spinning, bool preempts) {
  if (spinning > 0 && one_in(16)) return ready + below(spinning);
  if (!preempts) return below(ready);
  return ready > 1 && one_in(preempt_one_in_) ? 1 + below(ready - 1) : 0;
}

int RandomChoices::store(int readable) {
  return readable > 1 && one_in(stale_one_in_) ? 1 + below(readable - 1) : 0;
}

std::string RandomChoices::replay() const {
  return std::string(kReplayPrefix) + std::to_string(next_seed_ - 1);
}

SystematicChoices::SystematicChoices(int executions, int preemptions, int stale_loads)
    : left_(executions), preemptions_(preemptions), stale_loads_(stale_loads), backtracks_(true) {}

SystematicChoices::SystematicChoices(std::string_view path, int preemptions, int stale_loads)
    : left_(1), preemptions_(preemptions), stale_loads_(stale_loads), backtracks_(false) {
  for (const char c : path) {
    const std::size_t digit = kDigits.find(c);
    if (digit == std::string_view::npos) {
      throw std::invalid_argument("replay: '" + std::string(1, c) +
                                  "' is not allowed in a path; digits and small letters are");
    }
    path_.push_back({.option = static_cast<int>(digit), .options = INT_MAX});
  }
}

bool SystematicChoices::next() {
  if (started_ && backtracks_) {
    while (!path_.empty() && path_.back().option + 1 == path_.back().options) path_.pop_back();
    if (path_.empty()) {
      complete_ = true;
      return false;
    }
    ++path_.back().option;
  }
  if (left_ == 0) return false;
  --left_;
  started_ = true;
  preemptions_left_ = preemptions_;
  stale_loads_left_ = stale_loads_;
  depth_ = 0;
  return true;
}

int SystematicChoices::pick(int options) {
  if (options == 1) return 0;
  if (depth_ == path_.size()) path_.push_back({.option = 0, .options = options});
  const Choice& choice = path_[depth_++];
  if (choice.options != options && choice.options != INT_MAX) diverged_ = true;
  if (choice.option < options) return choice.option;
  diverged_ = true;
  return 0;
}

int SystematicChoices::thread(int ready, int spinning, bool preempts) {
  const int free = preempts ? 1 : ready;
  const int option = pick(preemptions_left_ > 0 ? ready + spinning : free);
  if (option >= free) --preemptions_left_;
  return option;
}

int SystematicChoices::store(int readable) {
  const int age = pick(stale_loads_left_ > 0 ? readable : 1);
  if (age > 0) --stale_loads_left_;
  return age;
}

std::string SystematicChoices::replay() const {
  std::string text(kReplayPrefix);
  for (const Choice& choice : path_) text += kDigits[static_cast<std::size_t>(choice.option)];
  return text.substr(0, std::max(text.find_last_not_of('0') + 1, kReplayPrefix.size()));
}

}  // namespace postroom::interleave
