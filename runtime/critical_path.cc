#include "runtime/critical_path.h"

#include <algorithm>
#include <iterator>
#include <ranges>

#include "runtime/clock.h"

namespace postroom {
namespace {

// What a processor had done by a time: received a message, or sent one.
struct Event {
  Time time;
  bool arrived;
  std::size_t message;
};

}  // namespace

std::vector<std::optional<std::size_t>> waited_for(const Trace& trace) {
  const auto& messages = trace.messages();
  std::vector<std::vector<Event>> events(static_cast<std::size_t>(trace.processors()));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Trace::Message& m = messages[i];
    events[static_cast<std::size_t>(m.target)].push_back({m.arrival, true, i});
    events[static_cast<std::size_t>(m.source)].push_back({m.start + m.busy, false, i});
  }
  for (std::vector<Event>& of_one : events) {
    std::ranges::stable_sort(of_one, [](const Event& a, const Event& b) {
      return a.time != b.time ? a.time < b.time : a.arrived < b.arrived;
    });
  }
  std::vector<std::optional<std::size_t>> result(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Time start = messages[i].start;
    const std::vector<Event>& there = events[static_cast<std::size_t>(messages[i].source)];
    const auto later = std::ranges::upper_bound(there, start, {}, &Event::time);
    // What takes no time may have ended now, but has not been waited for if it also began now.
    const auto before = std::ranges::find_if(
        std::make_reverse_iterator(later), there.rend(),
        [&](const Event& event) { return messages[event.message].start < start; });
    if (before != there.rend()) result[i] = before->message;
  }
  return result;
}

std::vector<std::size_t> critical_path(const Trace& trace) {
  const auto& messages = trace.messages();
  if (messages.empty()) return {};
  const std::vector<std::optional<std::size_t>> before = waited_for(trace);
  const auto last = std::ranges::max_element(messages, {}, &Trace::Message::arrival);
  std::vector<std::size_t> path;
  for (std::optional<std::size_t> at = std::distance(messages.begin(), last); at; at = before[*at])
    path.push_back(*at);
  std::ranges::reverse(path);
  return path;
}

}  // namespace postroom
