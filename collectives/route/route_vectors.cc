#include "collectives/route/route_vectors.h"

#include <array>
#include <cstring>
#include <utility>

#include "numa/vectors.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif

namespace postroom {

#ifdef __x86_64__

namespace {

constexpr std::size_t kVectorBytes = 64;
constexpr std::size_t kBlockBytes = 16 * kVectorBytes;

/// The last ones for a target, kept aside until the end: from where they belong, a vector might
/// reach into the places of the next target.
struct Tail {
  std::byte* belongs_to = nullptr;  // null: it still has room for a block
  std::array<std::byte, kBlockBytes + kVectorBytes> kept;
};

#pragma GCC push_options
#pragma GCC target("avx2,avx512f,avx512vl,popcnt")
// GCC 12 takes what its own header leaves undefined on purpose for a mistake.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"

/// Zeros that the compiler does not know. The pushed lanes come into them: a Zen 5 waits for what
/// was in their register before, and without this that is often what was pushed last.
__m512i fresh() {
  __m512i zeros = _mm512_setzero_si512();
  asm("" : "+v"(zeros));
  return zeros;
}

struct Of32Bits {
  static constexpr std::size_t kBytes = 4;
  static constexpr std::size_t kLanes = kVectorBytes / kBytes;
  static __m512i targets(const int* from) { return _mm512_loadu_si512(from); }
  static unsigned of_target(__m512i targets, int target) {
    return _mm512_cmpeq_epi32_mask(targets, _mm512_set1_epi32(target));
  }
  static __m512i pushed(__m512i elements, unsigned lanes) {
    return _mm512_mask_compress_epi32(fresh(), static_cast<__mmask16>(lanes), elements);
  }
};

struct Of64Bits {
  static constexpr std::size_t kBytes = 8;
  static constexpr std::size_t kLanes = kVectorBytes / kBytes;
  static __m256i targets(const int* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static unsigned of_target(__m256i targets, int target) {
    return _mm256_cmpeq_epi32_mask(targets, _mm256_set1_epi32(target));
  }
  static __m512i pushed(__m512i elements, unsigned lanes) {
    return _mm512_mask_compress_epi64(fresh(), static_cast<__mmask8>(lanes), elements);
  }
};

template <std::size_t kTargets>
using Places = std::array<std::byte*, kTargets>;

/// A block; from each of the places on there is room for all of it. Of a vector of elements those
/// for a target are pushed together, in their order, and all of the vector is written to the
/// target's next places; what is behind them is overwritten by the next ones.
// Tried and lost, ns an element of 32 bits with 8 targets (Zen 5), where this takes 0.28 with
// targets in order and 0.33 to 0.38 in none:
//   only what is there is written, by masks      0.35 to 0.41; 11 where a page is not there yet
//   rows in the cache, copied from there         0.33 and 0.55
//   one target after the other                   0.3 to 0.9: stores into one line come too soon
//   `vpcompress` to memory                       0.45; Zen 4 is slow at it
//   AVX2 with orders of lanes in a table         0.4 to 0.5
//   ranks that `vpconflict` finds                0.4 to 0.6
template <class Of, std::size_t kTargets>
void place_block(const std::byte* elements, const int* targets, Places<kTargets>& places) noexcept {
  Places<kTargets> next = places;  // in registers
  for (std::size_t byte = 0; byte < kBlockBytes; byte += kVectorBytes) {
    const __m512i some = _mm512_loadu_si512(elements + byte);
    const auto theirs = Of::targets(targets + byte / Of::kBytes);
#pragma GCC unroll 8
    for (std::size_t target = 0; target < kTargets; ++target) {
      const unsigned lanes = Of::of_target(theirs, static_cast<int>(target));
      _mm512_storeu_si512(next[target], Of::pushed(some, lanes));
      next[target] += static_cast<std::size_t>(_mm_popcnt_u32(lanes)) * Of::kBytes;
    }
  }
  places = next;
}

template <class Of>
std::size_t place_blocks(const std::byte* elements, std::span<const int> targets,
                         std::span<TargetRoom> rooms) noexcept {
  constexpr std::size_t kTargets = kMostTargetBytes / Of::kBytes;
  constexpr std::size_t kBlock = kBlockBytes / Of::kBytes;
  std::array<Tail, kTargets> tails;
  Places<kTargets> places;
  for (std::size_t j = 0; j < kTargets; ++j) {
    places[j] = j < rooms.size() ? rooms[j].next : tails[j].kept.data();
  }
  std::size_t k = 0;
  for (; k + kBlock <= targets.size(); k += kBlock) {
    for (std::size_t j = 0; j < rooms.size(); ++j) {
      const auto left = static_cast<std::size_t>(rooms[j].end - places[j]);
      if (tails[j].belongs_to != nullptr || left >= kBlockBytes) continue;
      tails[j].belongs_to = std::exchange(places[j], tails[j].kept.data());
    }
    place_block<Of>(elements + k * Of::kBytes, &targets[k], places);
  }
  for (std::size_t j = 0; j < rooms.size(); ++j) {
    rooms[j].next = places[j];
    if (tails[j].belongs_to == nullptr) continue;
    const auto bytes = static_cast<std::size_t>(places[j] - tails[j].kept.data());
    std::memcpy(tails[j].belongs_to, tails[j].kept.data(), bytes);
    rooms[j].next = tails[j].belongs_to + bytes;
  }
  return k;
}

#pragma GCC diagnostic pop
#pragma GCC pop_options

}  // namespace

std::size_t place_by_vectors(const std::byte* elements, std::size_t element_bytes,
                             std::span<const int> targets, std::span<TargetRoom> rooms) noexcept {
  if (!uses_avx512()) return 0;
  if (element_bytes == Of32Bits::kBytes) return place_blocks<Of32Bits>(elements, targets, rooms);
  if (element_bytes == Of64Bits::kBytes) return place_blocks<Of64Bits>(elements, targets, rooms);
  return 0;
}

#else

std::size_t place_by_vectors(const std::byte*, std::size_t, std::span<const int>,
                             std::span<TargetRoom>) noexcept {
  return 0;
}

#endif

}  // namespace postroom
