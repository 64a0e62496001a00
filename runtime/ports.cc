#include "runtime/ports.h"

#include <algorithm>
#include <iterator>

namespace postroom {

Time Ports::occupy(Time earliest, Time length) {
  (void)later(earliest, length);
  std::size_t port = 0;
  Place place = first_place(busy_[0], earliest, length);
  for (std::size_t k = 1; k < busy_.size() && place.begin > earliest; ++k) {
    const Place other = first_place(busy_[k], earliest, length);
    if (other.begin < place.begin) {
      place = other;
      port = k;
    }
  }
  insert(busy_[port], place.index, {place.begin, later(place.begin, length)});
  return place.begin;
}

Ports::Place Ports::first_place(const Spans& spans, Time earliest, Time length) {
  if (spans.empty() || spans.back().end <= earliest) return {earliest, spans.size()};
  const auto ends_later = [](Time time, const Span& span) { return time < span.end; };
  auto next = std::upper_bound(spans.begin(), spans.end(), earliest, ends_later);
  Time begin = earliest;
  for (; next != spans.end() && next->begin - begin < length; ++next) begin = next->end;
  return {begin, static_cast<std::size_t>(next - spans.begin())};
}

// What lies between two spans and is too short for any message counts as busy.
void Ports::insert(Spans& spans, std::size_t index, Span span) const {
  const auto next = spans.begin() + static_cast<std::ptrdiff_t>(index);
  const bool joins_last = index > 0 && span.begin - spans[index - 1].end < shortest_;
  const bool joins_next = next != spans.end() && next->begin - span.end < shortest_;
  if (joins_last && joins_next) {
    std::prev(next)->end = next->end;
    spans.erase(next);
  } else if (joins_last) {
    std::prev(next)->end = span.end;
  } else if (joins_next) {
    next->begin = span.begin;
  } else {
    spans.insert(next, span);
  }
}

void Ports::forget_before(Time time) {
  for (Spans& spans : busy_) {
    const auto past = [time](const Span& span) { return span.end <= time; };
    spans.erase(spans.begin(), std::find_if_not(spans.begin(), spans.end(), past));
  }
}

void Ports::clear() {
  for (Spans& spans : busy_) spans.clear();
}

}  // namespace postroom
