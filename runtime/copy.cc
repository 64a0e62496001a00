#include "runtime/copy.h"

#include <cstdint>
#include <cstring>

#include "numa/cacheline.h"

// The sanitizers do not see these stores.
#if defined(__SSE2__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define POSTROOM_STREAMS 1
#include <emmintrin.h>
#endif

namespace postroom {
namespace {

#ifdef POSTROOM_STREAMS
void stream_line(std::byte* to, const std::byte* from) noexcept {
  constexpr int kVectors = kCacheLine / sizeof(__m128i);
  const auto* source = reinterpret_cast<const __m128i*>(from);
  auto* target = reinterpret_cast<__m128i*>(to);
  __m128i line[kVectors];
  for (int i = 0; i < kVectors; ++i) line[i] = _mm_loadu_si128(source + i);
  for (int i = 0; i < kVectors; ++i) _mm_stream_si128(target + i, line[i]);
}

void stream(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
  const std::size_t before_line = -reinterpret_cast<std::uintptr_t>(to) % kCacheLine;
  std::memcpy(to, from, before_line);
  std::size_t done = before_line;
  for (; done + kCacheLine <= bytes; done += kCacheLine) stream_line(to + done, from + done);
  std::memcpy(to + done, from + done, bytes - done);
  _mm_sfence();
}
#endif

}  // namespace

void copy_memory(std::byte* to, const std::byte* from, std::size_t bytes,
                 [[maybe_unused]] std::size_t whole) noexcept {
  if (bytes == 0) return;
#ifdef POSTROOM_STREAMS
  if (whole >= kStreamBytes && bytes >= 2 * kCacheLine) return stream(to, from, bytes);
#endif
  std::memcpy(to, from, bytes);
}

}  // namespace postroom
