#include "cli/keys/fingerprint.h"

#define XXH_INLINE_ALL
#include <fmt/core.h>
#include <tbb/blocked_range.h>
#include <tbb/parallel_reduce.h>
#include <xxhash.h>

namespace postroom::cli {
namespace {

constexpr std::size_t kGrainBytes = std::size_t{256} << 10;

void add(Fingerprint& sum, const void* record, std::size_t bytes) {
  const XXH128_hash_t hash = XXH3_128bits(record, bytes);
  sum.low += hash.low64;
  sum.high += hash.high64;
  ++sum.records;
}

Fingerprint merged(Fingerprint a, const Fingerprint& b) { return a += b; }

/// `record_bytes` known to the compiler where it is a type and not a number: several times faster.
template <class Bytes>
Fingerprint of_records(std::span<const std::byte> bytes, Bytes record_bytes) {
  const std::size_t records = bytes.size() / record_bytes;
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, records, kGrainBytes / record_bytes + 1), Fingerprint{},
      [&](const Range& range, Fingerprint sum) {
        for (std::size_t record = range.begin(); record != range.end(); ++record) {
          add(sum, bytes.data() + record * record_bytes, record_bytes);
        }
        return sum;
      },
      merged);
}

template <std::size_t kBytes>
using Fixed = std::integral_constant<std::size_t, kBytes>;

}  // namespace

Fingerprint& Fingerprint::operator+=(const Fingerprint& other) {
  low += other.low;
  high += other.high;
  records += other.records;
  return *this;
}

Fingerprint fingerprint_of_records(std::span<const std::byte> bytes, std::size_t record_bytes) {
  switch (record_bytes) {
    case 1:
      return of_records(bytes, Fixed<1>());
    case 2:
      return of_records(bytes, Fixed<2>());
    case 4:
      return of_records(bytes, Fixed<4>());
    case 8:
      return of_records(bytes, Fixed<8>());
    case 16:
      return of_records(bytes, Fixed<16>());
    default:
      return of_records(bytes, record_bytes);
  }
}

Fingerprint fingerprint_of_lines(std::string_view text, const LineChunks& lines) {
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, lines.chunks.size()), Fingerprint{},
      [&](const Range& range, Fingerprint sum) {
        for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk) {
          for_each_line(text, lines.chunks[chunk], [&](std::size_t, std::string_view line) {
            add(sum, line.data(), line.size());
          });
        }
        return sum;
      },
      merged);
}

Fingerprint fingerprint_of_made_lines(std::size_t lines, const MakeLine& make) {
  constexpr std::size_t kGrainLines = std::size_t{1} << 13;
  using Range = tbb::blocked_range<std::size_t>;
  return tbb::parallel_reduce(
      Range(0, lines, kGrainLines), Fingerprint{},
      [&](const Range& range, Fingerprint sum) {
        std::vector<char> room;
        for (std::size_t line = range.begin(); line != range.end(); ++line) {
          const std::string_view made = make(line, room);
          add(sum, made.data(), made.size());
        }
        return sum;
      },
      merged);
}

std::string hex(const Fingerprint& fingerprint) {
  return fmt::format("{:016x}{:016x}", fingerprint.high, fingerprint.low);
}

}  // namespace postroom::cli
