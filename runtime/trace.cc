#include "runtime/trace.h"

#include <algorithm>
#include <numeric>

namespace postroom {

int Trace::rounds() const {
  int last = 0;
  for (const Message& message : messages_) last = std::max(last, message.round);
  return last;
}

std::size_t Trace::volume() const {
  std::vector<std::size_t> largest(static_cast<std::size_t>(rounds()) + 1);
  for (const Message& message : messages_) {
    std::size_t& round = largest[static_cast<std::size_t>(message.round)];
    round = std::max(round, message.bytes);
  }
  return std::accumulate(largest.begin(), largest.end(), std::size_t{0});
}

std::size_t Trace::total_bytes() const {
  return std::accumulate(
      messages_.begin(), messages_.end(), std::size_t{0},
      [](std::size_t sum, const Message& message) { return sum + message.bytes; });
}

}  // namespace postroom
