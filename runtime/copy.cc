#include "runtime/copy.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "numa/cacheline.h"
#include "numa/cpu_model.h"
#include "numa/once.h"

// The sanitizers do not see these stores.
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POSTROOM_COPIES_LINES 1
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace postroom {
namespace {

// From here on `rep movsb` is the fastest on CPUs where it is good: into own memory, and where
// another core has the lines that are written.
//
// On a Zen 5, as times as long as the loop over lines: what another core has written is copied in
// 1.0 (8 KiB), 0.8 (64 KiB) and 0.82 (1 MiB). Into memory that another core has, 64 KiB take 0.4,
// and 0.25 where the cores are far from each other, because the lines that are written need not be
// read; that is as long as in the other direction. Tried and lost there: vectors of 64 bytes, two
// to eight streams side by side, asking for lines or for blocks ahead (0.99 to 1.2).
constexpr std::size_t kMoveBytes = 16 * 1024;
constexpr std::size_t kPushBytes = 2 * 1024;

#ifdef POSTROOM_COPIES_LINES

#ifdef __AVX__
struct Vector {
  __m256i data;
  static Vector load(const std::byte* from) noexcept {
    return {_mm256_loadu_si256(reinterpret_cast<const __m256i*>(from))};
  }
  void put(std::byte* to) const noexcept {
    _mm256_store_si256(reinterpret_cast<__m256i*>(to), data);
  }
  void stream(std::byte* to) const noexcept {
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), data);
  }
};
#else
struct Vector {
  __m128i data;
  static Vector load(const std::byte* from) noexcept {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
  }
  void put(std::byte* to) const noexcept { _mm_store_si128(reinterpret_cast<__m128i*>(to), data); }
  void stream(std::byte* to) const noexcept {
    _mm_stream_si128(reinterpret_cast<__m128i*>(to), data);
  }
};
#endif

constexpr std::size_t kVectors = kCacheLine / sizeof(Vector);

/// From here on the library may use `rep movsb`.
constexpr std::size_t kLoopBytes = 2048;

/// What this CPU says of `rep movsb`, but for AMD's Zen 3 and 4, which say more than they keep. On
/// a Zen 3 it is slow when source and target begin at nearly the same place in their pages, as
/// large arrays nearly always do: an alltoall of blocks of 64 KB on two processors took 40 µs with
/// it, and takes 10 with the loop over lines. On a Zen 4 it is no better than the loop.
bool moves_well() noexcept {
  constexpr unsigned kFeatures = 7;
  constexpr unsigned kEnhancedMove = 1U << 9;  // in ebx
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid_count(kFeatures, 0, &eax, &ebx, &ecx, &edx) != 0 &&
         (ebx & kEnhancedMove) != 0 && !__builtin_cpu_is("amdfam19h");
}

void move_bytes(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  // NOLINTNEXTLINE(hicpp-no-assembler): there is no intrinsic
  asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(bytes) : : "memory");
}

template <bool kStreams>
void copy_line(std::byte* to, const std::byte* from) noexcept {
  Vector line[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) line[i] = Vector::load(from + i * sizeof(Vector));
  for (std::size_t i = 0; i < kVectors; ++i) {
    std::byte* const place = to + i * sizeof(Vector);
    kStreams ? line[i].stream(place) : line[i].put(place);
  }
}

template <class CopyLines>
void copy_around(std::byte* to, const std::byte* from, std::size_t bytes, CopyLines copy) noexcept {
  const std::size_t before = std::min(bytes, -reinterpret_cast<std::uintptr_t>(to) % kCacheLine);
  const std::size_t lines = (bytes - before) / kCacheLine * kCacheLine;
  std::memcpy(to, from, before);
  copy(to + before, from + before, lines);
  std::memcpy(to + before + lines, from + before + lines, bytes - before - lines);
}

template <bool kStreams>
void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  for (std::size_t done = 0; done < bytes; done += kCacheLine) {
    copy_line<kStreams>(to + done, from + done);
  }
  if (kStreams) _mm_sfence();
}

#endif

Copying best([[maybe_unused]] std::size_t bytes, [[maybe_unused]] std::size_t whole,
             [[maybe_unused]] std::size_t move_bytes) noexcept {
#ifdef POSTROOM_COPIES_LINES
  static constinit FoundOnce<bool> moves;
  if (bytes >= kLoopBytes) {
    if (whole >= kStreamBytes) return Copying::kStreams;
    return bytes >= move_bytes && moves.get(moves_well) ? Copying::kMoves : Copying::kLines;
  }
#endif
  return Copying::kLibrary;
}

}  // namespace

Copying best_copying(std::size_t bytes, std::size_t whole) noexcept {
  return best(bytes, whole, kMoveBytes);
}

Copying best_pushing(std::size_t bytes, std::size_t whole) noexcept {
#ifdef POSTROOM_COPIES_LINES
  if (bytes >= kLoopBytes && whole >= kPushStreamBytes && pushes_slowly()) return Copying::kStreams;
#endif
  return best(bytes, whole, kPushBytes);
}

// On a Zen 4 lines that another core has read are slow to write in any way but past the caches. 64
// KiB, µs, cores near each other and far: written past the caches 2.7 and 2.8, in other ways 9.8
// and 29; as much read from there 1.8 and 4.7. But whoever reads what was written past the caches
// finds it in memory. With that reading it is 7.3 past the caches, 12.6 by the loop, and 5.2 to 5.9
// where the other one reads from here instead. So lists of some pages are read there
// (collectives/parts/reading.h), and large ones written past the caches.
bool pushes_slowly() noexcept {
  static constinit FoundOnce<bool> slowly;
  return slowly.get(is_zen4);
}

void copy_memory_by(Copying copying, std::byte* to, const std::byte* from,
                    std::size_t bytes) noexcept {
  if (bytes == 0) return;
#ifdef POSTROOM_COPIES_LINES
  switch (copying) {
    case Copying::kLines:
      return copy_around(to, from, bytes, copy_lines<false>);
    case Copying::kMoves:
      return copy_around(to, from, bytes, move_bytes);
    case Copying::kStreams:
      return copy_around(to, from, bytes, copy_lines<true>);
    case Copying::kLibrary:
      break;
  }
#else
  (void)copying;
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace postroom
