#include "tests/interleave/shadow.h"

#include <algorithm>

namespace postroom::interleave {

using What = Shadow::Conflict::What;

Shadow::Verdict Shadow::Range::race(const Clock& known, bool exclusive) const {
  const auto unknown = [&](const Access& a) { return a.clock > known[a.thread]; };
  if (unknown(write)) return Conflict{What::kRace, write};
  if (!exclusive) return std::nullopt;
  const auto read = std::find_if(reads.begin(), reads.end(), unknown);
  return read == reads.end() ? Verdict() : Conflict{What::kRace, *read};
}

Shadow::Verdict Shadow::Range::misuse(bool typed) const {
  if (kind == Kind::kFreed) return Conflict{What::kFreed, write};
  if (kind == Kind::kDestroyed && typed) return Conflict{What::kDestroyed, write};
  if (kind == Kind::kAtomic) return Conflict{What::kAtomic, write};
  return std::nullopt;
}

std::size_t Shadow::find(Address address) const {
  const auto range = std::upper_bound(ranges_.begin(), ranges_.end(), address,
                                      [](Address a, const Range& r) { return a < r.end; });
  return static_cast<std::size_t>(range - ranges_.begin());
}

void Shadow::split(Address at) {
  const std::size_t i = find(at);
  if (i == ranges_.size() || ranges_[i].begin >= at) return;
  Range left = ranges_[i];
  left.end = at;
  ranges_[i].begin = at;
  ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(i), left);
}

std::span<Shadow::Range> Shadow::cover(Address begin, std::size_t bytes) {
  const Address end = begin + bytes;
  std::size_t first = find(begin);
  if (first < ranges_.size() && ranges_[first].begin == begin && ranges_[first].end == end) {
    return {&ranges_[first], 1};
  }
  split(begin);
  split(end);
  first = find(begin);
  std::size_t i = first;
  for (Address at = begin; at < end; at = ranges_[i++].end) {
    if (i < ranges_.size() && ranges_[i].begin == at) continue;
    const Address gap_end = i < ranges_.size() ? std::min(end, ranges_[i].begin) : end;
    ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(i), {.begin = at, .end = gap_end});
  }
  return {ranges_.data() + first, i - first};
}

Shadow::Verdict Shadow::read(Address begin, std::size_t bytes, Access access, const Clock& known,
                             bool typed) {
  for (Range& range : cover(begin, bytes)) {
    if (const Verdict verdict = range.misuse(typed)) return verdict;
    if (const Verdict verdict = range.race(known, false)) return verdict;
    range.reads[access.thread] = access;
  }
  return std::nullopt;
}

Shadow::Verdict Shadow::write(Address begin, std::size_t bytes, Access access, const Clock& known,
                              bool typed) {
  for (Range& range : cover(begin, bytes)) {
    if (const Verdict verdict = range.misuse(typed)) return verdict;
    if (const Verdict verdict = range.race(known, true)) return verdict;
    range.kind = Kind::kPlain;
    range.write = access;
  }
  return std::nullopt;
}

Shadow::Verdict Shadow::become(Kind kind, Address begin, std::size_t bytes, Location location,
                               Access access, const Clock& known) {
  const std::span<Range> ranges = cover(begin, bytes);
  for (const Range& range : ranges) {
    if (const Verdict verdict = range.race(known, true)) return verdict;
    if (range.kind == Kind::kFreed) return Conflict{What::kFreed, range.write};
  }
  ranges.front() = {
      .begin = begin, .end = begin + bytes, .kind = kind, .location = location, .write = access};
  const auto rest = ranges_.begin() + (&ranges.front() - ranges_.data()) + 1;
  ranges_.erase(rest, rest + static_cast<std::ptrdiff_t>(ranges.size() - 1));
  return std::nullopt;
}

std::optional<Location> Shadow::atomic_at(Address begin, Access access) {
  const std::size_t i = find(begin);
  if (i == ranges_.size() || ranges_[i].begin != begin || ranges_[i].kind != Kind::kAtomic) {
    return std::nullopt;
  }
  ranges_[i].reads[access.thread] = access;
  return ranges_[i].location;
}

Shadow::Verdict Shadow::dead_at(Address begin) {
  const std::size_t i = find(begin);
  if (i == ranges_.size() || ranges_[i].begin > begin) return std::nullopt;
  return ranges_[i].misuse(true);
}

}  // namespace postroom::interleave
