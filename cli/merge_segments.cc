#include "cli/merge_segments.h"

#include <cstring>
#include <string_view>
#include <type_traits>

#include "cli/text_numbers.h"
#include "sort/loser_tree.h"
#include "sort/records.h"

namespace postroom::cli {
namespace {

using Tree = sorting::LoserTree<std::uint64_t>;

/// What comes next of a segment.
struct Cursor {
  const std::byte* at;
  const std::byte* end;
};

std::vector<Cursor> cursors_of(std::span<const Segment> segments) {
  std::vector<Cursor> cursors;
  for (const Segment& segment : segments) {
    cursors.push_back({segment.data(), segment.data() + segment.size()});
  }
  return cursors;
}

/// Merges what `reader` reads: read(cursor, row) gives the key of the record at the cursor, and
/// bytes(row) then the record's length.
template <class Reader>
std::optional<Disorder> merge(std::span<const Segment> segments, Reader& reader, std::byte* to,
                              std::span<KeyRange> ranges) {
  std::vector<Cursor> cursors = cursors_of(segments);
  Tree tree(segments.size());
  for (std::size_t row = 0; row < cursors.size(); ++row) {
    ranges[row] = KeyRange{};
    if (cursors[row].at == cursors[row].end) continue;
    ranges[row].first = reader.read(cursors[row], row);
    tree.enter(row, ranges[row].first);
  }
  for (tree.start(); !tree.empty();) {
    const std::size_t row = tree.row();
    Cursor& cursor = cursors[row];
    const std::size_t bytes = reader.bytes(row);
    std::memcpy(to, cursor.at, bytes);
    to += bytes;
    cursor.at += bytes;
    if (cursor.at == cursor.end) {
      ranges[row].last = tree.key();
      tree.end_row();
      continue;
    }
    const std::uint64_t key = reader.read(cursor, row);
    if (key < tree.key()) {
      return Disorder{row, static_cast<std::size_t>(cursor.at - segments[row].data())};
    }
    tree.next(key);
  }
  return std::nullopt;
}

/// Raw records. `Bytes` is known to the compiler where it is a type and not a number.
template <class Bytes, class KeyOf>
struct RawReader {
  Bytes record_bytes;
  KeyOf key_of;

  std::uint64_t read(const Cursor& cursor, std::size_t) const { return key_of(cursor.at); }
  std::size_t bytes(std::size_t) const { return record_bytes; }
};

struct LineReader {
  const RecordOrder& order;
  std::vector<std::size_t> line_bytes;  // with the '\n', of the line at each cursor

  std::uint64_t read(const Cursor& cursor, std::size_t row) {
    const std::string_view rest(reinterpret_cast<const char*>(cursor.at),
                                static_cast<std::size_t>(cursor.end - cursor.at));
    const LineNumber line = number_at(rest, 0);
    line_bytes[row] = line.end + 1;
    return order.key_of_number(line.number);
  }
  std::size_t bytes(std::size_t row) const { return line_bytes[row]; }
};

template <std::size_t kLoadBytes, class Bytes>
std::optional<Disorder> merge_raw(std::span<const Segment> segments, const RecordOrder& order,
                                  Bytes record_bytes, std::byte* merged,
                                  std::span<KeyRange> ranges) {
  const auto key_of = order.field_key<kLoadBytes>();
  RawReader<Bytes, std::remove_const_t<decltype(key_of)>> reader{record_bytes, key_of};
  return merge(segments, reader, merged, ranges);
}

/// Bare keys.
std::optional<Disorder> sort_segments(std::span<const Segment> segments, const RecordOrder& order,
                                      std::span<std::byte> merged, std::span<KeyRange> ranges,
                                      std::span<std::byte> room) {
  const std::size_t bytes = order.record_bytes();
  const KeyType key = order.format().key;
  const SortOptions options{
      .processors = 1, .pin = false, .scratch = room, .descending = order.descending()};
  std::byte* to = merged.data();
  for (std::size_t row = 0; row < segments.size(); ++row) {
    const Segment segment = segments[row];
    ranges[row] = KeyRange{};
    if (segment.empty()) continue;
    ranges[row] = {order.key(segment.data()), order.key(&segment.back() + 1 - bytes)};
    if (const auto late = first_disorder(segment, bytes, 0, key, options)) {
      return Disorder{row, *late * bytes};
    }
    std::memcpy(to, segment.data(), segment.size());
    to += segment.size();
  }
  sort_records(merged, bytes, 0, key, options);
  return std::nullopt;
}

template <std::size_t kBytes>
using Fixed = std::integral_constant<std::size_t, kBytes>;

}  // namespace

std::size_t room_for_segments(std::size_t bytes, const RecordOrder& order) {
  return order.is_bare() ? scratch_bytes(bytes / order.record_bytes(), order.record_bytes())
                         : bytes;
}

std::optional<Disorder> merge_segments(std::span<const Segment> segments, const RecordOrder& order,
                                       std::span<std::byte> merged, std::span<KeyRange> ranges,
                                       std::span<std::byte> room) {
  if (order.is_bare()) return sort_segments(segments, order, merged, ranges, room);
  if (order.is_text()) {
    LineReader reader{order, std::vector<std::size_t>(segments.size())};
    return merge(segments, reader, merged.data(), ranges);
  }
  const std::size_t bytes = order.record_bytes();
  switch (bytes) {
    case 2:
      return merge_raw<2>(segments, order, Fixed<2>(), merged.data(), ranges);
    case 3:
      return merge_raw<3>(segments, order, Fixed<3>(), merged.data(), ranges);
    case 4:
      return merge_raw<4>(segments, order, Fixed<4>(), merged.data(), ranges);
    case 5:
      return merge_raw<5>(segments, order, Fixed<5>(), merged.data(), ranges);
    case 6:
      return merge_raw<6>(segments, order, Fixed<6>(), merged.data(), ranges);
    case 7:
      return merge_raw<7>(segments, order, Fixed<7>(), merged.data(), ranges);
    case 8:
      return merge_raw<8>(segments, order, Fixed<8>(), merged.data(), ranges);
    case 16:
      return merge_raw<8>(segments, order, Fixed<16>(), merged.data(), ranges);
    default:
      return merge_raw<8>(segments, order, bytes, merged.data(), ranges);
  }
}

}  // namespace postroom::cli
