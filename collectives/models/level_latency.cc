#include "collectives/models/level_latency.h"

#include <stdexcept>
#include <string>

namespace postroom {
namespace {

constexpr std::int64_t kMostProcessors = std::int64_t{1} << 20;

[[noreturn]] void refuse(const char* name, std::int64_t value, const std::string& allowed) {
  throw std::invalid_argument(std::string("level tree: ") + name + " " + std::to_string(value) +
                              " is not allowed; " + allowed);
}

}  // namespace

int LevelLatency::processors() const {
  int count = 1;
  for (const int each : children) count *= each;
  return count;
}

void LevelLatency::check() const {
  if (children.size() != latency.size()) {
    refuse("number of latencies", static_cast<std::int64_t>(latency.size()),
           std::to_string(children.size()) + ", one for each level");
  }
  if (send_steps < 1) refuse("send_steps", send_steps, "at least 1");
  std::int64_t count = 1;
  for (std::size_t i = 0; i < children.size(); ++i) {
    const int least = i == 0 ? send_steps : latency[i - 1];
    if (latency[i] < least) refuse("latency", latency[i], "at least " + std::to_string(least));
    if (children[i] < 1) refuse("children", children[i], "at least 1");
    count *= children[i];
    if (count > kMostProcessors) {
      refuse("processors", count, "at most " + std::to_string(kMostProcessors));
    }
  }
}

LevelLatency LevelLatency::merged() const {
  LevelLatency box{{}, {}, send_steps};
  for (std::size_t i = 0; i < children.size(); ++i) {
    if (i > 0 && latency[i] == latency[i - 1]) {
      box.children.back() *= children[i];
    } else {
      box.children.push_back(children[i]);
      box.latency.push_back(latency[i]);
    }
  }
  return box;
}

}  // namespace postroom
