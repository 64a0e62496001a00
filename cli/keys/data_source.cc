#include "cli/keys/data_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <tbb/parallel_for.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "cli/common/command_line.h"
#include "numa/rounding.h"

namespace postroom::cli {
namespace {

constexpr std::uint64_t kMostKeys = std::uint64_t{1} << 56;
constexpr std::size_t kPieceKeys = std::size_t{1} << 16;

std::vector<std::pair<std::string, Distribution>> named_distributions() {
  std::vector<std::pair<std::string, Distribution>> named;
  for (const Distribution each : kDistributions) named.emplace_back(to_string(each), each);
  return named;
}

template <class T>
void make(const DataSource& source, std::uint64_t first, std::span<std::byte> bytes) {
  const DataSet set{source.distribution, source.keys, source.seed};
  fill(std::span(reinterpret_cast<T*>(bytes.data()), bytes.size() / sizeof(T)), set, first);
}

}  // namespace

DataSource parse_data_source(std::string_view count_option, std::string_view count,
                             const std::optional<std::string>& distribution,
                             const std::optional<std::string>& seed) {
  DataSource source;
  source.keys = whole_number(count_option, count, 0, kMostKeys);
  if (distribution) {
    source.distribution = named("--distribution", *distribution, named_distributions());
  }
  if (seed) {
    source.seed = whole_number("--seed", *seed, 0, std::numeric_limits<std::uint64_t>::max());
  }
  return source;
}

std::string distribution_names() {
  std::vector<std::string> names;
  for (const Distribution each : kDistributions) names.push_back(to_string(each));
  return fmt::format("{}", fmt::join(names, ", "));
}

void make_keys(const DataSource& source, KeyType type, std::uint64_t first,
               std::span<std::byte> bytes) {
  switch (type) {
    case KeyType::u8:
      return make<std::uint8_t>(source, first, bytes);
    case KeyType::u16:
      return make<std::uint16_t>(source, first, bytes);
    case KeyType::u32:
      return make<std::uint32_t>(source, first, bytes);
    case KeyType::u64:
      return make<std::uint64_t>(source, first, bytes);
    case KeyType::i8:
      return make<std::int8_t>(source, first, bytes);
    case KeyType::i16:
      return make<std::int16_t>(source, first, bytes);
    case KeyType::i32:
      return make<std::int32_t>(source, first, bytes);
    case KeyType::i64:
      return make<std::int64_t>(source, first, bytes);
    case KeyType::f32:
      return make<float>(source, first, bytes);
    case KeyType::f64:
      return make<double>(source, first, bytes);
  }
}

Buffer make_all_keys(const DataSource& source, KeyType type, Progress& progress) {
  const std::size_t piece_bytes = kPieceKeys * key_bytes(type);
  Buffer keys(source.keys * key_bytes(type));
  keys.touch();
  progress.begin("making", keys.size());
  const std::size_t pieces = ceil_divide(keys.size(), piece_bytes);
  tbb::parallel_for(std::size_t{0}, pieces, [&](std::size_t piece) {
    const std::size_t begin = piece * piece_bytes;
    const auto bytes = keys.bytes().subspan(begin, std::min(piece_bytes, keys.size() - begin));
    make_keys(source, type, piece * kPieceKeys, bytes);
    progress.advance(bytes.size());
  });
  return keys;
}

}  // namespace postroom::cli
