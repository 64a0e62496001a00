#include "cli/sort/merge_segments.h"

#include <cstring>
#include <variant>

#include "cli/keys/by_format.h"
#include "cli/keys/lines.h"
#include "cli/keys/placed_key.h"
#include "cli/keys/text_numbers.h"
#include "sort/areas.h"
#include "sort/field_key.h"
#include "sort/loser_tree.h"

namespace postroom::cli {
namespace {

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

/// Merges what `reader` reads: read(cursor, row) gives the key of the record at the cursor, nothing
/// where it cannot stand there, and bytes(row) then the record's length; kept(key) is the same
/// key without the record.
template <class Reader>
std::optional<Disorder> merge(std::span<const Segment> segments, Reader& reader, std::byte* to,
                              std::span<KeyRange> ranges) {
  std::vector<Cursor> cursors = cursors_of(segments);
  using Key = typename Reader::Key;
  sorting::LoserTree<Key> tree(segments.size(), Reader::kLargest);
  for (std::size_t row = 0; row < cursors.size(); ++row) {
    ranges[row] = KeyRange{};
    if (cursors[row].at == cursors[row].end) continue;
    const std::optional<Key> first = reader.read(cursors[row], row);
    if (!first) return Disorder{row, 0};
    ranges[row].first = reader.kept(*first);
    tree.enter(row, *first);
  }
  for (tree.start(); !tree.empty();) {
    const std::size_t row = tree.row();
    Cursor& cursor = cursors[row];
    const std::size_t bytes = reader.bytes(row);
    std::memcpy(to, cursor.at, bytes);
    to += bytes;
    cursor.at += bytes;
    if (cursor.at == cursor.end) {
      ranges[row].last = reader.kept(tree.key());
      tree.end_row();
      continue;
    }
    const std::optional<Key> key = reader.read(cursor, row);
    if (!key || *key < tree.key()) {
      return Disorder{row, static_cast<std::size_t>(cursor.at - segments[row].data())};
    }
    tree.next(*key);
  }
  return std::nullopt;
}

/// Of what has a number for a key.
struct NumberReader {
  using Key = std::uint64_t;
  static constexpr Key kLargest = ~Key{0};

  static OrderKey kept(Key key) { return {key}; }
};

/// Raw records of more than 8 bytes: smaller ones are moved whole.
struct FieldReader : NumberReader {
  FieldReader(const RecordOrder& order, KeyType type)
      : record_bytes(order.record_bytes()),
        key_of({record_bytes, order.format().key_offset, type, order.descending()}) {}

  std::size_t record_bytes;
  sorting::FieldKey<sizeof(Key)> key_of;

  std::optional<Key> read(const Cursor& cursor, std::size_t) const { return key_of(cursor.at); }
  std::size_t bytes(std::size_t) const { return record_bytes; }
};

struct ByteKeyReader {
  using Key = PlacedKey;
  static constexpr Key kLargest = {.first = ~std::uint64_t{0}};

  ByteKeyReader(const RecordOrder& order, ByteKey key)
      : record_bytes(order.record_bytes()),
        key_of(key, order.format().key_offset, order.descending()) {}

  std::size_t record_bytes;
  KeyPlace key_of;

  std::optional<Key> read(const Cursor& cursor, std::size_t) const { return key_of(cursor.at); }
  std::size_t bytes(std::size_t) const { return record_bytes; }
  static OrderKey kept(const Key& key) { return key.kept(); }
};

struct LineReader : NumberReader {
  LineReader(const RecordOrder& of_lines, std::size_t rows) : order(of_lines), line_bytes(rows) {}

  const RecordOrder& order;
  std::vector<std::size_t> line_bytes;  // with the '\n', of the line at each cursor

  std::optional<Key> read(const Cursor& cursor, std::size_t row) {
    const LineNumber line = number_at(characters({cursor.at, cursor.end}), 0);
    line_bytes[row] = line.end + 1;
    // The type is that of the first and the last lines, so a row in order has no other between.
    if (!order.has(line.number, line.negative)) return std::nullopt;
    return order.key_of_number(line.number);
  }
  std::size_t bytes(std::size_t row) const { return line_bytes[row]; }
};

/// Whether they are sorted anew.
bool is_sorted_anew(const RecordOrder& order) {
  return !order.is_text() && std::holds_alternative<KeyType>(order.format().key) &&
         sorting::moves_whole(order.record_bytes());
}

std::optional<Disorder> sort_segments(std::span<const Segment> segments, const RecordOrder& order,
                                      std::span<std::byte> merged, std::span<KeyRange> ranges,
                                      std::span<std::byte> room) {
  const std::size_t bytes = order.record_bytes();
  const SortOptions options{
      .processors = 1, .pin = false, .scratch = room, .descending = order.descending()};
  std::byte* to = merged.data();
  for (std::size_t row = 0; row < segments.size(); ++row) {
    const Segment segment = segments[row];
    ranges[row] = KeyRange{};
    if (segment.empty()) continue;
    ranges[row] = {order.key(segment.data()), order.key(&segment.back() + 1 - bytes)};
    if (const auto late = first_disorder(segment, order.format(), options)) {
      return Disorder{row, *late * bytes};
    }
    std::memcpy(to, segment.data(), segment.size());
    to += segment.size();
  }
  const auto all = static_cast<std::size_t>(to - merged.data());
  sort_records(merged.first(all), order.format(), options);
  return std::nullopt;
}

}  // namespace

std::size_t room_for_segments(std::size_t bytes, const RecordOrder& order) {
  return is_sorted_anew(order) ? scratch_bytes(bytes / order.record_bytes(), order.format())
                               : bytes;
}

std::optional<Disorder> merge_segments(std::span<const Segment> segments, const RecordOrder& order,
                                       std::span<std::byte> merged, std::span<KeyRange> ranges,
                                       std::span<std::byte> room) {
  if (is_sorted_anew(order)) return sort_segments(segments, order, merged, ranges, room);
  if (order.is_text()) {
    LineReader reader(order, segments.size());
    return merge(segments, reader, merged.data(), ranges);
  }
  if (const auto* const key = std::get_if<ByteKey>(&order.format().key)) {
    ByteKeyReader reader(order, *key);
    return merge(segments, reader, merged.data(), ranges);
  }
  FieldReader reader(order, std::get<KeyType>(order.format().key));
  return merge(segments, reader, merged.data(), ranges);
}

}  // namespace postroom::cli
