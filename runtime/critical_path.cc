#include "runtime/critical_path.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "runtime/clock.h"

namespace postroom {
namespace {

// What a processor had done by a time: received a message, or sent one.
struct Event {
  Time time;
  bool took_time;  // the message did; else it began at the same time
  bool arrived;
  std::size_t message;
};

}  // namespace

std::vector<std::optional<std::size_t>> waited_for(const Trace& trace) {
  const auto& messages = trace.messages();
  std::vector<std::vector<Event>> events(static_cast<std::size_t>(trace.processors()));
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Trace::Message& m = messages[i];
    events[static_cast<std::size_t>(m.target)].push_back({m.arrival, m.start < m.arrival, true, i});
    events[static_cast<std::size_t>(m.source)].push_back({m.start + m.busy, m.busy > 0, false, i});
  }
  // Of those at the same time the one that counts comes last.
  for (std::vector<Event>& of_one : events) {
    std::ranges::stable_sort(of_one, {}, [](const Event& event) {
      return std::tuple(event.time, event.took_time, event.arrived);
    });
  }
  std::vector<std::optional<std::size_t>> result(messages.size());
  for (std::size_t i = 0; i < messages.size(); ++i) {
    const Time start = messages[i].start;
    const std::vector<Event>& there = events[static_cast<std::size_t>(messages[i].source)];
    auto end = std::ranges::upper_bound(there, start, {}, &Event::time);
    // What took no time and ends now has begun now: nobody has waited for it.
    if (end != there.begin() && std::prev(end)->time == start && !std::prev(end)->took_time) {
      end = std::ranges::lower_bound(there, start, {}, &Event::time);
    }
    if (end != there.begin()) result[i] = std::prev(end)->message;
  }
  return result;
}

std::optional<std::size_t> last_arrival(const Trace& trace) {
  const auto& messages = trace.messages();
  const auto last = std::ranges::max_element(messages, {}, &Trace::Message::arrival);
  if (last == messages.end()) return std::nullopt;
  return static_cast<std::size_t>(last - messages.begin());
}

std::vector<std::size_t> critical_path(const Trace& trace) {
  const std::vector<std::optional<std::size_t>> before = waited_for(trace);
  std::vector<std::size_t> path;
  for (auto at = last_arrival(trace); at; at = before[*at]) path.push_back(*at);
  std::ranges::reverse(path);
  return path;
}

}  // namespace postroom
