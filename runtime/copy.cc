#include "runtime/copy.h"

#include <cstdint>
#include <cstring>

#include "numa/cacheline.h"

// The sanitizers do not see these stores.
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POSTROOM_COPIES_LINES 1
#include <immintrin.h>
#endif

namespace postroom {
namespace {

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

template <bool kStreams>
void copy_line(std::byte* to, const std::byte* from) noexcept {
  Vector line[kVectors];
  for (std::size_t i = 0; i < kVectors; ++i) line[i] = Vector::load(from + i * sizeof(Vector));
  for (std::size_t i = 0; i < kVectors; ++i) {
    std::byte* const place = to + i * sizeof(Vector);
    kStreams ? line[i].stream(place) : line[i].put(place);
  }
}

template <bool kStreams>
void copy_lines(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const std::size_t before_line = -reinterpret_cast<std::uintptr_t>(to) % kCacheLine;
  std::memcpy(to, from, before_line);
  std::size_t done = before_line;
  for (; done + kCacheLine <= bytes; done += kCacheLine) {
    copy_line<kStreams>(to + done, from + done);
  }
  std::memcpy(to + done, from + done, bytes - done);
  if (kStreams) _mm_sfence();
}

#endif

}  // namespace

void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                 [[maybe_unused]] std::size_t whole) noexcept {
  if (bytes == 0) return;
#ifdef POSTROOM_COPIES_LINES
  if (bytes >= kLoopBytes) {
    return whole >= kStreamBytes ? copy_lines<true>(to, from, bytes)
                                 : copy_lines<false>(to, from, bytes);
  }
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace postroom
